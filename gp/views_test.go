package gp_test

import (
	"math/rand/v2"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// viewsGrammar has an open layer, one of near cells, one that a ring bounds, a single one, and on a
// grid with walls two of what lies beyond them.
func viewsGrammar(side int, walls bool) *gp.Grammar {
	window := gp.Window{Side: side, Wrap: !walls}
	var ring gp.Bits
	for i := range side * side {
		if all := window.Square(side / 2); all.Has(i) && i != side*side/2 {
			ring.Set(i)
		}
	}
	return gp.MustGrammar(gp.Spec{
		Slots:   []gp.Slot{{Name: "a", Type: gp.Float}, {Name: "b", Type: gp.Float}},
		Scalars: 2, Flags: 2, Window: window,
		Rects: gp.RectRange{Centre: int8(side / 2), Side: int8(min(side, 5)), SideSum: 6,
			Exact: true},
		Layers: []gp.Layer{{Name: "open"}, {Name: "near", Extent: window.Square(min(2, side/2))},
			{Name: "ring", Extent: ring}, {Name: "single", Single: true},
			{Name: "walls", Walls: walls},
			{Name: "nearWalls", Walls: walls, Extent: window.Square(min(1, side/2))}},
		Operators: append(gp.Shared(), gp.AreaSensor("open", gp.Count, 0),
			gp.AreaSensor("near", gp.Count, 1), gp.AreaSensor("ring", gp.Any, 2),
			gp.AreaSensor("single", gp.Any, 3), gp.AreaSensor("walls", gp.Count, 4),
			gp.AreaSensor("nearWalls", gp.Count, 5), gp.ScalarSensor("x", 0),
			gp.ScalarSensor("y", 1), gp.FlagSensor("p", 0), gp.FlagSensor("q", 1)),
	})
}

// Decisions that are drawn together give what each gives alone.
func TestViewsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	known := []gp.Situation{{Empty: 1 << 1}, {Empty: 1 << 2, Present: 1 << 3}, {}}
	for i := range 12 {
		side, walls := 1+i/2*2, i%2 != 0
		g, grid := viewsGrammar(side, walls), gp.NewTorus(side)
		if walls {
			grid = gp.NewWalled(side)
		}
		c := gp.NewCompiler(g, known...)
		for _, level := range kernels.Available()[1:] {
			views := proof.Must(g.NewViews(level))(t)
			batch := proof.Must(g.NewBatch(level))(t)
			for range 60 {
				ge := g.Ramped(r, 4, 9)
				code := proof.Must(c.Compile(ge))(t)
				batch.Load(code)
				set := r.Uint32() & r.Uint32() & (1<<gp.BatchSize - 1)
				var alone [gp.BatchSize]*gp.Frame
				for i := range alone {
					if set>>i&1 != 0 {
						alone[i] = g.NewFrame()
						code.Load(alone[i])
						seed := r.Uint64()
						drawView(rand.New(rand.NewPCG(seed, 1)), g, grid, alone[i])
						drawView(rand.New(rand.NewPCG(seed, 1)), g, grid, views.Frame(i))
					}
				}
				layers := code.Reads().Layers
				for _, s := range known {
					layers |= s.Empty | s.Present
				}
				views.Look(set, layers)
				for s, situation := range known {
					held := views.Holding(situation, set)
					n := 0
					for i, f := range alone {
						if set>>i&1 != 0 && situation.Holds(f) != (held>>i&1 != 0) {
							t.Fatalf("%v: situation %d of decision %d", level, s, i)
						}
						n += int(held >> i & 1)
					}
					if n == 0 {
						continue
					}
					views.Enter(held, batch)
					for slot := range ge {
						values, k := batch.Eval(slot, s, n), 0
						for i, f := range alone {
							if held>>i&1 == 0 {
								continue
							}
							var alone gp.Quad
							code.Eval(slot, s, f, &alone)
							for turn, want := range alone {
								if got := values[gp.Lanes*k+turn]; !same(got, want) {
									t.Fatalf("%v, side %d: decision %d, turn %d: %v, alone %v\n%s",
										level, side, i, turn, got, want, g.PrintTree(ge[slot]))
								}
							}
							k++
						}
					}
				}
			}
		}
	}
}

// drawView draws random cells: mostly boards around a player, and sometimes the window itself.
func drawView(r *rand.Rand, g *gp.Grammar, grid *gp.Grid, f *gp.Frame) {
	n := g.Window.Side * g.Window.Side
	moves := r.IntN(4) > 0
	if moves {
		f.Centre(grid, r.IntN(n))
	}
	for l := range g.Layers {
		var b gp.Bits
		switch filled := r.IntN(4); {
		case l == 3 && filled > 0:
			b.Set(r.IntN(n))
		case l != 3:
			for i := range n {
				if r.IntN(4) < filled {
					b.Set(i)
				}
			}
		}
		if moves && r.IntN(8) > 0 {
			f.Draw(l, b)
		} else {
			f.Layers[l] = b.And(g.Layers[l].Extent)
		}
	}
	f.Flags[0], f.Flags[1] = uint8(r.IntN(16)), uint8(r.IntN(256)) // the high bits do not count
	f.SetScalar(0, r.Float32())
	*f.Scalar(1) = gp.Quad{r.Float32(), 0, r.Float32(), -1}
}
