package league_test

import (
	"testing"

	"clade/engine"
	"clade/experiments/league"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/gp/proof"
)

// scope is the games, with the trust that files of this machine have.
var scope = runnertest.Scope()

// TestIntrons knows of one subtree that cannot matter, one that matters when an enemy is near, and
// one that always does.
func TestIntrons(t *testing.T) {
	g := proof.Must(study.NewGame(scope, "antwars"))(t)
	ge := proof.Must(g.Grammar().Parse(
		"(if (isSmaller (constint 1) (constint 0)) (mul points points) " +
			"(add foodHope (noFood (rect 0 -2 3 3)))) foodHope"))(t)
	introns, decisions, err := league.Introns(t.Context(), g, ge, 500, engine.Seed(1), nil)
	if err != nil || decisions < 500 {
		t.Fatal(decisions, err)
	}
	names := map[int]string{}
	for i, n := range ge[0] {
		names[i] = g.Grammar().Operators[n.Op].Name
	}
	for i, dead := range introns[0] {
		want := names[i] == "mul" || names[i] == "points" // the branch that is never taken
		if i < 4 {
			continue // of the condition, some substitutes leave it false
		}
		proof.Is(t, dead, want, "node %d, %s: dead", i, names[i])
	}
}
