package amoebas

import (
	_ "embed"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

//go:embed testdata/soldiers.species
var soldiers string

// TestVocabularySuffices lets a genome that was written by hand after untitled's rules meet the
// original: what bred species read and do is enough for a player of its strength.
func TestVocabularySuffices(t *testing.T) {
	proof.Slow(t)
	g := proof.Must(New().With(func() *Settings {
		s := DefaultSettings()
		s.WorldSize, s.Rounds, s.MercyRound = 32, 200, 50
		return &s
	}()))(t)
	s := proof.Must(gp.ParseSpecies(soldiers,
		func(string, int) (*gp.Grammar, error) { return g.Grammar(), nil }))(t)
	p := proof.Must(g.Bind(s.Genome))(t)
	const boards = 10
	if o := (engine.Match{Boards: boards, Whole: true}).Play(g, p, untitled{},
		3); o.Wins[0] < boards/2 {
		t.Errorf("%d of %d games won", o.Wins[0], o.Games)
	}
}
