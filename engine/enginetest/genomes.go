package enginetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

// depthLimit is the depth up to which every game must bind genomes, the default limit of variation.
// Beyond it Bind may return an error.
const depthLimit = 8

// randomGenomes returns n genomes like those of a first generation.
func randomGenomes(g engine.Game, n int) []gp.Genome {
	r := rand.New(rand.NewPCG(2007, 5))
	genomes := make([]gp.Genome, n)
	for i := range genomes {
		genomes[i] = g.Grammar().Ramped(r, 2, 6)
	}
	return genomes
}

// Player returns a game's built-in player by name.
func Player(tb testing.TB, g engine.Game, name string) engine.Player {
	tb.Helper()
	roster := g.(engine.Roster).Players()
	i := slices.IndexFunc(roster, func(e engine.Entry) bool { return e.Name == name })
	if i < 0 {
		tb.Fatalf("no player %q", name)
	}
	p := proof.Must(roster[i].New(""))(tb)
	return p
}

// Kept returns the genome of a species that results keeps of a game, for tests of the game's package.
func Kept(tb testing.TB, g engine.Game, name string) gp.Genome {
	tb.Helper()
	return Genome(tb, g, filepath.Join("../../../results", g.Info().Name, name+".species"))
}

// Genome returns that of a species file, which must be of the game and its rules as played.
func Genome(tb testing.TB, g engine.Game, file string) gp.Genome {
	tb.Helper()
	info := g.Info()
	s := proof.Must(gp.ParseSpecies(string(proof.Must(os.ReadFile(file))(tb)),
		func(game string, version int) (*gp.Grammar, error) {
			proof.Is(tb, fmt.Sprint(game, version), fmt.Sprint(info.Name, info.Version), "%s is of", file)
			return g.Grammar(), nil
		}))(tb)
	return s.Genome
}

// Bound returns the players of genomes, which must fit.
func Bound(tb testing.TB, g engine.Game, genomes ...gp.Genome) []engine.Player {
	tb.Helper()
	return proof.Must(bindAll(g, genomes))(tb)
}

// Sized returns n genomes of about size nodes, within a fifth, made by crossing parents with
// variation v: of two children the one nearer to the size replaces a parent. The parents must have
// enough nodes together, and v's depth limit must allow the size.
func Sized(g *gp.Grammar, parents []gp.Genome, n, size int, v *gp.Variation) []gp.Genome {
	r := rand.New(rand.NewPCG(1, 2))
	parents = slices.Clone(parents)
	off := func(ge gp.Genome) int { return max(ge.Size()-size, size-ge.Size()) }
	var out []gp.Genome
	for len(out) < n {
		i, j := r.IntN(len(parents)), r.IntN(len(parents))
		child, other := g.Cross(r, parents[i], parents[j], v)
		if off(other) < off(child) {
			child = other
		}
		if off(child) <= max(off(parents[i]), size/5) {
			parents[i] = child
		}
		if off(child) <= size/5 {
			out = append(out, child)
		}
	}
	return out
}

// Bred returns n genomes of all sizes and depths up to 17: a population without selection after
// twenty crossovers for each genome.
func Bred(g engine.Game, n int) []gp.Genome {
	r := rand.New(rand.NewPCG(1, 1))
	population := make([]gp.Genome, n)
	for i := range population {
		population[i] = g.Grammar().Ramped(r, 2, 6)
	}
	for range 20 * n {
		i, j := r.IntN(n), r.IntN(n)
		population[i], population[j] = g.Grammar().Cross(r, population[i], population[j], &crossing)
	}
	return population
}

// crossing is the variation of Koza's book without copies.
var crossing = gp.Variation{Crossover: 1, MaxDepth: 17, Slots: 1, Inner: 0.9}

// oddGenome is a genome at the limits of the grammar, or beyond them.
type oddGenome struct {
	name   string
	genome gp.Genome
	must   bool // must be bound, because it fits the grammar and is at most depthLimit deep
}

// hostileGenomes returns leaves, full trees, trees of infinite and NaN values, and trees beyond all
// limits.
func hostileGenomes(g engine.Game) []oddGenome {
	grammar := g.Grammar()
	var all []oddGenome
	add := func(name string, must bool, tree func(t gp.Type) gp.Tree) {
		h := oddGenome{name: name, must: must}
		for _, slot := range grammar.Slots {
			h.genome = append(h.genome, tree(slot.Type))
		}
		all = append(all, h)
	}
	r := rand.New(rand.NewPCG(7, 7))
	for i := range 3 {
		add(fmt.Sprintf("full trees %d", i), true,
			func(t gp.Type) gp.Tree { return grammar.Full(r, t, depthLimit) })
	}
	add("leaves", true, func(t gp.Type) gp.Tree { return grammar.Full(r, t, 1) })
	add("broad trees", true, func(t gp.Type) gp.Tree { return broad(grammar, r, nil, t, 6) })
	five, isFive := lookup(grammar, gp.ConstInt)
	mul, isMul := lookup(grammar, gp.Mul)
	sub, isSub := lookup(grammar, gp.Sub)
	if !isFive || !isMul || !isSub {
		return all
	}
	float := func(depth int) func(tree func(int) gp.Tree) func(gp.Type) gp.Tree {
		return func(tree func(int) gp.Tree) func(gp.Type) gp.Tree {
			return func(t gp.Type) gp.Tree {
				if t != gp.Float {
					return grammar.Full(r, t, depth)
				}
				return tree(depth)
			}
		}
	}
	constant := func(v float32) func(int) gp.Tree {
		return func(int) gp.Tree { return gp.Tree{gp.ConstNode(five, v)} }
	}
	infinite := func(depth int) gp.Tree { return power(gp.Leaf(mul), gp.ConstNode(five, 5), depth) }
	undefined := func(depth int) gp.Tree {
		t := append(gp.Tree{gp.Leaf(sub)}, infinite(depth-1)...)
		return append(t, infinite(depth-1)...)
	}
	add("zero", true, float(1)(constant(0)))
	add("five", true, float(1)(constant(5)))
	add("infinite", true, float(depthLimit)(infinite))
	add("negative infinite", true, float(depthLimit)(func(depth int) gp.Tree {
		return append(gp.Tree{gp.Leaf(sub), gp.ConstNode(five, 0)}, infinite(depth-1)...)
	}))
	add("undefined", true, float(depthLimit)(undefined))
	add("deep", false,
		float(200)(func(depth int) gp.Tree {
			return chain(gp.Leaf(sub), gp.ConstNode(five, 1), depth)
		}))
	return all
}

// lookup returns the operator of a form.
func lookup(g *gp.Grammar, form gp.Form) (gp.Op, bool) {
	i := slices.IndexFunc(g.Operators, func(op gp.Operator) bool { return op.Form == form })
	return gp.Op(max(i, 0)), i >= 0
}

// power returns the full binary tree of one operator over one leaf. At depth 8 5 is multiplied 128
// times, which overflows binary32.
func power(inner, leaf gp.Node, depth int) gp.Tree {
	if depth <= 1 {
		return gp.Tree{leaf}
	}
	half := power(inner, leaf, depth-1)
	return append(append(gp.Tree{inner}, half...), half...)
}

// chain returns the narrowest tree of one binary operator over one leaf.
func chain(inner, leaf gp.Node, depth int) gp.Tree {
	var t gp.Tree
	for range depth - 1 {
		t = append(t, inner, leaf)
	}
	return append(t, leaf)
}

// broad appends a tree whose inner nodes are the operators with the most arguments.
func broad(g *gp.Grammar, r *rand.Rand, tree gp.Tree, t gp.Type, depth int) gp.Tree {
	best, arity := gp.Op(0), 0
	for i, op := range g.Operators {
		if op.Result == t && len(op.Args) > arity && fits(g, op, depth) {
			best, arity = gp.Op(i), len(op.Args)
		}
	}
	if arity == 0 {
		return append(tree, g.Full(r, t, 1)...)
	}
	tree = append(tree, gp.Leaf(best))
	for _, a := range g.Operators[best].Args {
		tree = broad(g, r, tree, a, depth-1)
	}
	return tree
}

// fits reports whether a tree with the operator as root can be as shallow as depth.
func fits(g *gp.Grammar, op gp.Operator, depth int) bool {
	for _, a := range op.Args {
		if g.TypeDepth(a) > depth-1 {
			return false
		}
	}
	return true
}

// misfits returns genomes that do not fit the grammar.
func misfits(g engine.Game) []oddGenome {
	grammar := g.Grammar()
	fit := randomGenomes(g, 1)[0]
	first := func(t gp.Tree) gp.Genome { return append(gp.Genome{t}, fit[1:]...) }
	wrong := []oddGenome{
		{name: "no genome"},
		{name: "a tree less", genome: fit[1:]},
		{name: "a tree more", genome: append(fit.Clone(), fit[0])},
		{name: "an empty tree", genome: first(nil)},
		{name: "a node more", genome: first(append(fit.Clone()[0], fit[0][0]))},
		{name: "a node less", genome: first(fit[0][:len(fit[0])-1])},
		{name: "an unknown operator", genome: first(gp.Tree{gp.Leaf(255)})},
	}
	for i, op := range grammar.Operators {
		if op.Result != grammar.Slots[0].Type && len(op.Args) == 0 && op.Form != gp.RectC {
			wrong = append(wrong, oddGenome{name: "a wrong type, " + op.Name,
				genome: first(gp.Tree{gp.Leaf(gp.Op(i))})})
		}
		if op.Form == gp.Const && grammar.Slots[0].Type == gp.Float {
			wrong = append(wrong,
				oddGenome{name: "a constant out of range", genome: first(gp.Tree{gp.ConstNode(gp.Op(i), 2)})})
		}
	}
	return wrong
}

// bindAll binds genomes, which must fit.
func bindAll(g engine.Game, genomes []gp.Genome) ([]engine.Player, error) {
	players := make([]engine.Player, len(genomes))
	for i, ge := range genomes {
		p, err := g.Bind(ge)
		if err != nil || p == nil {
			return nil, fmt.Errorf(
				"random genome %d of the game's own grammar is bound to %v, error %v", i, p, err)
		}
		players[i] = p
	}
	return players, nil
}

// rosterPlayers returns the built-in players that need no arguments.
func rosterPlayers(g engine.Game) []engine.Player {
	roster, ok := g.(engine.Roster)
	if !ok {
		return nil
	}
	var players []engine.Player
	for _, e := range roster.Players() {
		if p, err := e.New(""); err == nil {
			players = append(players, p)
		}
	}
	return players
}
