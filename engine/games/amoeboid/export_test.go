package amoeboid

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// told returns a turn as an exported program reads it.
func told(t *Turn) string {
	var b strings.Builder
	random := t.Random
	luck := 0
	if menu := t.Position.Menu(nil, t.Graph, t.Roll); len(menu) > 1 {
		luck = random.Below(len(menu))
	}
	fmt.Fprintf(&b, "%d %d %d", t.Position.Turn(), t.Roll, luck)
	for _, p := range t.Position.cells[:t.Graph.n] {
		fmt.Fprintf(&b, " %d %d", p[A], p[B])
	}
	return b.String()
}

// spy is an evolved species that notes so many times what it is told and what it does.
type spy struct {
	*species
	times   int
	lines   strings.Builder
	answers []string
}

func (s *spy) Choose(t *Turn) Move {
	line := told(t)
	m := s.species.Choose(t)
	if len(s.answers) < s.times {
		s.lines.WriteString(line + "\n")
		s.answers = append(s.answers, fmt.Sprintf("%d %d %d %d %d", m.Grow, m.From, m.To, m.Take[A],
			m.Take[B]))
	}
	return m
}

func on(tb testing.TB, change func(s *Settings)) *Game {
	tb.Helper()
	s := Default()
	s.Limit = 60
	change(&s)
	return proof.Must(FromSettings(s))(tb)
}

// everything returns a species that reads every sensor, areas of a size around several cells.
func everything(tb testing.TB, g *Game, size int) gp.Genome {
	tb.Helper()
	var terms []string
	for i, op := range g.Grammar().Operators {
		weight, area := float32(i%7-3)/4+0.1, fmt.Sprintf("(rect %d %d %d %d)", i%5-2, i%3-1, size,
			size+i%2)
		switch op.Form {
		case gp.Scalar:
			terms = append(terms, fmt.Sprintf("(mul (const %v) %s)", weight, op.Name))
		case gp.Flag:
			terms = append(terms, fmt.Sprintf("(if %s (const %v) (constint 1))", op.Name, weight))
		case gp.Any:
			terms = append(terms, fmt.Sprintf("(if (%s %s) (const %v) (constint 2))", op.Name, area, weight))
		case gp.Count, gp.Sum, gp.Least, gp.Greatest:
			terms = append(terms, fmt.Sprintf("(mul (const %v) (%s %s))", weight, op.Name, area))
		}
	}
	for len(terms) > 1 {
		terms = append(terms[2:], "(add "+terms[0]+" "+terms[1]+")")
	}
	return proof.Must(g.Grammar().Parse(terms[0]))(tb)
}

// TestExports holds that bred species, and some that read everything, decide in every language as
// they do here, in positions of games played here on boards of every kind; whole games over the
// pipe are in engine/games/all.
func TestExports(t *testing.T) {
	proof.Costly(t)
	three := on(t, func(*Settings) {})
	five := on(t, func(s *Settings) { s.Size = 5 })
	star := on(t, func(s *Settings) { s.Board, s.Size, s.Die = "star", 7, 20 })
	cycle := on(t, func(s *Settings) { s.Board, s.Size, s.Die = "cycle", 14, 2 })
	for _, c := range []struct {
		name string
		on   *Game
		ge   gp.Genome
	}{
		{"three", three, enginetest.Kept(t, three, "three")},
		{"five", five, enginetest.Kept(t, five, "five")},
		{"every sensor", star, everything(t, star, 3)},
		{"every sensor, wide", cycle, everything(t, cycle, 6)},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines, want := recorded(t, c.on, c.ge, 1000)
			exporttest.Prove(t, exporttest.Species{World: "Amoeboid", Name: c.name},
				c.on.Export, c.ge, lines, want)
		})
	}
}

// TestKeptSpecies lets every species that is kept play greedy; the one that was bred for this board
// wins more than 80 % of the decided games.
func TestKeptSpecies(t *testing.T) {
	proof.Slow(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "results", "amoeboid", "*.species"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no species are kept (%v)", err)
	}
	g := New()
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".species")
		player := proof.Must(g.Bind(enginetest.Kept(t, g, name)))(t)
		wins := (engine.Match{Boards: 100, Whole: true}).Play(g, player, Greedy{}, 1000).Wins
		if name == "three" && wins[0]*10 <= (wins[0]+wins[1])*8 {
			t.Errorf("%s won %d and lost %d of 200 games against greedy", file, wins[0], wins[1])
		}
	}
}
