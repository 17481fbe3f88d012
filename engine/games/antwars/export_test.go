package antwars

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// spy is a species that notes what it sees and does.
type spy struct {
	*species
	sense *sense
	lines strings.Builder
	moves []string
}

func newSpy(tb testing.TB, g *game, ge gp.Genome) *spy {
	p := proof.Must(g.Bind(ge))(tb)
	s := &spy{species: p.(*species), sense: newSense(g)}
	s.code.Load(s.sense.frame)
	return s
}

func (s *spy) Move(m *memory) int {
	if m.time == 0 {
		s.lines.WriteByte('\n')
	}
	s.lines.WriteString(seenBy(m) + "\n")
	d := s.move(m, s.sense)
	s.moves = append(s.moves, strconv.Itoa(d))
	return d
}

// seenBy returns what an ant sees as an exported program reads it.
func seenBy(m *memory) string {
	var b strings.Builder
	row, column := int(m.at)/width, int(m.at)%width
	for y := -radius; y <= radius; y++ {
		for x := -radius; x <= radius; x++ {
			what, cell := 0, cellAt(row+y, column+x)
			switch {
			case cell == m.enemy:
				what = 2
			case m.food.Has(cell):
				what = 1
			}
			fmt.Fprintf(&b, "%d ", what)
		}
	}
	fmt.Fprintf(&b, "%d %d", row, column)
	return b.String()
}

// TestExports holds that bred and random ants decide in every language as they do here, in games
// that they play here against each other; whole games over the pipe are in engine/games/all.
func TestExports(t *testing.T) {
	proof.Costly(t)
	g := New().(*game)
	ants := map[string]gp.Genome{"generation-200": enginetest.Kept(t, g, "generation-200"),
		"random":    enginetest.Bred(g, 50)[7],
		"brilliant": printed(t), "large": slices.MaxFunc(enginetest.Bred(g, 200),
			func(a, b gp.Genome) int { return a.Size() - b.Size() })}
	keen := proof.Must(keenGame(t).grammar.Parse(
		"(add foodRoute (mul (mul (const 0.02) foodUnfound) " +
			"(sub (noUnseen (rect 0 -3 5 2)) (noHunted (rect 0 -1 3 3))))) " +
			"(sub (mul (const 0.9) foodRoute) (if (isEnemy (rect -1 -1 3 3)) (constint 2) foodHope))"))(t)
	ants["every keen sense"] = keen
	ants["keen-seed613"] = enginetest.Kept(t, keenGame(t), "keen-seed613")
	foresight := proof.Must(foresightGame(t).grammar.Parse("(add (add foodRoute (mul (constint 2) " +
		"foodDecides)) (mul (mul (const 0.02) foodUnfound) (noHunted (rect 0 -1 3 3)))) " +
		"(sub (mul (const 0.9) foodRoute) (mul (const 0.2) (noHunted (rect -1 -1 3 3))))"))(t)
	ants["every sense of foresight"] = foresight
	ants["foresight-seed701"] = enginetest.Kept(t, foresightGame(t), "foresight-seed701")
	for name, ge := range ants {
		t.Run(name, func(t *testing.T) {
			g := g
			switch {
			case strings.Contains(name, "foresight"):
				g = foresightGame(t)
			case strings.Contains(name, "keen"):
				g = keenGame(t)
			}
			s := newSpy(t, g, ge)
			for n := uint64(0); len(s.moves) < 1000; n++ {
				players := []engine.Player{s, hyper{}}
				if n&1 == 1 {
					players = []engine.Player{newSpy(t, g, printed(t)), s}
				}
				g.Play(players, n, nil)
			}
			exporttest.Prove(t, exporttest.Species{World: "Ant Wars", Name: name},
				g.Export, ge, s.lines.String(), s.moves)
		})
	}
}
