package analysis

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// family: 1 has 2 and 3; 2 has 4 and 5; 3 dies without children; 4 has 6, 5 has 7.
const family = `id,ancestor_list,origin_time,destruction_time,note
1,[NONE],0,1,founder
2,[1],1,2,
3,[1],1,2,
4,"[2,3]",2,2.5,
5,[2],2,2.5,
6,[4],3,,
7,"[5, 4]",3,inf,
`

// The family is written by hand in the ALife data standard, its ages counted on paper; files of
// others are in cmd/cli.
func TestReadPhylogeny(t *testing.T) {
	p := proof.Must(ReadPhylogeny(strings.NewReader(family), "family.csv"))(t)
	if len(p.Taxa) != 7 || p.end() != 3 || fmt.Sprint(p.Taxa[6].Parents) != "[4 3]" ||
		!math.IsInf(p.Taxa[5].Destruction, 1) {
		t.Errorf("read %+v", p)
	}
	for _, c := range []struct {
		at   float64
		want int // id; 0 for none
	}{{0, 1}, {1, 1}, {2, 2}, {3, 2}, {-1, 0}} {
		i, err := p.commonAncestor(c.at)
		if c.want == 0 && err == nil || c.want != 0 && (err != nil || p.Taxa[i].ID != c.want) {
			t.Errorf("common ancestor at %v: index %d, %v; want id %d", c.at, i, err, c.want)
		}
	}
	want := []ancestorAge{{0, 0}, {1, 1}, {2, 1}, {2.5, math.NaN()}, {3, 2}}
	proof.Is(t, fmt.Sprint(p.AncestorAges(10)), fmt.Sprint(want), "ages")
	proof.Is(t, fmt.Sprint(p.AncestorAges(2)), "[{0 0} {3 2}]", "two ages")
}

// Columns of numbers are kept, whatever the order of the rows; these are written by hand.
func TestNumbersOfAPhylogeny(t *testing.T) {
	p := proof.Must(ReadPhylogeny(strings.NewReader("size,id,ancestor_list,"+
		"origin_time,operator,depth\n7,2,[1],1,crossover,\n5,1,[],0,3,2\n"), "sizes.csv"))(t)
	proof.Is(t, fmt.Sprint(p.Numbers), "map[depth:[2 NaN] size:[5 7]]", "the numbers")
}

// A copy that migrates has children in the generation of its birth: the record's order tells who
// comes first.
func TestReadPhylogenyWithinAGeneration(t *testing.T) {
	const record = "id,ancestor_list,origin_time,destruction_time\n1,[NONE],0,1\n5,[1],2,3\n7,[5],2,inf\n"
	p := proof.Must(ReadPhylogeny(strings.NewReader(record), "x.csv"))(t)
	if i, err := p.commonAncestor(2); err != nil || p.Taxa[i].ID != 5 || p.Taxa[2].Parents[0] != 1 {
		t.Errorf("common ancestor %d (%v) of %+v", i, err, p)
	}
}

func TestReadPhylogenyRefuses(t *testing.T) {
	head := "id,ancestor_list,origin_time,destruction_time\n"
	also := "id,ancestor_list,ancestor_id\n"
	for _, c := range []struct{ text, want string }{
		{"", "x.csv is empty"},
		{" \n\t\n", "x.csv is empty"},
		{"id,origin_time\n", "x.csv:1: the columns id and ancestor_list are needed"},
		// a picture or a log of one line, which was told whole
		{strings.Repeat("x", 5000), "there are xxx"},
		{"id,id,ancestor_list\n", "x.csv:1: the column id stands twice"},
		{"i\x00d\x00", "x.csv: the text is in UTF-16"},
		{head + "a,[],0,\n", `x.csv:2: id: "a" is not a whole number from 0`},
		{head + "-1,[],0,\n", `x.csv:2: id: "-1" is not a whole number from 0`},
		{head + "1.5,[],0,\n", `x.csv:2: id: "1.5" is not a whole number from 0`},
		{head + ",[],0,\n", `x.csv:2: id: "" is not a whole number`},
		{head + "99999999999999999999,[],0,\n", "to 9223372036854775807, as ids are"},
		{head + "1,NONE,0,\n", `x.csv:2: ancestor_list: "NONE" is not a list; write [3]`},
		{head + "1,[b],0,\n", `x.csv:2: ancestor_list: "b" is not`},
		{head + "1,[-1],0,\n", `x.csv:2: ancestor_list: "-1" is not`},
		{head + "0,[],0,\n1,\"[0,none]\",0,\n", `x.csv:3: ancestor_list: "none" is not`},
		{head + "0,[],0,\n1,\"[0,]\",0,\n", `x.csv:3: ancestor_list: "" is not`},
		{head + "0,[],0,\n1,[0 0],0,\n", `x.csv:3: ancestor_list: "0 0" is not`},
		{head + "1,[],soon,\n", `x.csv:2: origin_time: "soon" is not a number`},
		{head + "1,[],inf,\n", `x.csv:2: origin_time: "inf" is not a number`},
		{head + "1,[],0,late\n", `x.csv:2: destruction_time: "late" is not a number`},
		{head + "1,[],0,-inf\n", `x.csv:2: destruction_time: "-inf" is not a number`},
		{head + "1,[],2,1\n", "x.csv:2: destruction_time: 1 lies before the origin_time, 2"},
		{head + "1,[],0,\n\n1,[],0,\n", "x.csv:4: id: 1 stands twice, first in line 2"},
		{head + "1,[],0,\n2,[3],1,\n", "x.csv:3: ancestor_list: ancestor 3 of 2 is not in the"},
		{head + "1,[1],0,\n", "1 descends from itself, a cycle by way of the ancestors 1;"},
		{head + "1,[2],1,\n2,[1],2,\n", "1 descends from itself, a cycle by way of the ancestors 2, 1;"},
		{head + "1,[2],1,\n2,[],3,\n", "x.csv:2: ancestor_list: ancestor 2 of 1 is the younger"},
		{head + "1,[]\n", "x.csv:2: the row has 2 fields and the header 4"},
		{head + "1,[],0,\n2,[1,1],0,\n", "x.csv:3: the row has 5 fields and the header 4"},
		{head + "1,[],0,\"\n2,[1],0,\n", "x.csv:2: a field begins with a double quote"},
		{also + "0,[],1\n1,[0],0\n", "x.csv:2: ancestor_id: it is not what ancestor_list tells"},
		{also + "0,[],\n1,[0],\n", "x.csv:3: ancestor_id: it is not what ancestor_list tells"},
		{also + "0,[],0\n1,\"[0,0]\",0\n", "x.csv:3: ancestor_id: it is not what"},
		{also + "0,[],7\n", "x.csv:2: ancestor_id: ancestor 7 of 0 is not in the file"},
		{also + "0,[],-1\n", `x.csv:2: ancestor_id: "-1" is not a whole number`},
		{"{\n\"0\":\n{\"id\": 0}}", "x.csv:3: the JSON is not understood: id and ancestor_list"},
		{"[{\"id\": 0, \"ancestor_list\": []},\n 7]", "x.csv:2: the JSON is not understood"},
		{"[{\"id\": 0, \"ancestor_list\": []}", "x.csv:1: the JSON is not understood"},
		{"[{\"id\": 0, \"ancestor_list\": []}]\n{}", "x.csv:2: the JSON is not understood"},
		{"[{\"id\": 0, \"ancestor_list\": []},\n\n{\"id\": 1, \"ancestor_list\": [2]}]",
			"x.csv:3: ancestor_list: ancestor 2 of 1 is not in the file"},
	} {
		_, err := ReadPhylogeny(strings.NewReader(c.text), "x.csv")
		if proof.Says(t, err, c.want); len(err.Error()) > 400 {
			t.Errorf("%d bytes: %.100v", len(err.Error()), err)
		}
	}
}

// The ways of writing are those of programs of the ALife data standard, as their test files and
// reports show them: quoted ids, JSON, numpy's and R's words for nothing, rows in any order.
func TestReadPhylogenyAsWritten(t *testing.T) {
	family := func(origin string, rows ...string) string {
		return "id,ancestor_list," + origin + "\n" + strings.Join(rows, "\n")
	}
	timed := func(none, alive string) string {
		return family("origin_time,destruction_time", "0,"+none+",0,1", "1,[0],1,2",
			"2,['0'],1,"+alive, "3,[1],2,"+alive)
	}
	texts := map[string]string{"json": `{
  "0": {"id": "0", "ancestor_list": ["none"], "origin_time": "0", "destruction_time": "1"},
  "1": {"id": "1", "ancestor_list": ["0"], "origin_time": "1", "destruction_time": "2"},
  "2": {"id": "2", "ancestor_list": ["0"], "origin_time": "1", "destruction_time": "none"},
  "3": {"id": "3", "ancestor_list": ["1"], "origin_time": "2", "destruction_time": "none"}}`,
		"records": `[{"id":0,"ancestor_list":"[none]","origin_time":0,"destruction_time":1},
{"id":1,"ancestor_list":[0],"origin_time":1.0,"destruction_time":2,"ancestor_id":0},
{"id":2,"ancestor_list":[0],"origin_time":1,"destruction_time":Infinity,"ancestor_id":0},
{"id":3,"ancestor_list":[1],"origin_time":2,"destruction_time":NaN,"ancestor_id":1}]`,
		"tail first": family("origin_time,destruction_time", "3,[1],2,inf", "2,[0],1,",
			"1,[0],1,2", "0,[none],0,1\r\n\r\n"),
		"quotes": family("genome,\"origin_time\",destruction_time", `"0",["NONE"],a "b" c,0,1`,
			`'1', "[""0""]","a, ""b""`+"\nc\",1,2", `"2",["0"],"x" y,1,`, `3,"["1"]",z",2,`),
		"also": family("ancestor_id,origin_time,destruction_time", "0,[none],,0,1", "1,[0],0.0,1,2",
			"2,[0],0,1,", "3,[1],1,2,"),
		"also itself": family("origin_time,destruction_time,ancestor_id", "0,[],0,1,0",
			"1,[0],1,2,0", "2,[0],1,,0", "3,[1],2,,1")}
	for _, none := range []string{"[none]", "[None]", "[]", "[NONE]", "['none']", `"[""none""]"`,
		`["NONE"]`, "[ ]", "", "[nan]", `"[none, none]"`} {
		texts[none] = timed(none, "inf")
	}
	for _, alive := range []string{"none", "None", "nan", "NaN", "NA", "", "inf", "Inf", "+inf",
		"Infinity", "null", "'none'", "N/A"} {
		texts[alive+" "] = timed("[none]", alive)
		texts[alive+" with a mark"] = "\ufeff" + timed("[none]", alive)
	}
	for name, text := range texts {
		p, err := ReadPhylogeny(strings.NewReader(text), "x")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ages := p.AncestorAges(1)
		if p.Untimed != "" || len(p.Taxa) != 4 || p.Taxa[3].ID != 3 ||
			p.Taxa[3].Destruction != math.Inf(1) || fmt.Sprint(ages) != "[{2 2}]" {
			t.Errorf("%s: %+v, ages %v", name, p, ages)
		}
	}
}

// The numbers are counted by hand from who is alive when.
func TestAncestorAges(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		// at 20 live 3 and 4; 1 dies then, and does not count
		{"0,[],0,10\n1,[0],10,20\n2,[0],10,12\n3,[1],15,inf\n4,[1],15,inf\n5,[2],12,18\n", "[{20 10}]"},
		// who dies at the end is none of its survivors
		{"0,[],0,20\n1,[0],5,20\n2,[0],5,inf\n3,[2],10,inf\n", "[{20 15}]"},
		// all die: the last are those of the end
		{"0,[],0,4\n1,[0],1,9\n2,[1],3,9\n3,[0],2,8\n", "[{9 8}]"},
		// time goes on behind the last birth
		{"0,[],0,inf\n1,[0],1,7\n", "[{7 7}]"},
		{"0,[],0,inf\n1,[],0,\n", "[{0 NaN}]"},
	} {
		p := proof.Must(ReadPhylogeny(strings.NewReader("id,ancestor_list,origin_time,destruction_time\n"+
			c.rows), "x"))(t)
		proof.Is(t, fmt.Sprint(p.AncestorAges(1)), c.want, "%q", c.rows)
	}
}

// Without times, taxa stand at their depth, counted by hand, whatever the order of rows.
func TestReadPhylogenyWithoutTimes(t *testing.T) {
	for _, c := range []struct{ text, want, untimed string }{
		{"id,ancestor_list\n3,[1]\n1,[0]\n2,[0]\n0,[none]\n", "[0@0 1@1 2@1 3@2]",
			"no taxon has an origin_time"},
		{"id,ancestor_list,origin_time\n0,[],4\n1,[0],\n", "[0@0 1@1]",
			"taxon 1, in line 3, has no origin_time"},
		// the deepest ancestor counts
		{"id,ancestor_list\n9,[none]\n5,[9]\n6,\"[9,5]\"\n", "[9@0 5@1 6@2]",
			"no taxon has an origin_time"},
	} {
		p := proof.Must(ReadPhylogeny(strings.NewReader(c.text), "x"))(t)
		var got []string
		for _, taxon := range p.Taxa {
			got = append(got, fmt.Sprintf("%d@%g", taxon.ID, taxon.Origin))
		}
		if fmt.Sprint(got) != c.want || p.Untimed != c.untimed {
			t.Errorf("%q: %v, %q", c.text, got, p.Untimed)
		}
	}
}

func FuzzReadPhylogeny(f *testing.F) {
	f.Add(family)
	f.Add("id,ancestor_list,origin_time\n1,[NONE],0\n")
	f.Add("\ufeffid,ancestor_list,origin_time\n1,[],-1e300\n2,[1],1e300\n")
	f.Add("id,ancestor_list,a\n1,[\"NONE\"],\"x\" y\n2,\"[\"\"1\"\"]\",\"\n\"\n")
	f.Add(`{"1": {"id": "1", "ancestor_list": ["none"]}, "2": {"id": 2, "ancestor_list": [1]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ReadPhylogeny(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		for i, taxon := range p.Taxa {
			for _, parent := range taxon.Parents {
				if parent >= i || p.Taxa[parent].Origin > taxon.Origin {
					t.Errorf("parent %d of %d stands behind it", parent, i)
				}
			}
		}
		p.AncestorAges(5)
		proof.OK(t, p.WriteNewick(io.Discard))
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
	proof.OK(t, g.Check(genome))
	shares := Primitives(g, []gp.Genome{genome})
	if shares[op("points")] != 0.4 || shares[op("add")] != 0.2 || shares[op("sub")] != 0 {
		t.Errorf("shares %v", shares)
	}
	share, n := Coverage(g, []gp.Genome{genome, genome}, -1)
	if n != 2 || share[12] != 1 || share[0] != 0 {
		t.Errorf("%d rectangles cover %v", n, share)
	}
	_, n = Coverage(g, []gp.Genome{genome}, 1)
	proof.Is(t, n, 0, "rectangles of slot b")
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
	proof.Is(t, len(more.Taxa), len(some.Taxa)+1, "taxa, with one that has no heirs")
	last := len(p.Taxa) + 1
	for _, limit := range []int{3999, 500, 300, 1} {
		pruned, alive := p.Prune(limit, nil)
		if n := len(pruned.Taxa); n > limit && alive > 1 || n > last || alive == 0 {
			t.Errorf("%d taxa of %d alive, at most %d are wanted", n, alive, limit)
		}
		last = len(pruned.Taxa)
		found, lives := 0, pruned.alive(p.end())
		for i, taxon := range pruned.Taxa {
			whole := p.Taxa[taxon.ID]
			if lives[i] {
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
