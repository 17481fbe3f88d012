package analysis

import (
	"fmt"
	"strings"
	"testing"

	"clade/gp/proof"
)

// The trees are written by hand from the description of the format at PHYLIP's
// (https://phylipweb.github.io/phylip/newicktree.html): descendants in brackets before the name, a
// colon before the length, a semicolon behind the root.
func TestWriteNewick(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"origin_time\n1,[],0\n2,[1],6\n3,[1],5\n6,[1],11\n", "(3:5,2:6,6:11)1;\n"},
		{"origin_time\n1,[],0\n2,[1],6\n3,[1],7\n4,[3],10\n5,[3],8.25\n6,[1],11\n",
			"(2:6,(5:1.25,4:3)3:7,6:11)1;\n"},
		{"x\n1,[],0\n2,[1],6\n3,[2],7\n4,[],8\n", "((3)2)1;\n4;\n"}, // no times, no lengths
		{"origin_time\n2,\"[1,7]\",1e-7\n7,[],0\n1,[],0\n", "7;\n(2:0.0000001)1;\n"},
	} {
		p := proof.Must(ReadPhylogeny(strings.NewReader("id,ancestor_list,"+c.rows), "x"))(t)
		var b strings.Builder
		proof.OK(t, p.WriteNewick(&b))
		proof.Is(t, b.String(), c.want, "%q", c.rows)
	}
	deep := &Phylogeny{Taxa: []Taxon{{}}}
	const n = 200_000
	for i := 1; i < n; i++ {
		deep.Taxa = append(deep.Taxa, Taxon{ID: i, Parents: []int{i - 1}, Origin: float64(i)})
	}
	var b strings.Builder
	if err := deep.WriteNewick(&b); err != nil ||
		!strings.HasPrefix(b.String(), strings.Repeat("(", n-1)+fmt.Sprint(n-1, ":1)")) {
		t.Errorf("a deep tree begins %s (%v)", b.String()[:40], err)
	}
}
