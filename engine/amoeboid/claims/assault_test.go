package claims

import (
	"testing"

	"clade/engine/amoeboid"
)

func TestAssaultOld(t *testing.T) {
	p := corners(46, 1, amoeboid.A)
	s := assault{g: board(), limit: 1000000}
	t.Log(s.wins(p, 6), s.nodes)
}
