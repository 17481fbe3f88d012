package league_test

import (
	"context"
	"path/filepath"
	"testing"

	"clade/engine/games/santafe"
	"clade/experiments/compare"
	"clade/experiments/league"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/proof"
)

// TestGameForOne carries a study of a game for one out to its figures, and looks for introns in its
// champion.
func TestGameForOne(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	s := proof.Must(study.Read(scope, "../santafe/koza.toml", "evolve.population=60",
		"evolve.generations=4", "evolve.probes.games=2", "evolve.probes.every=2"))(t)
	sum := proof.Must(runner.Start(context.Background(), dir, s, runner.Options{}))(t)
	if sum.Final != nil || len(sum.Figures) == 0 {
		t.Errorf("%+v", sum)
	}
	groups := proof.Must(compare.OpenGroups(scope, []string{dir}, nil))(t)
	proof.Fails(compare.Compare(t.Context(), groups, compare.CompareOptions{}))(t,
		"santafe is for one player")
	g := santafe.New()
	if _, err := player.ReadSpecies(g, *sum.ChampionPath()); err != nil {
		t.Error(err)
	}
	ge := proof.Must(g.Grammar().Parse("(if-food-ahead (if-food-ahead move left) right)"))(t)
	introns, _, err := league.Introns(t.Context(), g, ge, 100, 1, nil)
	proof.OK(t, err)
	if dead := introns[0]; dead[0] || dead[2] || !dead[3] || dead[4] {
		t.Errorf("introns %v; the inner left is never reached", dead)
	}
}
