package amoeboid

import "testing"

func TestCompositionsAreNumbered(t *testing.T) {
	for _, g := range boards(t)[:4] {
		for m := range 5 {
			if g.Cells() > 9 && m > 3 {
				continue
			}
			c := newCompositions(g, m)
			var units, back, image [maxCells]int32
			units[g.n-1] = int32(m)
			for k := range c.len() {
				if got := c.number(&units); got != k {
					t.Fatalf("%s: %v is number %d, not %d", g.name, units[:g.n], got, k)
				}
				if c.at(k, &back); back != units {
					t.Fatalf("%s: number %d is %v, not %v", g.name, k, back[:g.n], units[:g.n])
				}
				for cell, to := range g.group[c.turn[k]] {
					image[to] = units[cell]
				}
				if c.number(&image) != int(c.reps[c.class[k]]) {
					t.Fatalf("%s: the symmetry does not lead %v to its class", g.name, units[:g.n])
				}
				next(units[:g.n])
			}
		}
	}
}
