package darwin

import (
	"slices"
	"testing"

	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// The words are those of the table of senses itself: the page is held to them.
func TestWords(t *testing.T) {
	var rows [][2]string
	for _, s := range slices.Concat(senses, keenSenses, shrineSenses) {
		words := s.word
		if s.count != "" {
			words += "`, `" + s.count
		}
		rows = append(rows, [2]string{words, s.about})
	}
	enginetest.Words(t, "README.md", rows)
}

// newcomers are rows that somebody new might add, a scalar, a flag and a layer.
var newcomers = []sense{
	{form: gp.Scalar, word: "squares", about: "visits of squares, in hundreds",
		number: func(m *evolvedMind, _ *body, _ direction) float32 {
			return float32(m.memory.visits) / 100
		},
		runtime: "float32(known.visits) / 100"},
	{form: gp.Flag, word: "bumpedAhead", about: "the creature once bumped into something ahead",
		truth:   func(m *evolvedMind, _ *body, d direction) bool { return m.bumped[d] },
		runtime: "self.bumped[direction]"},
	{form: gp.Any, word: "anyWay", count: "ways", about: "squares that are known and no wall",
		squares: func(m *evolvedMind, b *body) gp.Bits {
			p := b.position()
			return m.memory.window(boardKnown, p).AndNot(m.memory.window(boardWall, p))
		},
		runtime: "known.boards[on(boardKnown, here)] && !known.boards[on(boardWall, here)]"},
}

// Situations come from games on a generated map, answers from the trees' walk by the game itself:
// rows added to the table are read alike here and in every language. Each decides something.
func TestNewSense(t *testing.T) {
	proof.Costly(t)
	made := proof.Must(sensing(append(senses[:len(senses):len(senses)], newcomers...)))(t)
	s := defaults()
	s.Map, s.TimeLimit = "arena", 1
	g := proof.Must(made.(*game).With(&s))(t).(*game)
	ge := proof.Must(g.Grammar().Parse("(add trail (if bumpedAhead (const -0.5) " +
		"(mul (const 0.1) (ways (rect 0 0 3 3))))) (const 0.05) (sub squares (if blocked (const 1) " +
		"(if (anyWay (rect 0 -2 3 3)) (const 0.1) (const 0.6)))) (if preyNext (constint 3) (const -1)) " +
		"(mul (const 0.02) age) (const 0.01)"))(t)
	lines, want, verbs := recordGames(t, g, ge)
	if len(want) < 1000 || len(verbs) < 3 {
		t.Fatalf("%d decisions, %v", len(want), verbs)
	}
	for _, word := range []string{"squares", "bumpedAhead", "anyWay", "ways"} {
		op, _ := g.Grammar().Lookup(word)
		without := enginetest.Without(g.Grammar(), ge, op)
		if _, other, _ := recordGames(t, g, without); slices.Equal(other, want) {
			t.Errorf("%s decides nothing", word)
		}
	}
	exporttest.Newcomer(t, export.Languages(), g.Export, ge, lines, want)
	t.Run(javaCreature, func(t *testing.T) {
		source := proof.Must(g.Export(ge, export.Origin{Name: "newcomer"}, javaCreature))(t)
		exporttest.Compare(t, asCreature(t, source, "Newcomer", lines), want)
	})
}

// The rows are those of newcomers, each with something left out: none makes a game.
func TestRowsThatLackSomething(t *testing.T) {
	for _, c := range []struct {
		change func(*sense)
		says   string
	}{
		{func(s *sense) { s.runtime = "" }, "no expression for exported programs"},
		{func(s *sense) { s.runtime = "known.visits +" }, "is not Go"},
		{func(s *sense) { s.about = "" }, "no sentence"},
		{func(s *sense) { s.number, s.truth, s.squares, s.of = nil, nil, nil, numSources },
			"nothing fills"},
		{func(s *sense) { s.form = gp.Const }, "nothing fills"},
		{func(s *sense) { s.word = "trail" }, "trail"},
	} {
		for _, row := range newcomers {
			c.change(&row)
			proof.Fails(sensing(append(senses[:len(senses):len(senses)], row)))(t, c.says, row.word)
		}
	}
}

// The row is one whose function in exported programs is missing: what it lacks is named when a
// species is exported, whatever it reads.
func TestRuntimeLacksName(t *testing.T) {
	row := newcomers[0]
	row.runtime = "float32(self.wounds)"
	g := proof.Must(sensing(append(senses[:len(senses):len(senses)], row)))(t)
	ge := enginetest.Everything(t, g.Grammar(), 0)
	proof.Fails(g.(*game).Export(ge, export.Origin{}, "c"))(t, "wounds")
}
