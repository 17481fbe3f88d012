package engine

import (
	"image"
	"math"
	"slices"

	"clade/gp"
)

// Weigher is a game whose players can report the utilities behind each decision.
type Weigher interface {
	// Weigh returns a player, for one game, that plays as p does and calls tell with each decision
	// before it is recorded. The Choice is valid until tell returns. Weigh returns nil for a player
	// that has no utilities to report; players made by Bind always have, and those of other players
	// come from no tree.
	Weigh(p Player, tell func(*Choice)) Player
}

// Choice is one decision of a player: its candidates, their utilities and the one taken.
type Choice struct {
	// Actor is the pixel, in the picture of scale 1, of the piece or the cell that decides.
	Actor image.Point
	// Candidates are in the order in which they are compared; see Best.
	Candidates []Candidate
	Chosen     int    // index of the candidate that was taken
	Views      []View // what the trees saw
	Note       string // what else tells why, such as why it was not the best; "" for nothing
	// Undefined says that the first candidate is taken if its utility is a NaN. Else a NaN loses to
	// every number.
	Undefined bool
	// Prospects searches with what the player knows, and returns the expected result of each
	// candidate, from 0 for a loss to 1 for a win. It is nil where there is no search. It takes
	// milliseconds, and must be called before tell returns.
	Prospects func() []float32
}

// Candidate is an action that a player may choose.
type Candidate struct {
	Name    string      // a word or two: "NE", "hit N"
	At      image.Point // the pixel of its goal in the picture of scale 1
	Slot    int         // slot of the tree that gives the utility; negative where the utility is fixed
	Turn    int         // quarter turns clockwise under which the tree sees the frame
	View    int         // index in Choice.Views of what the tree sees
	Utility float32     // as the player's executor computed it
}

// View is what a tree sees in a decision.
type View struct {
	Frame *gp.Frame
	// Place returns the pixel of a window's cell in the picture of scale 1, and false off the
	// board.
	Place func(cell int) (image.Point, bool)
}

// Best returns the index of the candidate with the greatest utility, the first among equals.
// utility returns that of candidate i.
func (c *Choice) Best(utility func(i int) float32) int {
	best, most := 0, utility(0)
	if most != most && !c.Undefined {
		most = float32(math.Inf(-1))
	}
	for i := 1; i < len(c.Candidates); i++ {
		if u := utility(i); u > most {
			best, most = i, u
		}
	}
	return best
}

// Clone returns a copy that stays valid.
func (c *Choice) Clone() *Choice {
	d := *c
	d.Candidates, d.Views = slices.Clone(c.Candidates), slices.Clone(c.Views)
	for i := range d.Views {
		d.Views[i].Frame = d.Views[i].Frame.Clone()
	}
	return &d
}
