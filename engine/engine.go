// Package engine says what a game is and plays games, matches and brackets between players, with
// records and replays. It knows no evolution, and no game by name: the games live in the folders
// below it and are listed in engine/games/all. README.md tells how to write one.
//
// A game is a Game and must be Recordable. Most are a Stepper that a Lockstep plays. What else a
// game may be, and what that buys:
//
//   - Roster: built-in players by name; Adjustable: settings in studies and sweeps; ShortForm:
//     quick probes of what a player does;
//   - Batcher: many games at once; Accelerated: executors to choose from; EquivalenceCheck: no
//     games for offspring that play as their parents do;
//   - Interactive: programs from outside play, and persons at a terminal and in the browser;
//   - Weigher: utilities of all candidates of a decision, as a Choice; Analyst: a position is
//     searched; Census: curves of more than scores, from a Counter;
//   - SpeciesExporter: species leave as source of another language; NativeMatch and
//     NativeTournament: matches and tournaments as the game's own source plays them.
//
// A Scene may be a Speaker, Tinted, an Inspector, a Tracker, Tiled, Inked, Layered, Planned, a
// Chronicler or an Exporter, and a Stepper a Teller, a Knower or a Where.
package engine

import (
	"image"
	"math"

	"clade/gp"
	"clade/gp/export"
)

// MaxSeats is the greatest number of seats that a game can have.
const MaxSeats = 16

// MaxMarks is the greatest number of marks that a game can keep of each seat.
const MaxMarks = 8

// Info is what is known of a game before it is played.
type Info struct {
	Name  string // as in commands and files: lower case letters and digits
	Title string // as in figures
	About string // one sentence
	Rules string // how it is played, in about five sentences, for who looks on; may be empty
	// Version of the rules as played. It rises whenever any outcome can change, never for speed.
	Version   int
	MinSeats  int
	MaxSeats  int
	Decisions int  // bound on the decisions of one seat in one game
	Chance    bool // the seed changes outcomes
	Hidden    bool // players do not see everything
	// names of what Result.Marks counts, at most MaxMarks, as in data files: lower case, hyphens
	Marks []string
	// the most that a game can count of each of Marks, in their order; 0 or left out where nothing
	// bounds it. The least is 0
	MostMarks []float64
	Scores    Bounds // what the score of a seat can be
	Halves    bool   // scores are multiples of a half: sums of them do not depend on their order
}

// Bounds are the least and the greatest that a number can be. The zero value is of any number.
type Bounds struct{ Least, Most float64 }

// Ends returns the bounds, infinite ones for any number.
func (b Bounds) Ends() (least, most float64) {
	if b == (Bounds{}) {
		return math.Inf(-1), math.Inf(1)
	}
	return b.Least, b.Most
}

// Counts are the bounds of a number of things, of which there can be any number.
func Counts() Bounds { return Bounds{0, math.Inf(1)} }

// MarkBounds returns what a mark of a seat can be, by its name.
func (i *Info) MarkBounds(name string) Bounds {
	for k, most := range i.MostMarks {
		if i.Marks[k] == name && most > 0 {
			return Bounds{0, most}
		}
	}
	return Counts()
}

// Player takes a seat. Only its game looks inside. A player may be used by any number of games at
// once unless it is a Recording or a Person.
type Player any

// Game is a game with its parameters. It is immutable and safe for concurrent use.
type Game interface {
	Info() Info
	// Grammar returns the typed vocabulary and the slots of a genome.
	Grammar() *gp.Grammar
	// Bind compiles a genome into a player. It returns an error for a genome that does not fit the
	// grammar.
	Bind(gp.Genome) (Player, error)
	// Play plays one game. The players take the seats in order. The same players and seed give the
	// same result; rec may be nil.
	Play(players []Player, seed uint64, rec Recorder) Result
}

// Result is the end of one game.
type Result struct {
	Scores      [MaxSeats]float64           // by seat; finite; more is better
	Marks       [MaxSeats][MaxMarks]float32 // by seat: what Info.Marks names
	Steps       int                         // of the game's own clock
	Fingerprint uint64                      // hash of the seed and then every decision, see Hash

	winner int16 // 1 + the seat that won; 0 if none
}

// Winner returns the seat that won by the rules of the game, Tie if none. No seat has more points
// than the winner.
func (r Result) Winner() int { return int(r.winner) - 1 }

// Win names the winner, a seat or Tie. A result of which nobody was named is a tie.
func (r *Result) Win(seat int) { r.winner = int16(seat + 1) }

// WinBest names the seat, of the first so many, with the most points; nobody, if several have them.
func (r *Result) WinBest(seats int) {
	r.Win(0)
	best := r.Scores[0]
	for seat := 1; seat < seats; seat++ {
		switch score := r.Scores[seat]; {
		case score > best:
			best = score
			r.Win(seat)
		case score == best:
			r.Win(Tie)
		}
	}
}

// Tie is the winner of a game that nobody won.
const Tie = -1

// Recorder sees a game as it is played. A nil Recorder costs one branch a step.
type Recorder interface {
	// Decide is called for each decision in order, with the number that the game writes for it; the
	// game's Recording reads them back.
	Decide(seat int, decision uint64)
	// Step is called with the first position and after every step. The scene is valid until Step
	// returns.
	Step(Scene)
}

// Scene is a position that can be looked at. A scene may also be a Speaker, an Inspector, a
// Tracker, Tiled, Inked, Layered, Planned, a Chronicler or an Exporter.
type Scene interface {
	Step() int
	// Scores appends the score of each seat.
	Scores(dst []float64) []float64
	// Size returns the size in pixels of the picture that Draw makes with one unit of scale.
	Size(scale int) image.Point
	// Draw draws the position into a picture of that size and sets its palette, which is the same
	// for all scenes of a game value.
	Draw(img *image.Paletted, scale int)
}

// Speaker is a scene, or what else a game can tell a person, that can be printed to a terminal.
type Speaker interface {
	// Text returns it as lines of text, without escape sequences.
	Text() string
}

// Inspector is a scene that can explain one cell.
type Inspector interface {
	// Inspect says what is at a pixel of the picture of the given scale.
	Inspect(at image.Point, scale int) string
}

// Tracker is an Inspector that can tell the creatures in its picture apart, so that a viewer can
// follow one.
type Tracker interface {
	// Creature returns the number of the creature at a pixel of the picture of the given scale, and
	// false where there is none.
	Creature(at image.Point, scale int) (number int, ok bool)
	// Whereabouts returns a pixel of the creature with a number in the picture of the given scale,
	// and false if there is no such creature at present.
	Whereabouts(number, scale int) (at image.Point, ok bool)
}

// Tiled is a scene whose picture is a board of equal squares.
type Tiled interface {
	// Tile returns the side of a square in pixels in the picture of the given scale; 0 if this
	// picture has no squares.
	Tile(scale int) int
}

// Inked is a scene whose seats have other colours of its palette than Seats and those behind it.
type Inked interface {
	// Ink returns the palette entry in which a seat is drawn.
	Ink(seat int) uint8
}

// Layered is a scene that can be drawn in other ways, such as by what its creatures hold.
type Layered interface {
	// Layers names them in a word or two, the same for all scenes of a game.
	Layers() []string
	// Layer returns the scene drawn in one of them, by index. It is valid as long as the scene, and
	// may be all that the scene may be, but for Layered. Of one with a Plan only that is shown, so
	// that Draw may be the scene's own.
	Layer(i int) Scene
}

// Chronicler is a scene that counts what happens in its game, such as births and captures, so that
// a viewer can go from one to the next.
type Chronicler interface {
	// Events names what is counted in a word or two, the same for all scenes of a game.
	Events() []string
	// Happened appends how often each of them has happened to a seat since the start, in order.
	Happened(dst []int, seat int) []int
}

// Exporter is a scene that can be written in the format of its game's community.
type Exporter interface {
	// Export returns the position as a file, and the extension of its name, such as ".rle".
	Export() (text []byte, extension string)
}

// Recordable is a game whose records can be played again. All games of engine/games/all are.
type Recordable interface {
	// Recording returns a player, for one game, that makes recorded decisions in order. Where they
	// run out or do not fit the position, the game's rule for a faulty player applies.
	Recording(decisions []uint64) Player
}

// Roster is a game with built-in players.
type Roster interface {
	// Players lists them, weakest first where an order is known.
	Players() []Entry
}

// Entry is a player with a name.
type Entry struct {
	// Name is in lower case; arguments may follow in brackets: "slightlybrainy(10,70,most-energy)".
	Name  string
	About string // one sentence
	// New makes the player; args is what stands between the brackets, "" without any.
	New func(args string) (Player, error)
	// Genome returns the trees of an evolved player; nil of others.
	Genome func() (gp.Genome, error)
}

// SpeciesExporter is a game whose species can be taken out of this program.
type SpeciesExporter interface {
	// Targets lists the forms in which they can be written.
	Targets() []export.Target
	// Export returns a genome's player as the source of a program of its own. It returns an error
	// for a genome that does not fit the grammar, a target that is not listed, and for what cannot
	// be written there.
	Export(ge gp.Genome, by export.Origin, target string) (source string, err error)
}

// Person is an Agent that is a person at a terminal.
type Person interface {
	// Resigned tells whether the last game was given up, which counts as lost even where the rules
	// of the game know no resigning.
	Resigned() bool
	// Undone returns how many moves were taken back in the last game.
	Undone() int
}

// Analyst is a game whose positions can be searched.
type Analyst interface {
	// Analyse searches a position in the game's notation, "" for the first, and looks at about
	// budget positions. With a mass above 0 it uses an exact table of that mass, which it keeps in
	// a directory and goes on with where an earlier call stopped. What it found encodes to JSON. It
	// returns an error that says what is wrong with the position or the table.
	Analyse(position string, budget int64, mass int, table string) (Speaker, error)
	// Notation says in sentences how a position is written.
	Notation() string
}

// Adjustable is a game with parameters.
type Adjustable interface {
	// Settings returns a pointer to a new struct with the present parameters; its fields carry toml
	// names.
	Settings() Settings
	// With returns the game with other parameters: a struct as Settings makes it. For a parameter
	// out of range it returns an error that names the field and its range, and one for anything
	// else, nil included.
	With(settings any) (Game, error)
}

// FileSettings is a struct of settings that may name a file, which With then reads.
type FileSettings interface {
	// File returns the name of the file, or "" where the settings name none.
	File() string
}

// ShortForm is a game whose whole games are long for those who only want to see a player decide.
type ShortForm interface {
	// Short returns a short form of the game with the same rules and vocabulary. Everything that a
	// player can meet comes up in it, and no winner matters.
	Short() Game
}

// Batcher is a game that plays many games at once faster than one by one.
type Batcher interface {
	// Batches tells whether it does so for games between these players.
	Batches(players []Player) bool
	// PlayBatch plays all jobs, between any players. results[i] is bit for bit what Play gives for
	// jobs[i]. Games between the same players, in any seats, should follow each other.
	PlayBatch(jobs []Job, results []Result)
}

// EquivalenceCheck is a game for one without chance that can tell without playing that a child
// plays as its parent does.
type EquivalenceCheck interface {
	// PlaysAs tells whether every game of a child's player is bit for bit that of p, the player of
	// another genome; both genomes fit the grammar. False means that it is not known.
	PlaysAs(p Player, of, child gp.Genome) bool
}

// Job is one game to be played.
type Job struct {
	Players []Player // by seat; jobs may share them, and nobody changes them
	Seed    uint64
}

// Accelerated is a game with several executors: ways to run evolved programs that differ in speed
// and in nothing else.
type Accelerated interface {
	// Executors lists those that this machine has, the plainest first.
	Executors() []string
	// Using returns the game with an executor. It returns an error for one that is not listed.
	Using(executor string) (Game, error)
}
