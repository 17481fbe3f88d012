package engine

import (
	"flag"
	"io"
)

// NativeMatch is a game whose source plays single games with flags, console lines and files of its
// own.
type NativeMatch interface {
	// NativeMatch declares the source's flags and says how a game is played with them.
	NativeMatch(flags *flag.FlagSet) Native
}

// Native says how a game's source plays single games.
type Native struct {
	About    string            // sentences on the source's flags and files
	Examples []string          // operands and flags, one command each
	Names    []string          // that the source gives to players, by seat
	Settings []string          // of the game as the source plays it, KEY=VALUE
	Keys     []string          // flags that set the game's setting of the same name
	Aliases  map[string]string // the source's names for flags of every match

	// Begin opens the output of one game between players, who have names in it. Lines of the
	// source go to console and other remarks to notes. It returns an error where names, players and
	// flags do not fit, or if files cannot be written.
	Begin func(names, players []string, console, notes io.Writer) (NativeReport, error)
}

// NativeReport writes what a game's source writes of a game while it is played.
type NativeReport interface {
	Recorder
	// Show returns a scene as the source draws it, and what to say of each seat in a terminal.
	Show(Scene) (shown Scene, words []string)
	// Close writes what stands at the end, and returns the end as a value for JSON. It returns the
	// first error of all that was written.
	Close(Result) (end any, err error)
}

// Census is a game that can count more than scores from step to step.
type Census interface {
	// Count returns what is counted and a recorder that counts it in one game.
	Count() ([]Measure, Counter)
}

// Counter is the recorder of a Census.
type Counter interface {
	Recorder
	// Series returns, for each measure, its values for a seat at 0, 1, 2 and so on: NaN where there
	// is nothing to measure, and never negative.
	Series(seat int) [][]float64
}

// Measure is what a Census counts, and how a figure shows it.
type Measure struct {
	Name       string  // in data: lower case letters and hyphens
	Figure     string  // name of the figure in which it has a panel
	Title      string  // of the panel
	Unit, Axis string  // of the values and of what they are counted by
	Scale      float64 // factor of the values in the figure; 100 is for shares, which are at most 1
	// Ends says that the values of a series beyond its end are 0, unless it has none at all.
	Ends bool
}
