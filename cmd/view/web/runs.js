// What pages show of a run in a table: its state, how far it is, its wins.
import { link } from "clade/app.js";
import { h, count, duration, round, percent, interval, progress } from "clade/ui.js";

// shortName leaves a champion of a run the name of its directory, and a species file its own.
export const shortName = (name) => name.replace(/^run:.*\/(?=[^/])/, "").replace(/^run:/, "")
  .replace(/^.*\/([^/]+)\.species$/, "$1");

const signs = {
  running: "▶", done: "✓", stopped: "■", killed: "✕", failed: "!", bred: "◧", "handed in": "◧",
    damaged: "!", unreadable: "?", waiting: "·",
};

// state draws a run's state; what it does not say itself stands in its title.
export const state =
  (r) => h("span",
    { class: `state ${r.state}`, "data-sign": signs[r.state] ?? "", title: r.note ?? null },
      r.state);

// runLink is the link of the page of runs, pooled.
export const runLink = (...runs) => link("/run", { run: runs });

// generations draws how far a run is.
export function generations(r) {
  if (!r.generations) return null;
  const text = r.state === "done" ? count(r.generation)
    : `${count(r.generation)}\u00a0/\u00a0${count(r.generations)}`;
  return [r.state === "done" ? null : [progress(r.generation, r.generations, "generations"), " "],
    text];
}

// wins draws a share of games won with its interval.
export function wins(w) {
  if (!w) return null;
  return h("span",
    { title: `${percent(w.share)} of ${count(w.games)} games against ${w.against}, 95 % interval `
      + `${percent(w.low)} to ${percent(w.high)}` },
    interval(w), percent(w.share));
}

// ago tells how long a second since 1970 is past.
function ago(second) {
  const past = Date.now() / 1000 - second;
  return past < 60 ? "now"
    : `${duration(past < 3600 ? past - (past % 60) : past - (past % 3600))} ago`;
}

// best says which of some runs that are over is best, by how much, and how sure that is, for each
// game of which there are two or more. values returns the settings in which a run differs.
export function best(page, rows, values = (_run) => ({})) {
  const alike = Map.groupBy(rows.filter((r) => r.points), (r) => `${r.game} ${r.points.against}`);
  return [...alike.values()].filter((all) => all.length > 1).map((all) => {
    const ranked = all.toSorted((a, b) => b.points.share - a.points.share || compare(a.run, b.run));
    const [{ points: a, ...first }, { points: b, ...next }] = ranked;
    const more = a.share - b.share; // of two independent shares: Newcombe's interval
    const least = more - Math.hypot(a.share - a.low, b.high - b.share);
    const most = more + Math.hypot(a.high - a.share, b.share - b.low);
    const names = a.against.split(", ");
    const points = (v) => percent(v).replace(" %", "");
    const [own, other] = [first, next].map((r) => values(r));
    const differs = Object.keys(own).filter((key) => own[key] !== other[key])
      .map((key) => `${key.split(".").at(-1)} ${own[key]}, not ${other[key] ?? "set"}`);
    const run = (r) => h("a", { href: page.saved ? null : runLink(r.run), title: r.run },
      `${shortName(`run:${r.run}`)}, seed ${r.seed}`);
    const act = (name, to, title) =>
      !page.saved && [" ", h("a", { class: "button plain", href: to, title }, name)];
    return h("p", { class: "best" }, h("strong", {}, `Best of ${count(all.length)}`), " ",
      first.title, ": ", run(first), ", with ", h("strong", {}, percent(a.share)),
      " of the points against ", h("span", { title: a.against },
        names.length > 2 ? `${names.length} opponents` : names.join(" and ")),
      ` (${percent(a.low)} to ${percent(a.high)}, ${count(a.games)} games). `,
      "The next, ", run(next), least > 0 ? ", has " : ", may be as good with ",
      `${points(more)} percentage points less (${points(least)} to ${points(most)})`,
      differs.length > 0 && differs.length < 4 ? `; ${differs.join(", ")}` : null, ".",
      act("Watch its champion", link("/game", { run: first.run, generation: first.champion })),
      act("Play against it", link("/play", { run: first.run, generation: first.champion })),
      act("League of the best", link("/league", { game: first.game, go: 1,
        players: ranked.slice(0, 5).map((r) => `run:${r.run}`) }),
      "who is picked as best was lucky, too: the five best on fresh boards"));
  });
}

// columns of the table of runs: name, how rows sort, what stands in a cell, and its class.
export const columns = [
  { id: "study", name: "Study", sort: (r) => r.study,
    cell: (r) => [h("a", { href: runLink(r.run), title: r.run }, r.study),
    h("span", { class: "narrow apart", title: r.seed }, `seed ${r.seed}`)] },
  { id: "run", name: "Directory", kind: "wide quiet", sort: (r) => r.run,
    cell: (r) => h("span", { title: r.run }, r.short ?? r.run) },
  { id: "game", name: "Game", kind: "wide", sort: (r) => r.title || r.game, cell: (r) => r.title },
  { id: "seed", name: "Seed", kind: "number wide seed",
    sort: (r) => (r.seed ? BigInt(r.seed) : null),
    cell: (r) => h("span", { title: r.seed }, r.seed) },
  { id: "state", name: "State", sort: (r) => r.state, cell: state },
  { id: "generation", name: "Generation", kind: "number", sort: (r) => r.generation,
    cell: generations },
  { id: "speed", name: "Games/s", kind: "number wide", sort: (r) => r.gamesPerSecond,
    cell: (r) => (r.gamesPerSecond ? round(r.gamesPerSecond) : null) },
  { id: "left", name: "Time left", kind: "number wide", sort: (r) => r.left,
    cell: (r) => duration(r.left) },
  { id: "champion", name: "Champion", kind: "number wide", sort: (r) => r.champion ?? -1,
    cell: (r) => (r.champion === undefined ? null
      : h("a",
        { href: link("/game", { run: r.run, generation: r.champion }), title: "play its game" },
          `@${r.champion}`)) },
  { id: "size", name: "Nodes", kind: "number wide", sort: (r) => r.size ?? 0,
    cell: (r) => (r.size ? count(r.size) : null) },
  { id: "changed", name: "Changed", kind: "number wide",
    sort: (r) => (r.state === "running" ? Infinity : r.changed),
    cell: (r) => (r.changed
      ? h("span", { title: new Date(1000 * r.changed).toLocaleString("en-GB") }, ago(r.changed))
        : null) },
  { id: "wins", name: "Wins", kind: "wins", sort: (r) => r.wins?.share ?? -1,
    cell: (r) => r.wins && [wins(r.wins),
      h("span", { class: "quiet small wide" }, ` against ${shortName(r.wins.against)}`)] },
];

// compare orders two values of one column; what is not known stands last.
export function compare(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  if (typeof a === "string" && typeof b === "string") return collator.compare(a, b);
  return a < b ? -1 : 1;
}

const collator = new Intl.Collator("en", { numeric: true });
