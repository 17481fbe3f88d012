// Package engine defines what a game is, and plays games, matches and brackets, with records and
// replays. It knows no evolution and no game by name: games are in the folders below engine/games
// and listed in engine/games/all. README.md tells how to write one.
//
// A game is a Game and must be Recordable. Most are a Stepper that a Lockstep plays. Further
// interfaces are optional:
//
//   - Roster has built-in players by name; Adjustable has settings for studies and sweeps;
//     ShortForm has short games for quick probes of what a player does;
//   - Batcher plays many games at once, and a MatchBatcher no more of a match than decides it;
//     Accelerated has executors to choose from; EquivalenceCheck saves the games of offspring that
//     play as their parents do;
//   - Interactive lets external programs play, and people at a terminal or in the browser;
//   - Weigher reports the utilities of a decision as a Choice; Analyst searches positions; Census
//     counts more than scores, for curves, by a Counter;
//   - SpeciesExporter writes species as source of another language; NativeMatch and
//     NativeTournament play matches and tournaments as the game's original program does.
//
// README.md says what each buys, and what those of a Scene do (Speaker, Tinted, Inspector, Tracker,
// Tiled, Inked, Layered, Planned, Chronicler and Exporter) and of a Stepper (Teller, Knower and
// Where).
package engine

import (
	"fmt"
	"image"
	"math"

	"clade/gp"
	"clade/gp/export"
)

// MaxSeats is the greatest number of seats that a game can have.
const MaxSeats = 16

// MaxMarks is the greatest number of marks, which are counts beside the score, of each seat.
const MaxMarks = 8

// Info is what is known of a game before it is played.
type Info struct {
	Name  string // in commands and files: lower case letters and digits
	Title string // as in figures
	About string // one sentence
	Rules string // how it is played, in about five sentences for spectators; may be empty
	// Version of the rules. It rises with every change that can alter an outcome, and with no
	// other.
	Version   int
	MinSeats  int
	MaxSeats  int
	Decisions int  // the most decisions of one seat in one game
	Chance    bool // the seed changes outcomes
	Hidden    bool // players do not see everything
	// names of the counts in Result.Marks, at most MaxMarks; lower case with hyphens, for data
	// files
	Marks []string
	// upper bound of each of Marks, in their order; 0 or missing for none. The lower bound is 0
	MostMarks []float64
	Scores    Bounds // of the score of a seat
	Halves    bool   // scores are multiples of a half: sums of them do not depend on their order
}

// Seats returns how many players there are, in words.
func (i Info) Seats() string {
	switch {
	case i.MaxSeats == 1:
		return "one player"
	case i.MinSeats == i.MaxSeats:
		return fmt.Sprintf("%d players", i.MinSeats)
	default:
		return fmt.Sprintf("%d to %d players", i.MinSeats, i.MaxSeats)
	}
}

// Bounds are the least and the greatest possible value of a number. The zero value means no bounds.
type Bounds struct{ Least, Most float64 }

// Ends returns the bounds, infinite ones for the zero value.
func (b Bounds) Ends() (least, most float64) {
	if b == (Bounds{}) {
		return math.Inf(-1), math.Inf(1)
	}
	return b.Least, b.Most
}

// Counts returns the bounds of a count without an upper bound.
func Counts() Bounds { return Bounds{0, math.Inf(1)} }

// MarkBounds returns the bounds of a mark, by its name.
func (i *Info) MarkBounds(name string) Bounds {
	for k, most := range i.MostMarks {
		if i.Marks[k] == name && most > 0 {
			return Bounds{0, most}
		}
	}
	return Counts()
}

// Player takes a seat. Only its game knows its type. It may play any number of games at once unless
// it is a Recording or a Person.
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
	Scores      [MaxSeats]float64           // by seat; finite; greater is better
	Marks       [MaxSeats][MaxMarks]float32 // by seat: the counts that Info.Marks names
	Steps       int                         // in the game's own unit of time
	Fingerprint uint64                      // hash of the seed and then every decision, see Hash

	winner int16 // 1 + the seat that won; 0 if none
}

// Winner returns the seat that won by the rules of the game, Tie if none. No seat has a greater
// score.
func (r Result) Winner() int { return int(r.winner) - 1 }

// Win sets the winner, a seat or Tie. A result without a call of Win is a tie.
func (r *Result) Win(seat int) { r.winner = int16(seat + 1) }

// WinBest sets the winner to the one of the first seats with the greatest score, and to Tie if
// several have it.
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

// Recorder observes a game as it is played. A nil Recorder costs one branch a step.
type Recorder interface {
	// Decide is called for each decision in order, with the number by which the game encodes it and
	// its Recording decodes it.
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
	// Draw draws the position into a picture of that size and sets the picture's palette, the same
	// for all scenes of a game.
	Draw(img *image.Paletted, scale int)
}

// Speaker can be printed to a terminal: a scene, or what a game tells a person.
type Speaker interface {
	// Text returns it as lines of text, without escape sequences.
	Text() string
}

// Inspector is a scene that can explain one cell.
type Inspector interface {
	// Inspect says what is at a pixel of the picture of the given scale.
	Inspect(at image.Point, scale int) string
}

// Tracker is an Inspector that numbers the creatures in its picture, so that a viewer can follow
// one.
type Tracker interface {
	// Creature returns the number of the creature at a pixel of the picture of the given scale, and
	// false where there is none.
	Creature(at image.Point, scale int) (number int, ok bool)
	// Whereabouts returns a pixel of the creature of the given number in the picture of the given
	// scale, and false if it is not in the picture.
	Whereabouts(number, scale int) (at image.Point, ok bool)
}

// Tiled is a scene whose picture is a board of equal squares.
type Tiled interface {
	// Tile returns the side of a square in pixels, in the picture of the given scale, and 0 for a
	// picture without squares.
	Tile(scale int) int
}

// Inked is a scene that draws seats in other entries of its palette than Seats and those after it.
type Inked interface {
	// Ink returns the palette entry in which a seat is drawn.
	Ink(seat int) uint8
}

// Layered is a scene with further pictures, such as one coloured by what each creature holds.
type Layered interface {
	// Layers names the pictures in a word or two each, the same for all scenes of a game.
	Layers() []string
	// Layer returns one of them as a scene, by index. It is valid as long as the scene itself, and
	// may have all optional interfaces but Layered. Where it has a Plan, viewers show only that,
	// and its Draw may be the scene's own.
	Layer(i int) Scene
}

// Chronicler is a scene that counts events, such as births and captures, so that a viewer can jump
// from one to the next.
type Chronicler interface {
	// Events names the events in a word or two each, the same for all scenes of a game.
	Events() []string
	// Happened appends, for each event in order, how often it has happened to a seat since the
	// start.
	Happened(dst []int, seat int) []int
}

// Exporter is a scene that can be written in the format of its game's community.
type Exporter interface {
	// Export returns the position as a file, and the extension of its name, such as ".rle".
	Export() (text []byte, extension string)
}

// Recordable is a game whose records can be replayed. All games of engine/games/all are.
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
	// New makes the player; args is the text between the brackets, "" without any.
	New func(args string) (Player, error)
	// Genome returns the trees of an evolved player; nil of others.
	Genome func() (gp.Genome, error)
}

// SpeciesExporter is a game whose species can be written as programs of their own.
type SpeciesExporter interface {
	// Targets lists the output formats.
	Targets() []export.Target
	// Export returns a genome's player as the source of a program of its own. It returns an error
	// for a genome that does not fit the grammar, for a target that is not listed, and for what the
	// target cannot express.
	Export(ge gp.Genome, by export.Origin, target string) (source string, err error)
}

// Person is an Agent that is a person at a terminal.
type Person interface {
	// Resigned tells whether the person gave up the last game. That counts as a loss even in games
	// without a rule for resigning.
	Resigned() bool
	// Undone returns how many moves were taken back in the last game.
	Undone() int
}

// Analyst is a game whose positions can be searched.
type Analyst interface {
	// Analyse searches a position in the game's notation, "" for the first, and visits about budget
	// positions. With a mass above 0 it uses an exact table for that mass, which it keeps in the
	// directory table, and completes if an earlier call was stopped. The result encodes to JSON.
	// The error says what is wrong with the position or the table.
	Analyse(position string, budget int64, mass int, table string) (Speaker, error)
	// Notation explains in sentences how a position is written.
	Notation() string
}

// Adjustable is a game with settings.
type Adjustable interface {
	// Settings returns a pointer to a new struct with the present settings; its fields have toml
	// names.
	Settings() Settings
	// With returns the game with other settings, a struct as Settings returns it. It returns an
	// error for a setting out of range, which names the key and the range, and for a value of
	// another type, nil included.
	With(settings any) (Game, error)
}

// FileSettings is a struct of settings that may name a file, which With then reads.
type FileSettings interface {
	// File returns the name of the file, or "" where the settings name none.
	File() string
}

// ShortForm is a game whose games are too long for probes, which only watch a player decide.
type ShortForm interface {
	// Short returns a shorter game with the same rules and vocabulary. Every kind of situation that
	// a player can meet occurs in it; its winner means nothing.
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

// MatchBatcher is a Batcher that leaves out of a match what cannot change its winner.
type MatchBatcher interface {
	Batcher
	// PlayMatch plays all games of a match between two players, in order, of which the second takes
	// the first seat in every other one. It need not end games once their winners are certain, nor
	// any once a player is certain to have won more than half of all, counted in order. Up to that
	// game the winners are those of PlayBatch. If nobody wins more than half, all winners and scores
	// are.
	PlayMatch(jobs []Job, results []Result)
}

// EquivalenceCheck is a game for one player, without chance, that can prove without playing that a
// child plays as its parent does.
type EquivalenceCheck interface {
	// PlaysAs returns true only if every game of child's player is bit for bit that of p, the
	// player of the genome of; both genomes fit the grammar. False means that this is not known.
	PlaysAs(p Player, of, child gp.Genome) bool
}

// Job is one game to be played.
type Job struct {
	Players []Player // by seat; jobs may share the slice, which is not written to
	Seed    uint64
}

// Accelerated is a game with several executors: ways to run evolved programs that differ in speed
// only.
type Accelerated interface {
	// Executors lists those that this machine can run, the plainest first.
	Executors() []string
	// Using returns the game with an executor. It returns an error for one that is not listed.
	Using(executor string) (Game, error)
}
