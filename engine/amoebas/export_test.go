package amoebas

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
)

// spy is an evolved species that notes what it sees and does.
type spy struct {
	*evolved
	lines   strings.Builder
	answers []string
}

// lastDraw keeps the number drawn last.
type lastDraw struct {
	Draws
	last int
}

func (d *lastDraw) Below(n int) int {
	d.last = d.Draws.Below(n)
	return d.last
}

func (s *spy) Act(v *View) Action {
	draws := &lastDraw{Draws: v.Random}
	v.Random = draws
	a := s.evolved.Act(v)
	v.Random = draws.Draws
	if len(s.answers) < 1000 {
		fmt.Fprintln(&s.lines, seenBy(v, draws.last))
		s.answers = append(s.answers, fmt.Sprintf("%d %d", a.Command, a.Direction))
	}
	return a
}

// seenBy returns what an amoeba sees as an exported program reads it.
func seenBy(v *View, start int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d %d %d", v.Energy, v.Health, v.round, start)
	friends := v.Friends()
	for y := -maxView; y <= maxView; y++ {
		for x := -maxView; x <= maxView; x++ {
			if !v.Sees(x, y) {
				b.WriteString(" -1 0 0 0")
				continue
			}
			who := 0
			o, occupied := v.Occupant(x, y)
			if occupied {
				who = 2
			}
			if friends&At(x, y) != 0 {
				who = 1
			}
			fmt.Fprintf(&b, " %d %d %d %d", v.Fuel(x, y), who, o.Energy, o.Health)
		}
	}
	return b.String()
}

func bredGenome(tb testing.TB, g *Game, name string) gp.Genome {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("../../results/amoebas", name+".species"))
	if err != nil {
		tb.Fatal(err)
	}
	s, err := gp.ParseSpecies(string(text),
		func(string, int) (*gp.Grammar, error) { return g.Grammar(), nil })
	if err != nil {
		tb.Fatal(err)
	}
	return s.Genome
}

func duel(tb testing.TB) *Game {
	tb.Helper()
	s := DefaultSettings()
	s.WorldSize, s.Rounds = 32, 60
	g, err := newGame(s)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// TestExports holds that bred and random species decide in every language as they do here.
func TestExports(t *testing.T) {
	g := duel(t)
	rival, err := g.Bind(bredGenome(t, g, "world-seed1"))
	if err != nil {
		t.Fatal(err)
	}
	for name, ge := range map[string]gp.Genome{"duel32-seed1": bredGenome(t, g, "duel32-seed1"),
		"random": enginetest.Bred(g, 100)[30]} {
		t.Run(name, func(t *testing.T) {
			p, err := g.Bind(ge)
			if err != nil {
				t.Fatal(err)
			}
			s := &spy{evolved: p.(*evolved)}
			for n := uint64(0); len(s.answers) < 1000; n++ {
				g.Play([]engine.Player{s, rival}, n, nil)
			}
			exporttest.Prove(t, func(language string) (string, error) {
				return g.Export(ge, export.Origin{Name: name}, language)
			}, s.lines.String(), s.answers)
		})
	}
}

// foreigner is an exported program that takes a seat.
type foreigner struct{ *exporttest.Talk }

func (f foreigner) Act(v *View) Action {
	start := 0
	if v.w.constants.legal(v.Energy, v.Occupied(), v.Friends()) != 0 {
		start = v.Random.Below(8)
	}
	var a Action
	if _, err := fmt.Sscan(f.Ask(seenBy(v, start)), &a.Command, &a.Direction); err != nil {
		return invalid
	}
	return a
}

// TestExportsPlay holds that whole games of an exported program are those of the species.
func TestExportsPlay(t *testing.T) {
	s := DefaultSettings()
	s.WorldSize, s.Rounds = 16, 40
	g, err := newGame(s)
	if err != nil {
		t.Fatal(err)
	}
	ge := bredGenome(t, g, "duel32-seed1")
	p, err := g.Bind(ge)
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"c", "javascript"} {
		t.Run(language, func(t *testing.T) {
			source, err := g.Export(ge, export.Origin{Name: "duel32-seed1"}, language)
			if err != nil {
				t.Fatal(err)
			}
			f := foreigner{exporttest.Start(t, language, source)}
			for n := range uint64(3) {
				got := g.Play([]engine.Player{f, p}, n, nil)
				if want := g.Play([]engine.Player{p, p}, n, nil); got != want {
					t.Fatalf("game %d ends %+v, not %+v", n, got, want)
				}
			}
		})
	}
}

// TestClojure holds that an amoeba function decides as its species, run by Clojure.
func TestClojure(t *testing.T) {
	harness, err := os.ReadFile("testdata/harness.clj")
	if err != nil {
		t.Fatal(err)
	}
	g := duel(t)
	for name, ge := range map[string]gp.Genome{"world-seed1": bredGenome(t, g, "world-seed1"),
		"random": enginetest.Bred(g, 100)[30]} {
		t.Run(name, func(t *testing.T) {
			p, err := g.Bind(ge)
			if err != nil {
				t.Fatal(err)
			}
			s := &spy{evolved: p.(*evolved)}
			for n := uint64(0); len(s.answers) < 1000; n++ {
				g.Play([]engine.Player{s, p}, n, nil)
			}
			source, err := g.Export(ge, export.Origin{Name: name}, clojure)
			if err != nil {
				t.Fatal(err)
			}
			exporttest.Compare(t, exporttest.Answers(t, clojure, source+string(harness),
				s.lines.String()), s.answers)
		})
	}
}
