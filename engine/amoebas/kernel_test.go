package amoebas

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/kernels/kerneltest"
)

func TestNoLegacySSE(t *testing.T) { kerneltest.NoLegacySSE(t, "kernel_amd64.s", 500) }

// TestKernelLayout holds the offsets that the kernels are written with.
func TestKernelLayout(t *testing.T) {
	var g glance
	var o occupant
	var l gp.CrowdLayer
	for name, got := range map[string][2]uintptr{
		"best":      {unsafe.Offsetof(g.best), 64},
		"energies":  {unsafe.Offsetof(g.energies), 128},
		"occupied":  {unsafe.Offsetof(g.occupied), 192},
		"hostiles":  {unsafe.Offsetof(g.hostiles), 320},
		"sightRows": {unsafe.Offsetof(g.sightRows), 448},
		"sight":     {unsafe.Offsetof(g.sight), 504},
		"pitch":     {unsafe.Offsetof(g.pitch), 512},
		"centre":    {unsafe.Offsetof(g.centre), 520},
		"occupancy": {unsafe.Offsetof(g.occupancy), 528},
		"fuel":      {unsafe.Offsetof(g.fuel), 544},
		"energy":    {unsafe.Offsetof(g.energy), 552},
		"health":    {unsafe.Offsetof(g.health), 560},
		"who":       {unsafe.Offsetof(g.who), 568},
		"layers":    {unsafe.Offsetof(g.layers), 576},
		"scalars":   {unsafe.Offsetof(g.scalars), 584},
		"weighs":    {unsafe.Offsetof(g.weighs), 592},
		"seen":      {unsafe.Offsetof(g.seen), 600},
		"costs":     {unsafe.Offsetof(g.costs), 616},
		"occupant":  {unsafe.Sizeof(o), 8},
		"o.energy":  {unsafe.Offsetof(o.energy), 0},
		"o.health":  {unsafe.Offsetof(o.health), 2},
		"layer":     {unsafe.Sizeof(l), 25 * 128},
		"l.Weights": {unsafe.Offsetof(l.Weights), 128},
		"l.Rows":    {unsafe.Offsetof(l.Rows), 9 * 128},
		"slots":     {slotDivideDiagonal, 6},
		"layers by": {layerFuel | layerEmpty<<4 | layerFriends<<8 | layerHostiles<<12 | layerInjured<<16, 0x43210},
		"scalars by": {
			scalarEnergy | scalarHealth<<4 | scalarFuel<<8, 0x210,
		},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %d; the kernels think %d", name, got[0], got[1])
		}
	}
}

// TestKernels compares each kernel with its twin on worlds full of anything.
func TestKernels(t *testing.T) {
	if len(kernels.Available()) <= int(kernels.AVX512) {
		t.Skip("this processor has no AVX-512")
	}
	r := rand.New(rand.NewPCG(1, 2))
	twin, kernel := lookouts(kernels.Scalar), lookouts(kernels.AVX512)
	for i, size := range []int{5, 7, 8, 9, 10, 16, 33, 56, 200, 250} {
		s := DefaultSettings()
		s.WorldSize, s.ViewDistance, s.MaxAmoebaHealth = size, 1+(i+2)%3, 254
		g, err := newGameAt(s, kernels.AVX512)
		if err != nil {
			t.Fatal(err)
		}
		a := newArena(newGeometry(size))
		a.reset(&s.Constants, []Function{lazy{}, lazy{}})
		a.energyPlane()
		a.healthPlane()
		density := r.Float64()
		for _, cell := range a.g.order {
			a.setFuel(int(cell), uint8(r.IntN(256)))
			if r.Float64() < density {
				a.put(int(cell), occupant{int16(r.IntN(256)), int16(1 + r.IntN(254)), 0, uint8(r.IntN(2))}, 0)
			}
		}
		for weighs := range 8 {
			var glances [2]glance
			var crowds [2]*gp.Crowd
			e := &evolved{}
			e.weighs.fuel, e.weighs.friends, e.weighs.injured = weighs&1 != 0, weighs&2 != 0, weighs&4 != 0
			for k, look := range []lookout{twin, kernel} {
				c, err := g.newCrowd()
				if err != nil {
					t.Fatal(err)
				}
				code, err := gp.NewCompiler(g.grammar, situations()...).Compile(g.grammar.Ramped(r, 2, 4))
				if err != nil {
					t.Fatal(err)
				}
				c.Load(code)
				a.ahead = &ahead{}
				for lane := range gp.CrowdSize {
					a.ahead.cells[lane] = a.g.order[(lane*77+weighs)%len(a.g.order)]
				}
				a.aim(e, weighs&1, c, gp.CrowdSize)
				look.look(&a.ahead.glance)
				glances[k], crowds[k] = a.ahead.glance, c
			}
			glances[1].layers, glances[1].scalars = glances[0].layers, glances[0].scalars
			if glances[0] != glances[1] {
				t.Fatalf("size %d: the kernel sees %+v, its twin %+v", size, glances[1], glances[0])
			}
			for layer := range layerInjured + 1 {
				if !reflect.DeepEqual(crowds[0].Layer(layer), crowds[1].Layer(layer)) {
					t.Fatalf("size %d, weighs %d: layer %d differs", size, weighs, layer)
				}
			}
			for scalar := range scalarFuel + 1 {
				if *crowds[0].Scalar(scalar) != *crowds[1].Scalar(scalar) {
					t.Fatalf("size %d: scalar %d differs", size, scalar)
				}
			}
			for range 20 {
				var u [slotMemory]gp.LaneFloats
				numbers := []float32{0, float32(math.Copysign(0, -1)), 1, 1, 2, 3, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
				for slot := range u {
					for lane := range u[slot] {
						u[slot][lane] = numbers[r.IntN(len(numbers))]
					}
				}
				g := &glances[0]
				g.costs = [3]int32{int32(r.IntN(256)), int32(r.IntN(256)), int32(r.IntN(256))}
				twin.prefer(g, &u)
				want := g.best
				kernel.prefer(g, &u)
				if want != g.best {
					t.Fatalf("the kernel prefers %x, its twin %x", g.best, want)
				}
			}
		}
	}
}
