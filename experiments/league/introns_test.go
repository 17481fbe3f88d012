package league_test

import (
	"context"
	"testing"

	"clade/engine"
	"clade/engine/games/antwars"
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

// TestPrune holds that what cannot matter goes and the rest stays, and that Alike sees a
// difference.
func TestPrune(t *testing.T) {
	g := antwars.New()
	ge := proof.Must(g.Grammar().Parse(`(add (mul foodHope (constint 3))
	  (if (isSmaller points (constint 0)) (noVisited (rect 0 0 3 3)) (noFood (rect 0 -2 3 3))))
	  (add foodHope (sub timeLeft timeLeft))`))(t)
	pruned, decisions, err := league.Prune(context.Background(), g, ge, 500, 7)
	proof.OK(t, err)
	if decisions < 500 || pruned.Size() >= ge.Size() {
		t.Errorf("%d nodes of %d are left after %d decisions", pruned.Size(), ge.Size(), decisions)
	}
	for _, c := range []struct {
		name      string
		least, to int
	}{{"itself", 60, 60}, {"another", 0, 59}} {
		b := ge
		if c.name == "another" {
			b = proof.Must(g.Grammar().Parse("foodHope timeLeft"))(t)
		}
		alike, err := league.Alike(context.Background(), g, ge, b, 60, 8)
		if err != nil || alike < c.least || alike > c.to {
			t.Errorf("%s plays %d of 60 games alike, %v", c.name, alike, err)
		}
	}
}
