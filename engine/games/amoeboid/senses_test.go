package amoeboid

import (
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// The words are those of the table of senses itself: the page is held to them.
func TestWords(t *testing.T) {
	var rows [][2]string
	for _, s := range senses {
		words := []string{s.word}
		if s.cells != nil {
			words = nil
			for _, f := range s.forms {
				words = append(words, s.word+formWords[f])
			}
		}
		rows = append(rows, [2]string{strings.Join(words, "`, `"), s.about})
	}
	enginetest.Words(t, "README.md", rows)
}

// newcomers are rows that somebody new might add, one of every kind, with trees that read them.
var newcomers = []struct {
	sense
	reads string
}{
	{sense{word: "crowd", about: "pieces of the mover next to where the move ended",
		number: func(o *outcome) (n float32) {
			for c := range o.t.Graph.n {
				if o.t.Graph.near[o.to]>>c&1 != 0 && o.own()>>c&1 != 0 {
					n++
				}
			}
			return n
		},
		runtime: "float32(crowd(end))"}, "(sub crowd (mul size (const 0.3)))"},
	{sense{word: "missed", about: "what the roll lacks of the best one",
		number:  func(o *outcome) float32 { return float32(o.t.Die - o.t.Roll) },
		runtime: "float32(die - rolled)"}, "(sub units (mul (mul missed (const 0.5)) left))"},
	{sense{word: "even?", about: "the moved piece has an even size",
		truth:   func(o *outcome) bool { return o.piece.Size()%2 == 0 },
		runtime: "size(end)%2 == 0"}, "(if even? left units)"},
	{sense{word: "large", about: "pieces of four units or more", forms: []gp.Form{gp.Any, gp.Sum},
		cells: func(o *outcome) (cells uint64) {
			for c, p := range o.t.Position.cells[:o.t.Graph.n] {
				if p.Size() >= 4 {
					cells |= 1 << c
				}
			}
			return cells
		},
		runtime: "n >= 4"}, "(if (large? (rect 0 -1 1 1)) units (mul (const -0.4) " +
		"(large-mass (rect 0 0 5 5))))"},
}

// Situations come from games on a board, answers from the game itself: a row added to the table is
// read alike here and in every language. A function that its expression needs stands in the
// runtime.
func TestNewSense(t *testing.T) {
	proof.Costly(t)
	for _, c := range newcomers {
		t.Run(c.word, func(t *testing.T) {
			v := proof.Must(newVocabulary(append(senses[:len(senses):len(senses)], c.sense)))(t)
			s := Default()
			s.Size, s.Limit = 4, 60
			g := proof.Must(v.game(s))(t)
			ge := proof.Must(g.Grammar().Parse(c.reads))(t)
			lines, want := recorded(t, g, ge, 250)
			if c.word == "crowd" { // whose expression names what no runtime has
				proof.Fails(g.Export(ge, export.Origin{}, "c"))(t, "crowd")
				return
			}
			exporttest.Newcomer(t, g.Targets(), g.Export, ge, lines, want)
		})
	}
}

// recorded plays games until a species has decided so many times, and returns what it was told and
// what it did.
func recorded(t *testing.T, g *Game, ge gp.Genome, times int) (lines string, want []string) {
	t.Helper()
	p := proof.Must(g.Bind(ge))(t)
	s := &spy{species: p.(*species), times: times}
	for n := uint64(0); len(s.answers) < times; n++ {
		players := []engine.Player{s, p}
		if n%2 == 1 {
			players = []engine.Player{p, s}
		}
		g.Play(players, n, nil)
	}
	return s.lines.String(), s.answers
}

// The rows are those of newcomers, each with something left out: none makes a game.
func TestRowsThatLackSomething(t *testing.T) {
	for _, c := range []struct {
		change func(*sense)
		says   string
	}{
		{func(s *sense) { s.runtime = "" }, "no expression for exported programs"},
		{func(s *sense) { s.runtime = "n +" }, "is not Go"},
		{func(s *sense) { s.about = "" }, "no sentence"},
		{func(s *sense) { s.number, s.truth, s.cells = nil, nil, nil }, "by 0 functions"},
		{func(s *sense) { s.number, s.truth = senses[0].number, senses[20].truth }, "functions"},
		{func(s *sense) {
			if s.forms = append(s.forms, gp.Sum); s.cells != nil {
				s.forms = nil
			}
		}, "has forms"},
		{func(s *sense) { s.word, s.forms = "own", s.forms[:min(1, len(s.forms))] }, "own"},
	} {
		for _, n := range newcomers {
			row := n.sense
			if c.change(&row); row.word == "own" && row.cells == nil {
				continue // a scalar may be called so
			}
			proof.Fails(newVocabulary(append(senses[:len(senses):len(senses)], row)))(t, c.says, row.word)
		}
	}
	row := newcomers[3].sense
	row.forms = []gp.Form{gp.Least}
	proof.Fails(newVocabulary([]sense{row}))(t, "formWords")
}
