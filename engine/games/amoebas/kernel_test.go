package amoebas

import (
	"math"
	"math/rand/v2"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// vectors returns a game with kernels, or skips the test where there are none.
func vectors(t *testing.T, s Settings) *game {
	t.Helper()
	if len(kernels.Available()) <= int(kernels.AVX512) {
		t.Skip("this processor has no AVX-512")
	}
	return proof.Must(newGameAt(s, kernels.AVX512))(t)
}

// TestPeek compares what the kernel draws with the view, on worlds full of anything.
func TestPeek(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i, size := range []int{5, 7, 8, 9, 10, 16, 33, 56, 200, 250} {
		s := DefaultSettings()
		s.WorldSize, s.ViewDistance, s.MaxAmoebaHealth = size, 1+(i+2)%3, 254
		g := vectors(t, s)
		a := newArena(newGeometry(size))
		a.reset(&s.constants, []decider{lazy{}, lazy{}})
		density := r.Float64()
		for _, cell := range a.g.order {
			a.setFuel(int(cell), uint8(r.IntN(256)))
			if r.Float64() < density {
				a.put(int(cell), occupant{int16(r.IntN(256)), int16(1 + r.IntN(254)), 0, uint8(r.IntN(2))}, 0)
			}
		}
		code := proof.Must(gp.NewCompiler(g.grammar,
			g.words.situations()...).Compile(g.grammar.Ramped(r, 2, 4)))(t)
		e := &evolved{words: g.words, code: code, level: kernels.AVX512,
			reads:  1<<len(g.words.scalars) - 1<<numCounts,
			weighs: g.words.weighted}
		a.view.round = 7
		for range 100 {
			v := &a.view
			v.look(int(a.g.order[r.IntN(len(a.g.order))]))
			if a.who[v.cell].species == free {
				continue
			}
			m := newScratch(e, &a.world, v.Species)
			e.draw(v, m)
			hostiles, friends := v.hostiles(), v.friends()
			if m.occupied != v.occupied() || m.friends != friends {
				t.Fatalf("size %d: the kernel sees %x and %x, not %x and %x", size, m.occupied,
					m.friends, v.occupied(), friends)
			}
			for layer, want := range []cellSet{v.visible(), v.visible() &^ v.occupied(),
				friends &^ own, hostiles, hostiles} {
				if got := m.solo.Layer(layer).Cells; got != uint64(want) {
					t.Fatalf("size %d: layer %d holds %x, not %x", size, layer, got, want)
				}
			}
			for scalar, want := range []float32{float32(v.Energy) * unitEnergy,
				float32(v.Health) * unitHealth, float32(v.ownFuel()) * unitEnergy, 7 * unitEnergy} {
				if got := *m.solo.Scalar(scalar); got != (gp.Quad{want, want, want, want}) {
					t.Fatalf("size %d: scalar %d is %v, not %v", size, scalar, got, want)
				}
			}
			for i := range side * side {
				dx, dy := i%side-maxView, i/side-maxView
				if v.sees(dx, dy) && int(m.fuel[i]) != v.fuel(dx, dy) {
					t.Fatalf("size %d: the fuel at (%d, %d) is %d, not %d", size, dx, dy, m.fuel[i],
						v.fuel(dx, dy))
				}
				if o, ok := v.occupant(dx, dy); ok &&
					(int(m.energy[i]) != o.Energy || int(m.health[i]) != o.Health) {
					t.Fatalf("size %d: the amoeba at (%d, %d) has energy %d and health %d, not %+v",
						size, dx, dy, m.energy[i], m.health[i], o)
				}
			}
		}
	}
}

// TestPick compares the kernel's choice with choose, among numbers that are often equal, or none.
func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	numbers := []float32{0, float32(math.Copysign(0, -1)), 1, 1, 2, 3, float32(math.NaN()),
		float32(math.Inf(1)), float32(math.Inf(-1))}
	for i := range 50000 {
		var u [numSlots]gp.Quad
		some := numbers[:1+r.IntN(len(numbers))]
		for slot := range u {
			for turn := range u[slot] {
				u[slot][turn] = some[r.IntN(len(some))]
			}
		}
		// as the rules have it: moves and divisions to free cells, hits to others
		open, energy := options(r.IntN(256)), r.IntN(8)
		may := open*options(energy&1) | options(r.IntN(256))&^open<<hitsAt*options(
			energy>>1&1) | open<<divisionsAt*options(energy>>2)
		want := uint64(1 << slotRest)
		for d := range direction(8) {
			for kind := range 3 {
				if may>>(8*kind)&(1<<d) != 0 {
					want |= 1 << (slotMove + 2*kind + 1 - int(d&1))
				}
			}
		}
		if got := may.slots(); got != want {
			t.Fatalf("the slots of %x are %b, not %b", may, got, want)
		}
		for _, level := range kernels.Available()[1:] {
			if got, want := chosen(pickOne(level, &u, may), i&7), choose(&u, may, i&7); got != want {
				t.Fatalf("of %x with %v %s chooses %+v, not %+v", may, u, level, got, want)
			}
		}
	}
}
