package amoebas

import (
	"math/rand/v2"
	"testing"
)

// TestSections compares what is computed for all directions at once with the cells one by one, in
// every view and with fuel up to the most there can be.
func TestSections(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 300 {
		c := defaultConstants()
		c.WorldSize, c.ViewDistance, c.MaxCellEnergy = 7+i%3, 1+i%maxView, maxFuel
		w := newWorld(newGeometry(c.WorldSize))
		w.reset(&c, []decider{lazy{}})
		least := r.IntN(maxFuel + 2) // equal fuel, great fuel, any fuel
		for _, cell := range w.g.order {
			w.setFuel(int(cell), uint8(min(maxFuel, least+r.IntN(maxFuel+1-min(least, maxFuel)))))
		}
		v := view{w: w, cell: int(w.g.order[r.IntN(len(w.g.order))])}
		for d := range direction(8) {
			sum := 0
			for y := -maxView; y <= maxView; y++ {
				for x := -maxView; x <= maxView; x++ {
					if d.section()&cellAt(x, y) != 0 {
						sum += v.fuel(x, y)
					}
				}
			}
			if got := v.sectionFuel(d); got != sum {
				t.Fatalf("view %d: the fuel of section %d is %d, cell by cell %d", c.ViewDistance, d, got, sum)
			}
		}
		for among := range 1 << 8 {
			s := directions(among)
			d, ok := v.richestSection(s)
			if want, some := s.last(v.sectionFuel); d != want && some || ok != some {
				t.Fatalf("the richest section of %08b is %d, %v; one by one %d, %v", s, d, ok, want, some)
			}
			d, ok = v.richest(s)
			if want, some := s.last(v.fuelAt); d != want && some || ok != some {
				t.Fatalf("the richest neighbour of %08b is %d, %v; one by one %d, %v", s, d, ok, want, some)
			}
		}
	}
}
