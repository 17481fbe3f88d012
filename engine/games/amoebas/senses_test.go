package amoebas

import (
	"os"
	"slices"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// wound is a new word in one row.
var wound = sense{name: "wound", about: "the health that it lacks / 10", form: gp.Scalar,
	unit: unitHealth, count: func(v *view) int32 { return 10 - int32(v.Health) },
	runtime: "10 - given(1)", clojure: "(- 10 health)"}

// Words of a new layer.
var (
	nursing = append(slices.Clone(layerRows), layerRow{name: "nursed", among: groupFriends,
		weight: weightHealth, unit: unitHealth})
	frailest = sense{name: "frailest", about: "the least health of a friend", form: gp.Least,
		layer: layerCalls + 1}
	friendHealth = sense{name: "friendHealth", about: "the health of friends", form: gp.Sum,
		layer: layerCalls + 1}
)

// TestIncompleteRows holds that a row which something lacks is refused when the game is made, by
// every executor, in words that say what to add. The rows are those of new words, spoilt.
func TestIncompleteRows(t *testing.T) {
	scalar := func(change func(*sense)) []sense {
		r := wound
		change(&r)
		return append(slices.Clone(senses), r)
	}
	area := func(form gp.Form, layer int) []sense {
		return append(slices.Clone(senses), sense{name: "x", about: "x", form: form, layer: layer})
	}
	layer := func(r layerRow) []layerRow { return append(slices.Clone(layerRows), r) }
	for want, rows := range map[string]struct {
		senses []sense
		layers []layerRow
	}{
		"lacks its count":       {scalar(func(r *sense) { r.count = nil }), layerRows},
		"lacks its unit":        {scalar(func(r *sense) { r.unit = 0 }), layerRows},
		"lacks its runtime":     {scalar(func(r *sense) { r.runtime = "" }), layerRows},
		"is not Go":             {scalar(func(r *sense) { r.runtime = "10 -" }), layerRows},
		"lacks its clojure":     {scalar(func(r *sense) { r.clojure = "" }), layerRows},
		"lacks its about":       {scalar(func(r *sense) { r.about = "" }), layerRows},
		"make it the last row":  {slices.Insert(slices.Clone(senses), 2, wound), layerRows},
		"neither a scalar nor":  {scalar(func(r *sense) { r.form = gp.Flag }), layerRows},
		"add the layer's row":   {area(gp.Count, len(layerRows)), layerRows},
		"set memory in its row": {area(gp.Count, layerCalls), layerRows},
		"which has none":        {area(gp.Sum, layerEmpty), layerRows},
		"clojureAreas":          {area(gp.Greatest, layerInjured), layerRows},
		"add it to groups":      {senses, layer(layerRow{name: "x", among: numGroups})},
		"add it to weightings":  {senses, layer(layerRow{name: "x", weight: len(weightings), unit: 1})},
		"may be no amoeba":      {senses, layer(layerRow{name: "x", weight: weightHealth, unit: 1})},
		"a unit and a weight":   {senses, layer(layerRow{name: "x", weight: weightFuel})},
		"stands twice":          {scalar(func(r *sense) { r.name = "health" }), layerRows},
	} {
		for _, level := range kernels.Available() {
			proof.Fails(gameOf(rows.senses, rows.layers, DefaultSettings(), level))(t, want)
		}
	}
}

// TestNewRows holds that a word which is added in one row is computed alike by all executors and by
// exported programs in every language, in a species that decides by all words: what its amoebas see
// in whole games.
func TestNewRows(t *testing.T) {
	proof.Costly(t)
	s := DefaultSettings()
	s.WorldSize, s.Rounds = 24, 40
	t.Run("sums", func(t *testing.T) { newRows(t, s, wound, friendHealth) })
	s.Memory = true
	t.Run("extremes and memory", func(t *testing.T) { newRows(t, s, frailest, wound) })
}

func newRows(t *testing.T, s Settings, rows ...sense) {
	var games []*game
	for _, level := range kernels.Available() {
		g := proof.Must(gameOf(append(slices.Clone(senses), rows...), nursing, s, level))(t)
		if level != kernels.Scalar && g.lockstep() == s.Memory {
			t.Errorf("kernels are used: %t", g.lockstep())
		}
		games = append(games, g)
	}
	g := games[0]
	ge, rival := deciding(t, g, rows)
	var want engine.Result
	for i, g := range games {
		if got := g.Play(enginetest.Bound(t, g, ge, rival), 1, nil); i == 0 {
			want = got
		} else if got != want {
			t.Errorf("with %s a game ends %+v, not %+v", g.level, got, want)
		}
	}
	noted := recorded(t, g, ge, enginetest.Bound(t, g, rival)[0])
	harness := proof.Must(os.ReadFile("testdata/harness.clj"))(t)
	exporttest.Newcomer(t, g.Targets(),
		func(ge gp.Genome, by export.Origin, form string) (string, error) {
			source, err := g.Export(ge, by, form)
			if form == clojure {
				source += string(harness)
			}
			return source, err
		}, ge, noted.lines.String(), noted.answers)
}

// deciding returns a species of all words and a rival, whose game ends differently without any one
// of some words.
func deciding(t *testing.T, g *game, words []sense) (ge, rival gp.Genome) {
	for variant, rival := range enginetest.Bred(g, 200) {
		ge := enginetest.Everything(t, g.grammar, variant)
		all := g.Play(enginetest.Bound(t, g, ge, rival), 1, nil)
		if !slices.ContainsFunc(words, func(r sense) bool {
			op, _ := g.grammar.Lookup(r.name)
			without := enginetest.Without(g.grammar, ge, op)
			return g.Play(enginetest.Bound(t, g, without, rival), 1, nil) == all
		}) {
			return ge, rival
		}
	}
	t.Fatal("no species decides by all words")
	return nil, nil
}

// TestWords holds the README's table of words to the rows.
func TestWords(t *testing.T) {
	var rows [][2]string
	for _, r := range senses {
		if r.memory {
			r.about += "; with `memory`"
		}
		rows = append(rows, [2]string{r.name, r.about})
	}
	enginetest.Words(t, "README.md", rows)
}

// TestVocabularySuffices lets a genome that was written by hand after untitled's rules meet the
// original: what bred species read and do is enough for a player of its strength.
func TestVocabularySuffices(t *testing.T) {
	proof.Slow(t)
	g := proof.Must(New().With(func() *Settings {
		s := DefaultSettings()
		s.WorldSize, s.Rounds, s.MercyRound = 32, 200, 50
		return &s
	}()))(t)
	p := proof.Must(g.Bind(enginetest.Genome(t, g, "testdata/soldiers.species")))(t)
	const boards = 10
	if o := (engine.Match{Boards: boards, Whole: true}).Play(g, p, untitled{},
		3); o.Wins[0] < boards/2 {
		t.Errorf("%d of %d games won", o.Wins[0], o.Games)
	}
}
