package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"clade/gp"
)

// family: 1 has 2 and 3; 2 has 4 and 5; 3 dies without children; 4 has 6, 5 has 7.
const family = `id,ancestor_list,origin_time,destruction_time,note
1,[NONE],0,1,founder
2,[1],1,2,
3,[1],1,2,
4,"[2,3]",2,3,
5,[2],2,3,
6,[4],3,,
7,"[5, 4]",3,inf,
`

func TestReadPhylogeny(t *testing.T) {
	p, err := ReadPhylogeny(strings.NewReader(family), "family.csv")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Taxa) != 7 || p.End() != 3 || fmt.Sprint(p.Taxa[6].Parents) != "[4 3]" ||
		!math.IsInf(p.Taxa[5].Destruction, 1) {
		t.Errorf("read %+v", p)
	}
	for _, c := range []struct {
		at   float64
		want int // id; 0 for none
	}{{0, 1}, {1, 1}, {2, 2}, {3, 2}, {-1, 0}} {
		i, err := p.CommonAncestor(c.at)
		if c.want == 0 && err == nil || c.want != 0 && (err != nil || p.Taxa[i].ID != c.want) {
			t.Errorf("common ancestor at %v: index %d, %v; want id %d", c.at, i, err, c.want)
		}
	}
	want := []AncestorAge{{0, 0}, {1, 1}, {2, 1}, {3, 2}}
	if got := p.AncestorAges(10); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("ages %v, want %v", got, want)
	}
	if got := p.AncestorAges(2); fmt.Sprint(got) != "[{0 0} {3 2}]" {
		t.Errorf("two ages are %v", got)
	}
}

// A copy that migrates has children in the generation of its birth: the record's order tells who
// comes first.
func TestReadPhylogenyWithinAGeneration(t *testing.T) {
	const record = "id,ancestor_list,origin_time,destruction_time\n1,[NONE],0,1\n5,[1],2,3\n7,[5],2,inf\n"
	p, err := ReadPhylogeny(strings.NewReader(record), "x.csv")
	if err != nil {
		t.Fatal(err)
	}
	if i, err := p.CommonAncestor(2); err != nil || p.Taxa[i].ID != 5 || p.Taxa[2].Parents[0] != 1 {
		t.Errorf("common ancestor %d (%v) of %+v", i, err, p)
	}
}

func TestReadPhylogenyRefuses(t *testing.T) {
	head := "id,ancestor_list,origin_time,destruction_time\n"
	for _, c := range []struct{ text, want string }{
		{"", "x.csv is empty"},
		{"id,origin_time\n", "x.csv:1: columns id, ancestor_list and origin_time are needed"},
		{head + "a,[],0,\n", `x.csv:2: id "a" is not a whole number`},
		{head + "1,NONE,0,\n", "is not a list such as"},
		{head + "1,[b],0,\n", `ancestor "b"`},
		{head + "1,[],soon,\n", `origin_time "soon"`},
		{head + "1,[],NaN,\n", `origin_time "NaN"`},
		{head + "1,[],2,1\n", `destruction_time "1"`},
		{head + "1,[],0,\n1,[],0,\n", "x.csv:3: id 1 stands twice"},
		{head + "1,[],0,\n2,[3],1,\n", "x.csv:3: ancestor 3 of 2 is not in the file"},
		{head + "1,[1],0,\n", "ancestor 1 is not older than 1"},
		{head + "1,[2],1,\n2,[],1,\n", "x.csv:2: ancestor 2 is not older than 1"},
		{head + "1,[]\n", "wrong number of fields"},
	} {
		if _, err := ReadPhylogeny(strings.NewReader(c.text), "x.csv"); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q gives %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzReadPhylogeny(f *testing.F) {
	f.Add(family)
	f.Add("id,ancestor_list,origin_time\n1,[NONE],0\n")
	f.Add("\ufeffid,ancestor_list,origin_time\n1,[],-1e300\n2,[1],1e300\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ReadPhylogeny(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		for i, taxon := range p.Taxa {
			for _, parent := range taxon.Parents {
				if parent >= i {
					t.Errorf("parent %d of %d stands behind it", parent, i)
				}
			}
		}
		p.AncestorAges(5)
	})
}

func TestUsage(t *testing.T) {
	ops := append(gp.Shared(), gp.ScalarSensor("points", 0), gp.AreaSensor("noFood", gp.Count, 0))
	g := gp.MustGrammar(gp.Spec{Slots: []gp.Slot{{Name: "a"}, {Name: "b"}}, Operators: ops,
		Scalars: 1,
		Layers:  []gp.Layer{{Name: "food"}}, Window: gp.Window{Side: 5}, Rects: gp.PaperRects})
	op := func(name string) gp.Op {
		o, ok := g.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		return o
	}
	rect := gp.RectNode(op("rect"), gp.Rect{X: 0, Y: 0, W: 2, H: 2})
	genome := gp.Genome{{gp.Leaf(op("noFood")), rect}, {gp.Leaf(op("add")), gp.Leaf(op("points")),
		gp.Leaf(op("points"))}}
	if err := g.Check(genome); err != nil {
		t.Fatal(err)
	}
	shares := Primitives(g, []gp.Genome{genome})
	if shares[op("points")] != 0.4 || shares[op("add")] != 0.2 || shares[op("sub")] != 0 {
		t.Errorf("shares %v", shares)
	}
	share, n := Coverage(g, []gp.Genome{genome}, -1)
	if n != 1 || share[12] != 1 || share[0] != 0 {
		t.Errorf("%d rectangles cover %v", n, share)
	}
	if _, n := Coverage(g, []gp.Genome{genome}, 1); n != 0 {
		t.Errorf("slot b has %d rectangles", n)
	}
}

// TestPrune holds that what is left is the descent of some survivors, and no more than the limit.
func TestPrune(t *testing.T) {
	p := &Phylogeny{}
	// forty a generation, each with a parent of the one before; all die at last
	for i := range 4000 {
		taxon := Taxon{ID: i, Origin: float64(i / 40), Destruction: math.Min(float64(i/40+1), 99)}
		if i >= 40 {
			taxon.Parents = []int{i - 40 - i%40/2, 0}
		}
		p.Taxa = append(p.Taxa, taxon)
	}
	if all, alive := p.Prune(4000, nil); alive != 80 || len(all.Taxa) == len(p.Taxa) {
		t.Errorf("%d taxa, %d alive", len(all.Taxa), alive)
	}
	const dead = 39 // without heirs
	some, _ := p.Prune(4000, nil)
	more, _ := p.Prune(4000, []int{dead, -1})
	if len(more.Taxa) != len(some.Taxa)+1 {
		t.Errorf("%d taxa, with one that has no heirs %d", len(some.Taxa), len(more.Taxa))
	}
	last := len(p.Taxa) + 1
	for _, limit := range []int{3999, 500, 300, 1} {
		pruned, alive := p.Prune(limit, nil)
		if n := len(pruned.Taxa); n > limit && alive > 1 || n > last || alive == 0 {
			t.Errorf("%d taxa of %d alive, at most %d are wanted", n, alive, limit)
		}
		last = len(pruned.Taxa)
		found := 0
		for i, taxon := range pruned.Taxa {
			whole := p.Taxa[taxon.ID]
			if pruned.Alive(i, p.End(), p.End()) {
				found++
			}
			if taxon.Origin != whole.Origin ||
				len(taxon.Parents) == 0 != (len(whole.Parents) == 0) ||
				len(taxon.Parents) > 0 &&
					pruned.Taxa[taxon.Parents[0]].ID != p.Taxa[whole.Parents[0]].ID {
				t.Fatalf("taxon %d is %+v; it was %+v", i, taxon, whole)
			}
		}
		if found < alive {
			t.Errorf("%d are alive of %d", found, alive)
		}
	}
}
