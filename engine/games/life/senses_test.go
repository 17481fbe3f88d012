package life

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// The words are those of the table of senses itself: the page is held to them.
func TestWords(t *testing.T) {
	var rows [][2]string
	for _, s := range senses {
		words, about := s.word, s.about
		if s.cells != nil {
			words += "`, `" + s.word + "?"
		}
		if s.only != plainWords {
			about += [numWords]string{methuselahWords: " (with methuselahs)",
				stillWords: " (with still-lifes)", openingWords: " (with both)"}[s.only]
		}
		rows = append(rows, [2]string{words, about})
	}
	enginetest.Words(t, "README.md", rows)
}

// newcomers are rows that somebody new might add, one of every kind.
var newcomers = []sense{
	{word: "lead", about: "live own cells less enemy ones, in hundreds", stage: eachTurn,
		number: func(a *around) float32 {
			return float32(a.live[a.t.own]-a.live[a.t.own.enemy()]) / 100
		},
		runtime: "float32(living[own]-living[enemy]) / 100"},
	{word: "placed", about: "cells chosen in this turn", stage: eachRound,
		number:  func(a *around) float32 { return float32(len(a.t.chosen)) },
		runtime: "float32(chosen)"},
	{word: "row", about: "the site's row, in tens", stage: eachSite,
		number:  func(a *around) float32 { return float32(a.y) / 10 },
		runtime: "float32(siteY) / 10"},
	{word: "live", about: "live cells of either side",
		cells: func(a *around, to *[3]uint64) {
			for i := range to {
				to[i] = a.mid[i] | a.foeMid[i]
			}
		}, runtime: "a != 0"},
}

// Situations are boards filled at random that have run some generations, answers those of the game
// itself: rows added to the table are read alike here, in every language and for the controller.
// Each decides something.
func TestNewSense(t *testing.T) {
	proof.Costly(t)
	g := proof.Must(sensing(append(senses[:len(senses):len(senses)], newcomers...)))(t)
	ge := proof.Must(g.Grammar().Parse("(sub (if (isSmaller lead (const 0.1)) " +
		"(own (rect 2 2 3 3)) lead) (own (rect 0 0 4 4))) (sub (const 0.9) (mul (const 0.03) placed)) " +
		"(if (isSmaller row (constint 2)) (const 0.5) (mul (const 0.3) row)) " +
		"(if (live? (rect 0 1 1 1)) (live (rect 0 -1 3 3)) (const -0.3))"))(t)
	answers := func(ge gp.Genome) (lines string, want []string) {
		return states(g, proof.Must(g.Bind(ge))(t).(player))
	}
	lines, want := answers(ge)
	for _, word := range []string{"lead", "placed", "row", "live", "live?"} {
		op, _ := g.Grammar().Lookup(word)
		if _, other := answers(enginetest.Without(g.Grammar(), ge, op)); slices.Equal(other, want) {
			t.Errorf("%s decides nothing", word)
		}
	}
	exporttest.Newcomer(t, g.Targets(), g.Export, ge, lines, want)
}

// states returns boards as the controller tells them, a line each, and what a player answers.
func states(g *game, p player) (lines string, want []string) {
	for n := range 40 {
		b := newBoard(40+n, 50+3*n, best())
		r := engine.NewRandom(uint64(n))
		for range 60 + 20*n {
			b.place(r.Below(b.height), r.Below(b.width), colour(r.Below(2)))
		}
		b.step(n % 5)
		var live []string
		b.each(func(y, x int, c colour) {
			live = append(live, fmt.Sprintf(`"(%d,%d)":%d`, y, x, c+1))
		})
		lines += fmt.Sprintf(`{"y_size":%d,"x_size":%d,"board":{%s},"bot_id":%d,"tick_id":%d}`+"\n",
			b.height, b.width, strings.Join(live, ","), 1+n%2, 20*n)
		cells, _ := p.sit(&g.settings, engine.Seed(40*n+1+n%2)).choose(&view{board: b,
			own: colour(n % 2), generation: 20 * n, settings: &g.settings}, nil)
		var pairs []string
		for _, c := range cells {
			pairs = append(pairs, fmt.Sprintf("[%d,%d]", c.y, c.x))
		}
		want = append(want, "["+strings.Join(pairs, ",")+"]")
	}
	return lines, want
}

// The rows are those of newcomers, each with something left out: none makes a game.
func TestRowsThatLackSomething(t *testing.T) {
	for _, c := range []struct {
		change func(*sense)
		says   string
	}{
		{func(s *sense) { s.runtime = "" }, "no expression for exported programs"},
		{func(s *sense) { s.runtime = "(" }, "is not Go"},
		{func(s *sense) { s.about = "" }, "no sentence"},
		{func(s *sense) { s.number, s.cells = nil, nil }, "nothing fills"},
		{func(s *sense) { s.stage = numStages }, "has one of the stages"},
		{func(s *sense) { s.word = "edge" }, "edge"},
	} {
		for _, row := range newcomers {
			c.change(&row)
			proof.Fails(sensing(append(senses[:len(senses):len(senses)], row)))(t, c.says, row.word)
		}
	}
}
