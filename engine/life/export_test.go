package life

import (
	"fmt"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
)

// spy is a species that draws its random numbers as exported programs do, and notes what it is told
// and what it answers.
type spy struct {
	*species
	lines   strings.Builder
	answers []string
}

func (s *spy) sit(o *settings, seed engine.Seed) seat {
	return &spySeat{s.species.sit(o, seed).(*speciesSeat), s}
}

type spySeat struct {
	*speciesSeat
	spy *spy
}

func (s *spySeat) choose(v *view, dst []cell) ([]cell, bool) {
	s.turn.random = engine.NewRandom(uint64(2*v.generation + int(v.own) + 1))
	s.spy.lines.Write(appendState(nil, v))
	s.spy.lines.WriteByte('\n')
	cells, ok := s.speciesSeat.choose(v, dst)
	var pairs []string
	for _, c := range cells {
		pairs = append(pairs, fmt.Sprintf("[%d,%d]", c.y, c.x))
	}
	s.spy.answers = append(s.spy.answers, "["+strings.Join(pairs, ",")+"]")
	return cells, ok
}

func mustSpy(tb testing.TB, g *game, ge gp.Genome) *spy {
	tb.Helper()
	p, err := g.Bind(ge)
	if err != nil {
		tb.Fatal(err)
	}
	return &spy{species: p.(*species)}
}

func bredGenome(tb testing.TB, g *game, name string) gp.Genome {
	return exporttest.Genome(tb, g.Grammar(), "../../results/life/"+name+".species")
}

// writable returns a random genome in which other sensors stand for those that programs are not
// told.
func writable(g *game) gp.Genome {
	ge := enginetest.Bred(g, 200)[150]
	for _, tree := range ge {
		for i := range tree {
			for from, to := range map[string]string{"changed": "own", "changed?": "own?"} {
				if op, _ := g.Grammar().Lookup(from); tree[i].Op == op {
					tree[i].Op, _ = g.Grammar().Lookup(to)
				}
			}
		}
	}
	return ge
}

// TestExports holds that bred and random programs choose the same cells in every language.
func TestExports(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.Rounds = 70, 150, 500, 2
	plain := mustGame(t, o)
	o.Methuselahs = true
	far := mustGame(t, o)
	for _, test := range []struct {
		name string
		g    *game
		ge   gp.Genome
	}{{"explore-seed2", plain, bredGenome(t, plain, "explore-seed2")},
		{"random", plain, writable(plain)},
		{"methuselahs", far, bredGenome(t, far, "methuselahs")}} {
		name, g, ge := test.name, test.g, test.ge
		t.Run(name, func(t *testing.T) {
			s := mustSpy(t, g, ge)
			g.Play([]engine.Player{s, s}, 3, nil)
			exporttest.Prove(t, exporttest.Species{World: "Life", Name: name},
				g.Export, ge, s.lines.String(), s.answers)
		})
	}
}

// appendState appends the state as the original's controller tells it.
func appendState(dst []byte, v *view) []byte {
	dst = fmt.Appendf(dst, `{"y_size":%d,"x_size":%d,"board":{`, v.board.height, v.board.width)
	comma := ""
	v.board.each(func(y, x int, c colour) {
		dst = fmt.Appendf(dst, `%s"(%d,%d)":%d`, comma, y, x, c+1)
		comma = ","
	})
	return fmt.Appendf(dst, `},"bot_id":%d,"tick_id":%d}`, v.own+1, v.generation)
}

// foreigner is an exported program that takes a seat.
type foreigner struct{ *exporttest.Talk }

func (f foreigner) sit(*settings, engine.Seed) seat { return f }

func (f foreigner) choose(v *view, dst []cell) ([]cell, bool) {
	cells, err := parseReply([]byte(f.Ask(string(appendState(nil, v)))), dst)
	return cells, err == nil
}

// TestController holds that whole games of the program for the controller are those of the species,
// and that it answers the same when it is started for every turn.
func TestController(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations = 60, 80, 20
	g := mustGame(t, o)
	ge := bredGenome(t, g, "explore-seed2")
	source, err := g.Export(ge, export.Origin{Name: "explore-seed2"}, controller)
	if err != nil {
		t.Fatal(err)
	}
	f := foreigner{exporttest.Start(t, "python", source)}
	s := mustSpy(t, g, ge)
	want := g.Play([]engine.Player{s, s}, 5, nil)
	if got := g.Play([]engine.Player{f, f}, 5, nil); got != want || got.Marks[0][0] == 0 {
		t.Errorf("the game ends %+v, not %+v", got, want)
	}
	exporttest.Species{World: "Life", Name: "explore-seed2", Nodes: ge.Size()}.Alike(t, controller,
		source, 0, 1)
	states := strings.Split(s.lines.String(), "\n")
	for _, i := range []int{0, 1, 30} {
		c := exporttest.Command(t, "python", source)
		c.Args = append(c.Args, states[i])
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(string(out)); got != s.answers[i] {
			t.Errorf("turn %d: the program answers %s, clade %s", i, got, s.answers[i])
		}
	}
}

func TestExportRefuses(t *testing.T) {
	g := New().(*game)
	ge, err := g.Grammar().Parse("(constint 1) (constint 1) (changed (rect 0 0 1 1)) (constint 1)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Export(ge, export.Origin{}, "c"); err == nil ||
		!strings.Contains(err.Error(), `"changed"`) {
		t.Errorf("a species that reads what has changed is written: %v", err)
	}
}
