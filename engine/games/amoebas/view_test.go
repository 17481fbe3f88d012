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
		w.reset(&c, []Function{lazy{}})
		least := r.IntN(maxFuel + 2) // equal fuel, great fuel, any fuel
		for _, cell := range w.g.order {
			w.setFuel(int(cell), uint8(min(maxFuel, least+r.IntN(maxFuel+1-min(least, maxFuel)))))
		}
		v := View{w: w, cell: int(w.g.order[r.IntN(len(w.g.order))])}
		for d := range Direction(8) {
			sum := 0
			for y := -maxView; y <= maxView; y++ {
				for x := -maxView; x <= maxView; x++ {
					if d.Section()&At(x, y) != 0 {
						sum += v.Fuel(x, y)
					}
				}
			}
			if got := v.SectionFuel(d); got != sum {
				t.Fatalf("view %d: the fuel of section %d is %d, cell by cell %d", c.ViewDistance, d, got, sum)
			}
		}
		for among := range 1 << 8 {
			s := Directions(among)
			d, ok := v.richestSection(s)
			if want, some := s.Last(v.SectionFuel); d != want && some || ok != some {
				t.Fatalf("the richest section of %08b is %d, %v; one by one %d, %v", s, d, ok, want, some)
			}
			d, ok = v.richest(s)
			if want, some := s.Last(v.FuelAt); d != want && some || ok != some {
				t.Fatalf("the richest neighbour of %08b is %d, %v; one by one %d, %v", s, d, ok, want, some)
			}
		}
	}
}
