package engine

import (
	"flag"
	"io"
)

// NativeMatch is a game that can play single games as its original program does, with that
// program's flags, console lines and files.
type NativeMatch interface {
	// NativeMatch declares the original program's flags and returns how a game is played with them.
	NativeMatch(flags *flag.FlagSet) Native
}

// Native tells how a game's original program plays single games.
type Native struct {
	About    string            // sentences on the original's flags and files
	Examples []string          // operands and flags, one command each
	Names    []string          // that the original gives to players, by seat
	Settings []string          // of the game as the original plays it, KEY=VALUE
	Keys     []string          // flags that set the game's setting of the same name
	Aliases  map[string]string // the original's names for flags of every match

	// Begin opens the output of one game between players, which it calls by names. The original's
	// lines go to console and other remarks to notes. It returns an error where names, players and
	// flags do not fit, or if files cannot be written.
	Begin func(names, players []string, console, notes io.Writer) (NativeReport, error)
}

// NativeReport writes a game's output as the original program does, while the game is played.
type NativeReport interface {
	Recorder
	// Show returns a scene as the original draws it, and a line on each seat for a terminal.
	Show(Scene) (shown Scene, words []string)
	// Close writes the end of the output and returns it as a value for JSON. It returns the first
	// error of all writes.
	Close(Result) (end any, err error)
}

// Census is a game that can count more than scores from step to step.
type Census interface {
	// Count returns the measures and a recorder that takes them in one game.
	Count() ([]Measure, Counter)
}

// Counter is the recorder of a Census.
type Counter interface {
	Recorder
	// Series returns, for each measure, the values of a seat at 0, 1, 2 and so on. They are never
	// negative, and NaN where there is nothing to measure.
	Series(seat int) [][]float64
}

// Measure describes what a Census counts, and how a figure shows it.
type Measure struct {
	Name       string  // in data: lower case letters and hyphens
	Figure     string  // name of the figure in which it has a panel
	Title      string  // of the panel
	Unit, Axis string  // of the values, and name of the axis along which they are counted
	Scale      float64 // factor of the values in the figure; 100 is for shares, which are at most 1
	// Ends says that values past the end of a series count as 0, unless the series is empty.
	Ends bool
}
