// What the server answers: made of its structs by `CLADE_UPDATE=1 go test ./cmd/view -run Types`.

interface Change extends Moment {
  from: string;
  to: string;
}

interface CollectLogTail {
  games: number;
  champion: ChampionLine;
  generation: number;
}

interface Explanation extends Moment {
  actor: WhyPoint;
  candidates: WhyCandidate[];
  chosen: number;
  note?: string;
  shown: number;
  slot: string;
  tree: WhyNode[];
  rects?: WhyRects;
  contrast?: WhyContrast;
}

interface Game {
  game: string;
  version: number;
  settings?: string;
  opponent: string;
  seed: number;
  seat: number;
  result: string;
  resigned?: boolean;
  undone?: number;
  score: number;
  other: number;
  steps: number;
}

interface Group {
  group: string;
  study: string;
  runs: number;
  done: number;
  wins?: Wins;
  settings?: Record<string, string>;
}

interface Kind {
  name: string;
  form: string;
  colour: number;
  letter?: string;
  turns?: boolean;
}

interface Label {
  name: string;
  x: number;
  y: number;
}

interface Listing {
  runs: Row[];
  sweeps: string[];
  cut?: boolean;
}

interface Moment {
  step: number;
  seat: number;
  number: number;
}

interface Plan {
  columns: number;
  rows: number;
  torus: boolean;
  kinds: Kind[];
  labels?: Label[];
  edges?: number[][];
  dense?: boolean;
  tilted?: boolean;
  seats?: number[];
}

interface PlayDeed {
  name: string;
  key: string;
}

interface PlayOver extends Game {
  tally: Tally;
  record: string;
}

interface PlayRung {
  name: string;
  games: number;
  wins: number;
}

interface PlayTurn {
  number: number;
  back: boolean;
  observation: any;
  text?: string;
  actions: PlayDeed[];
  whole: boolean;
  plan?: Plan;
  pieces?: number[];
  actor?: number[];
}

interface Row {
  run: string;
  study: string;
  game: string;
  title: string;
  seed: string;
  group: string;
  sweep?: string;
  state: string;
  note?: string;
  remark?: string;
  generation: number;
  generations: number;
  gamesPerSecond: number;
  left: number;
  champion?: number;
  size?: number;
  wins?: Wins;
  points?: Wins;
  changed: number;
}

interface SiteDroppedNow {
  player: string;
  nodes: number;
}

interface SiteGameNow {
  game: string;
  title: string;
  about: string;
  minSeats: number;
  maxSeats: number;
  playable: boolean;
}

interface SitePlayerNow {
  name: string;
  about: string;
  plain: boolean;
}

interface Table {
  name: string;
  caption: string;
  columns: string[];
  rows: string[][];
}

interface Tally {
  games: number;
  wins: number;
  losses: number;
  ties: number;
  undone: number;
  share: number;
  low: number;
  high: number;
  score: number;
  other: number;
}

interface ViewChampionLine {
  generation: number;
  champion: ChampionLine;
}

interface ViewChampionNow {
  generation: number;
  id: number;
  born: number;
  size: number;
  depth: number;
  games: number;
  wins: number;
  score: number;
  marks?: Record<string, number>;
}

interface ViewComparisonNow {
  tables: Table[];
  notes: string[];
}

interface ViewCurve {
  measure: string;
  group: string;
  run?: string;
  generation: number[];
  mean: number[];
  low: number[];
  high: number[];
  runs: number[];
}

interface ViewDescentNow {
  individuals: number;
  leaves: number;
  from: number;
  to: number;
  low: number;
  high: number;
  width: number;
  height: number;
  across: number[][];
  down: number[][];
  dots?: number[][];
  measures: string[][];
  by?: string;
  least: number;
  most: number;
  ancestor?: number[];
  champion?: number[][];
}

interface ViewDrawing {
  name: string;
  caption: string;
  curves: ViewCurve[];
  thin: ViewCurve[];
}

interface ViewFileNow {
  file: string;
  game: string;
  record: boolean;
}

interface ViewIndividualNow {
  id: number;
  born: number;
  died: number;
  parents: number[];
  children: number;
  survives: boolean;
  ancestors: number[];
  player: string;
  parent: string;
  seconds: number;
  champion: number;
  x: number;
  y: number;
  nearest: number;
}

interface ViewIslandsNow {
  generation: number;
  players: string[];
}

interface ViewLeagueNow {
  games: number;
  standings: ViewStanding[];
  points: number[][];
  casts: number[][][];
  seeds: string[][];
  set: string[];
  key: string;
  over: boolean;
}

interface ViewLogNow {
  text: string;
  lines: number;
}

interface ViewMatrixNow {
  generations: number[];
  games: number;
  ancestors: number[][];
  master: number[][];
  seeds: string[][];
  key: string;
}

interface ViewRunNow {
  runs: Row[];
  study: string;
  marks: string[];
  seats: number[];
  islands: number;
  groups: string[];
  figures: ViewDrawing[];
}

interface ViewRunsChanged {
  runs: Row[];
  gone: string[];
  sweeps: string[];
  groups: Group[];
}

interface ViewRunsNow extends Listing {
  folders: string[];
  groups: Group[];
}

interface ViewStage {
  name: string;
  done: number;
  total: number;
}

interface ViewStanding {
  player: number;
  text: string;
  elo: number;
  low: number;
  high: number;
  rankLow: number;
  rankHigh: number;
}

interface ViewSweepCell {
  values: any[];
  seed: string;
  run: string;
  row?: Row;
}

interface ViewSweepNow {
  sweep: string;
  name: string;
  keys: string[];
  cells: ViewSweepCell[];
}

interface WatchAsked {
  generation: number;
  chosen: number;
  utilities: Numeric[];
}

interface WatchChanged {
  species: string;
  name: string;
  changes: Change[];
  kept: number;
  choices: number;
  here: Explanation;
}

interface WatchEdit {
  species: string;
  slot: number;
  node: number;
  code: string;
}

interface WatchEvent {
  scene: number;
  seat: number;
  kind: number;
  text: string;
}

interface WatchIdle {
  idle: number[][];
  kept: number;
  choices: number;
  games: number;
}

interface WatchInWords {
  text: string;
}

interface WatchKind {
  name: string;
  daily: boolean;
}

interface WatchLayer {
  name: string;
  width: number;
  height: number;
  scale: number;
  tile: number;
  ground: number;
  palette: string[];
  seatColours: string[];
  frames: number;
  plan?: Plan;
}

interface WatchMargin extends Moment {
  share: number;
  lost?: number;
  searched?: boolean;
}

interface WatchReason extends Explanation {
  others: Moment[];
  prospects?: number[];
}

interface WatchSeries {
  title: string;
  unit: string;
  values: number[][];
}

interface WatchShare {
  share: number;
  low: number;
  high: number;
}

interface WatchShown {
  game: string;
  title: string;
  rules: string;
  settings: string;
  players: string[];
  tells: boolean[];
  analyst: boolean;
  playable: boolean;
  seed: string;
  winner: number;
  final: number[];
  scenes: number;
  steps: number[];
  scores: number[][];
  looks: WatchLayer[];
  kinds: WatchKind[];
  events: WatchEvent[];
  series: WatchSeries[];
}

interface WatchTrial {
  games: number;
  of: number;
  shares: WatchShare[];
  scores: number[];
  gain?: number;
  low?: number;
  high?: number;
  boards: number;
}

interface WhyCandidate {
  name: string;
  at: WhyPoint;
  slot: number;
  utility: Numeric;
}

interface WhyContrast {
  rival: number;
  margin: Numeric;
  share: number;
  why?: WhyDifference[];
}

interface WhyDifference {
  index: number;
  text: string;
  type: string;
  here: Numeric;
  there: Numeric;
  worth: Numeric;
}

interface WhyNode {
  index: number;
  depth: number;
  text: string;
  code: string;
  type: string;
  value: Numeric;
  taken: boolean;
  idle?: boolean;
  cells?: WhyPoint[];
}

interface WhyRects {
  x: WhyPoint;
  y: WhyPoint;
  centre: number;
  side: number;
  side_sum: number;
  exact: boolean;
}

interface Wins {
  against: string;
  games: number;
  share: number;
  low: number;
  high: number;
}

type Numeric = number | "NaN" | "+Inf" | "-Inf";
