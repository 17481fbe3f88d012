package league

import (
	"testing"

	"clade/gp/proof"
)

// TestLabels: figures call a player what tells it apart, and never by a place.
func TestLabels(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"hyper", "run:/tmp/x/plain-1", "run:/tmp/x/plain-1@50", "results/a/b.species"},
			[]string{"hyper", "plain-1", "plain-1@50", "b"}},
		{[]string{"run:runs/1/merge", "run:runs/2/merge", "run:merge"},
			[]string{"1/merge", "2/merge", "merge"}},
		{[]string{"three", "results/amoeboid/three.species", "solver(3000)"},
			[]string{"three", "amoeboid/three", "solver(3000)"}},
		{[]string{"a.species", "a.species"}, []string{"a", "a"}},
		{[]string{"persist:python3 /x/bot.py", "exec:/x/bot"},
			[]string{"persist:python3 /x/bot.py", "exec:/x/bot"}},
	} {
		proof.Are(t, Labels(c.names), c.want, "labels of %q", c.names)
	}
}
