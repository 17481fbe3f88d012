package amoebas

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// spy is an evolved species that notes what it sees and does.
type spy struct {
	*evolved
	lines   strings.Builder
	answers []string
}

// lastDraw keeps the number drawn last.
type lastDraw struct {
	draws
	last int
}

func (d *lastDraw) Below(n int) int {
	d.last = d.draws.Below(n)
	return d.last
}

func (s *spy) Act(v *view) action {
	draws := &lastDraw{draws: v.Random}
	v.Random = draws
	a := s.evolved.Act(v)
	v.Random = draws.draws
	if len(s.answers) < 1000 {
		fmt.Fprintln(&s.lines, seenBy(v, draws.last, s.memory))
		answer := fmt.Sprintf("%d %d", a.Command, a.Direction)
		if s.memory {
			answer += fmt.Sprintf(" %d", a.Data)
		}
		s.answers = append(s.answers, answer)
	}
	return a
}

// seenBy returns what an amoeba sees as an exported program reads it.
func seenBy(v *view, start int, memory bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d %d %d", v.Energy, v.Health, v.round, start)
	friends := v.friends()
	for y := -maxView; y <= maxView; y++ {
		for x := -maxView; x <= maxView; x++ {
			if !v.sees(x, y) {
				b.WriteString(" -1 0 0 0")
				continue
			}
			who := 0
			o, occupied := v.occupant(x, y)
			if occupied {
				who = 2
			}
			if friends&cellAt(x, y) != 0 {
				who = 1
			}
			fmt.Fprintf(&b, " %d %d %d %d", v.fuel(x, y), who, o.Energy, o.Health)
		}
	}
	if !memory {
		return b.String()
	}
	fmt.Fprintf(&b, " %d", v.Data)
	for y := -maxView; y <= maxView; y++ {
		for x := -maxView; x <= maxView; x++ {
			o, occupied := v.occupant(x, y)
			if !occupied || friends&cellAt(x, y) == 0 {
				o.Data = 0
			}
			fmt.Fprintf(&b, " %d", o.Data)
		}
	}
	return b.String()
}

func duel(tb testing.TB) *game {
	tb.Helper()
	s := DefaultSettings()
	s.WorldSize, s.Rounds = 32, 60
	return proof.Must(newGame(s))(tb)
}

// recorded lets a species decide a thousand times against a rival, and returns what it saw and did.
func recorded(t *testing.T, g *game, ge gp.Genome, rival engine.Player) *spy {
	t.Helper()
	p := proof.Must(g.Bind(ge))(t)
	s := &spy{evolved: p.(*evolved)}
	for n := uint64(0); len(s.answers) < 1000; n++ {
		g.Play([]engine.Player{s, rival}, n, nil)
	}
	return s
}

// remembering returns a game with memory and a random species that uses it in many ways, with the
// thousand decisions that show it.
func remembering(t *testing.T) (*game, gp.Genome, *spy) {
	t.Helper()
	s := DefaultSettings()
	s.WorldSize, s.Rounds, s.Memory = 24, 40, true
	g := proof.Must(newGame(s))(t)
	for _, ge := range enginetest.Bred(g, 400)[200:] {
		rival := proof.Must(g.Bind(ge))(t)
		s := recorded(t, g, ge, rival)
		different := map[string]bool{}
		for _, a := range s.answers {
			different[a] = true
		}
		text := g.Grammar().PrintSpecies(&gp.Species{Genome: ge})
		if strings.Contains(text, "friendData") && strings.Contains(text, " data") &&
			len(different) > 100 {
			t.Logf("%d different answers", len(different))
			return g, ge, s
		}
	}
	t.Fatal("no species uses its memory")
	return nil, nil, nil
}

// TestExports holds that species decide in every language as they do here, in situations of games
// that one species, bred here, plays against another; whole games over the pipe are in
// engine/games/all.
func TestExports(t *testing.T) {
	proof.Costly(t)
	g := duel(t)
	rival := proof.Must(g.Bind(enginetest.Kept(t, g, "world-seed1")))(t)
	for name, ge := range map[string]gp.Genome{"duel32-seed1": enginetest.Kept(t, g, "duel32-seed1"),
		"random": enginetest.Bred(g, 100)[30]} {
		t.Run(name, func(t *testing.T) { prove(t, name, g, ge, recorded(t, g, ge, rival)) })
	}
	t.Run("memory", func(t *testing.T) {
		g, ge, s := remembering(t)
		prove(t, "memory", g, ge, s)
	})
}

func prove(t *testing.T, name string, g *game, ge gp.Genome, s *spy) {
	exporttest.Prove(t, worldOf(name, ge), g.Export, ge, s.lines.String(), s.answers)
}

func worldOf(name string, ge gp.Genome) exporttest.Species {
	return exporttest.Species{World: "AMOEBAS", Name: name, Nodes: ge.Size()}
}

// TestClojure holds that an amoeba function decides as its species, run by Clojure, in situations
// of games played here; those of the original engine are TestConformanceClojure's.
func TestClojure(t *testing.T) {
	proof.Costly(t)
	harness := proof.Must(os.ReadFile("testdata/harness.clj"))(t)
	compare := func(t *testing.T, name string, g *game, ge gp.Genome, s *spy) {
		source := proof.Must(g.Export(ge, export.Origin{Name: name}, clojure))(t)
		exporttest.Compare(t, exporttest.Answers(t, clojure, source+string(harness),
			s.lines.String()), s.answers)
		worldOf(name, ge).Alike(t, clojure, source, len(s.answers), 0)
	}
	g := duel(t)
	for name, ge := range map[string]gp.Genome{"world-seed1": enginetest.Kept(t, g, "world-seed1"),
		"random": enginetest.Bred(g, 100)[30]} {
		t.Run(name, func(t *testing.T) {
			p := proof.Must(g.Bind(ge))(t)
			compare(t, name, g, ge, recorded(t, g, ge, p))
		})
	}
	t.Run("memory", func(t *testing.T) {
		g, ge, s := remembering(t)
		compare(t, "memory", g, ge, s)
	})
}

// fixedDraw is a source of draws that always gives the same number.
type fixedDraw int

func (fixedDraw) Float() float64  { return 0 }
func (d fixedDraw) Below(int) int { return int(d) }

// TestConformanceClojure holds amoeba functions in Clojure to situations recorded in the original
// engine: what amoebas of its players saw there.
func TestConformanceClojure(t *testing.T) {
	proof.Long(t)
	harness := proof.Must(os.ReadFile("testdata/harness.clj"))(t)
	g := New()
	for name, ge := range map[string]gp.Genome{"famine-seed1": enginetest.Kept(t, g, "famine-seed1"),
		"whole vocabulary": enginetest.Everything(t, g.Grammar(), 0)} {
		t.Run(name, func(t *testing.T) {
			p := proof.Must(g.Bind(ge))(t)
			var lines strings.Builder
			var want []string
			for _, path := range enginetest.Recorded(t, "amoebas", "decisions-*.jsonl*") {
				enginetest.EachRecord(t, path, func(_ string, d *recordedDecision) {
					if d.T != "d" && d.T != "n" {
						return
					}
					start := len(want) % 8
					v := d.view(t, noData)
					v.Random = fixedDraw(start)
					fmt.Fprintln(&lines, seenBy(v, start, false))
					a := p.(decider).Act(v)
					want = append(want, fmt.Sprintf("%d %d", a.Command, a.Direction))
				})
			}
			source := proof.Must(g.Export(ge, export.Origin{Name: name}, clojure))(t)
			exporttest.Compare(t, exporttest.Answers(t, clojure, source+string(harness),
				lines.String()), want)
			t.Logf("%d situations", len(want))
		})
	}
}
