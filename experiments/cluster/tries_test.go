package cluster

import (
	"testing"

	"clade/gp/proof"
)

// TestTries counts by hand what three workers say of one run: it is set aside at the fourth try
// that got no further, or when the third tells what it failed in, and the last fault is told.
func TestTries(t *testing.T) {
	begin := func(host string, from int) *result {
		return &result{Key: "k", Host: host, Generation: from}
	}
	back := func(host string) *result {
		return &result{Key: "k", Host: host, Back: true}
	}
	failed := func(host string) *result {
		return &result{Key: "k", Host: host, Error: "poison"}
	}
	const aside = "set aside after 3 tries that did not get any further; the last: "
	for what, c := range map[string]struct {
		said []*result
		want string // of the last; the others are to go on
	}{
		"silent": {[]*result{begin("a", 0), begin("b", 0), begin("c", 0), begin("a", 0)},
			aside + "worker c was not heard of any more"},
		"failing": {[]*result{begin("a", 0), failed("a"), begin("b", 0), failed("b"),
			begin("c", 0), failed("c")}, aside + "poison, on worker c"},
		"failing where nobody heard that it began": {[]*result{failed("a"), failed("b"),
			failed("c")}, aside + "poison, on worker c"},
		"silent after a fault": {[]*result{begin("a", 0), failed("a"), begin("b", 0),
			begin("c", 0), begin("a", 0)}, aside + "worker c was not heard of any more"},
		"further": {[]*result{begin("a", 0), begin("b", 0), begin("c", 0), begin("a", 1),
			begin("b", 1), begin("c", 1)}, ""},
		"no further": {[]*result{begin("a", 5), begin("b", 3), begin("c", 5), begin("a", 4)},
			aside + "worker c was not heard of any more"},
		"stepping down": {[]*result{begin("a", 0), back("a"), begin("b", 0), back("b"),
			begin("a", 0), back("a"), begin("c", 0), back("c"), begin("b", 0)}, ""},
		"back before it began": {[]*result{begin("a", 0), begin("b", 0), begin("c", 0),
			back("x"), begin("a", 0)}, aside + "worker c was not heard of any more"},
	} {
		all := tries{}
		for i, r := range c.said {
			want := ""
			if i == len(c.said)-1 {
				want = c.want
			}
			proof.Is(t, all.note(r), want, "%s, %d", what, i)
		}
	}
}

// TestLost has what a worker said that was stopped before its run's first checkpoint.
func TestLost(t *testing.T) {
	var under UnderWay
	under.change("big.1b16c605", func(p *piece) {
		p.study, p.handed, p.Generation = "big", -1, 280
	})
	if got, want := under.Lost(), "run 1b16c605 of big from generation 0 to 280"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
