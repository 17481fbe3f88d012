package league_test

import (
	"context"
	"testing"

	"clade/engine/games/antwars"
	"clade/experiments/league"
	"clade/gp/proof"
)

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
