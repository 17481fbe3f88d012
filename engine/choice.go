package engine

import (
	"image"
	"math"
	"slices"

	"clade/gp"
)

// Weigher is a game whose players can tell what they weigh up.
type Weigher interface {
	// Weigh returns a player, for one game, that plays as p does, and tells of each decision before
	// it is recorded. What it tells is valid until tell returns. It returns nil for a player that
	// cannot tell; all that Bind makes can, and no tree gives the utilities of others.
	Weigh(p Player, tell func(*Choice)) Player
}

// Choice is one decision of a player: what it may do, and what that is worth to it.
type Choice struct {
	Actor image.Point // the pixel of who decides in the picture of scale 1, or of where
	// Candidates stand in the order in which they are compared; see Best.
	Candidates []Candidate
	Chosen     int    // index of the candidate that was taken
	Views      []View // what the trees saw
	Note       string // what else tells why, such as why it was not the best; "" for nothing
	// Undefined says that the first candidate is taken where its utility is not a number. Else such
	// a utility loses to all others, as it does elsewhere.
	Undefined bool
	// Prospects computes what a search that knows what the player knows expects of each candidate,
	// from 0 for a loss to 1 for a win; nil where there is no search. It takes milliseconds, and is
	// to be called before tell returns.
	Prospects func() []float32
}

// Candidate is something that a player may do.
type Candidate struct {
	Name    string      // a word or two: "NE", "hit N"
	At      image.Point // the pixel of its goal in the picture of scale 1
	Slot    int         // whose tree gives the utility; negative where the utility is fixed
	Turn    int         // quarter turns clockwise under which the tree sees the frame
	View    int         // index of what the tree sees
	Utility float32     // as the player's executor computed it
}

// View is what a tree sees of a decision.
type View struct {
	Frame *gp.Frame
	// Place returns the pixel of a window's cell in the picture of scale 1, and false off the
	// board.
	Place func(cell int) (image.Point, bool)
}

// Best returns the index of the candidate with the greatest utility, the first among equals, where
// utility gives that of candidate i.
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
