package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/export/exporttest"
)

// Exports checks that exported programs of a genome decide as the genome does, in every language
// and in a thousand situations after random moves, and that the table of proofs says so. It is for
// games that engine.Lockstep plays; offers are the game's.
func Exports(t *testing.T, g engine.Game, offers []engine.Offer, who exporttest.Species,
	ge gp.Genome) {
	t.Helper()
	o := &onlooker{Grammar: g.Grammar(), offers: offers, genome: ge,
		random: rand.New(rand.NewPCG(1, 1))}
	players := make([]engine.Player, g.Info().MinSeats)
	for seat := range players {
		players[seat] = o
	}
	for seed := uint64(0); len(o.want) < 1000; seed++ {
		g.Play(players, seed, nil)
	}
	exporttest.Prove(t, who, g.(engine.SpeciesExporter).Export, ge, o.lines.String(), o.want)
}

// onlooker is a player that writes its views as input lines of an exported program, and chooses at
// random.
type onlooker struct {
	*gp.Grammar
	offers []engine.Offer
	genome gp.Genome
	random *rand.Rand
	lines  strings.Builder
	want   []string
}

func (o *onlooker) Choose(g engine.Stepper, seat int) int {
	f := o.NewFrame()
	possible := g.Sense(seat, f)
	for i := range o.offers {
		fmt.Fprintf(&o.lines, "%d ", possible>>i&1)
	}
	for i := range o.Scalars {
		for _, v := range f.Scalar(i) {
			m, e := math.Frexp(float64(v))
			for m *= 1 << 24; m != 0 && math.Mod(m, 2) == 0; e++ {
				m /= 2
			}
			fmt.Fprintf(&o.lines, "%d %d ", int(m), e-24)
		}
	}
	for i := range o.Flags {
		for k := range gp.Lanes {
			fmt.Fprintf(&o.lines, "%d ", f.Flags[i]>>k&1)
		}
	}
	for l := range o.Layers {
		cells, side := o.Cells(f, l), o.Window.Side
		fmt.Fprintf(&o.lines, "%d ", len(cells))
		for _, c := range slices.Clone(cells) {
			c = append(c, 0) // weight of an offer without one
			fmt.Fprintf(&o.lines, "%d %d ", (int(c[1])+side/2)*side+int(c[0])+side/2, c[2])
		}
	}
	o.lines.WriteByte('\n')
	values := make([]gp.Quad, len(o.genome))
	for slot, tree := range o.genome {
		for k := range values[slot] {
			values[slot][k] = o.Walk(tree, f, k)
		}
	}
	o.want = append(o.want, fmt.Sprint(engine.Greatest(o.offers, possible, values)))
	return o.random.IntN(len(o.offers))
}
