package santafe

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// plain breeds ants as ECJ's sources say (version 28: koza.params, HalfBuilder,
// TournamentSelection, CrossoverPipeline, KozaNodeSelector, MultiBreedingPipeline), as simply as it
// can be written and without a line of packages gp's and evolve's breeding: a control of theirs.
type plain struct {
	*rand.Rand
	grammar    *gp.Grammar
	life       *life
	population []gp.Tree
	fitness    []int
}

// life tells how much ants eat. Every hundredth is also played by the walk of its tree, which takes
// five times as long.
type life struct {
	testing.TB
	compiler
	world
	walker
	count int
}

func (l *life) eats(tree gp.Tree) int {
	l.world.begin()
	l.compile(tree).run(&l.world)
	eaten := l.world.eaten
	if l.count++; l.count%100 == 0 {
		l.walker.nodes = 0
		l.live(l.compiler.g, tree)
		if l.walker.w.eaten != eaten {
			l.Fatalf("%s eats %d, and by a walk %d", l.compiler.g.PrintTree(tree), eaten, l.walker.w.eaten)
		}
	}
	return eaten
}

// build grows a tree from a level on, by the full or the grow method.
func (p *plain) build(tree gp.Tree, level, depth int, full bool) gp.Tree {
	op := gp.Op(p.IntN(6))
	switch {
	case level+1 >= depth:
		op = gp.Op(p.IntN(3))
	case full:
		op = 3 + gp.Op(p.IntN(3))
	}
	tree = append(tree, gp.Leaf(op))
	for range p.grammar.Operators[op].Args {
		tree = p.build(tree, level+1, depth, full)
	}
	return tree
}

func (p *plain) found(n int) {
	seen := map[string]bool{}
	for range n {
		var tree gp.Tree
		for range 101 {
			full := p.Float64() >= 0.5
			if tree = p.build(nil, 0, 2+p.IntN(5), full); !seen[fmt.Sprint(tree)] {
				break
			}
		}
		seen[fmt.Sprint(tree)] = true
		p.add(tree)
	}
}

func (p *plain) add(tree gp.Tree) {
	p.population, p.fitness = append(p.population, tree), append(p.fitness, p.life.eats(tree))
}

// levels returns the level of each node, 0 for the root, and the place behind its subtree.
func (p *plain) levels(tree gp.Tree) (levels, ends []int) {
	levels, ends = make([]int, len(tree)), make([]int, len(tree))
	var visit func(i, level int) int
	visit = func(i, level int) int {
		levels[i] = level
		end := i + 1
		for range p.grammar.Operators[tree[i].Op].Args {
			end = visit(end, level+1)
		}
		ends[i] = end
		return end
	}
	visit(0, 0)
	return levels, ends
}

// pick draws a node: an inner one in nine cases of ten.
func (p *plain) pick(tree gp.Tree) int {
	var leaves, inner []int
	for i, n := range tree {
		if n.Op < 3 {
			leaves = append(leaves, i)
		} else {
			inner = append(inner, i)
		}
	}
	if p.Float64() > 0.9 {
		return leaves[p.IntN(len(leaves))]
	}
	if len(inner) == 0 {
		return 0
	}
	return inner[p.IntN(len(inner))]
}

func (p *plain) tournament() int {
	best := p.IntN(len(p.population))
	for range 6 {
		if other := p.IntN(len(p.population)); p.fitness[other] > p.fitness[best] {
			best = other
		}
	}
	return best
}

// replace puts a subtree of another tree in the place of a node, unless the tree would become
// deeper than 17.
func (p *plain) replace(tree gp.Tree, at int, other gp.Tree, from int) gp.Tree {
	levels, ends := p.levels(tree)
	below, otherEnds := p.levels(other)
	sub := other[from:otherEnds[from]]
	if levels[at]+slices.Max(below[from:otherEnds[from]])-below[from]+1 > 17 {
		return tree
	}
	return slices.Concat(tree[:at], sub, tree[ends[at]:])
}

func (p *plain) generation() {
	next := plain{grammar: p.grammar, life: p.life}
	for n := len(p.population); len(next.population) < n; {
		i := p.tournament()
		if p.Float64() >= 0.9 {
			next.population, next.fitness = append(next.population, p.population[i]),
				append(next.fitness, p.fitness[i])
			continue
		}
		a, b := p.population[i], p.population[p.tournament()]
		at, from := p.pick(a), p.pick(b)
		next.add(p.replace(a, at, b, from))
		if len(next.population) < n {
			next.add(p.replace(b, from, a, at))
		}
	}
	p.population, p.fitness = next.population, next.fitness
}

// BenchmarkPlain carries out whole runs of the plain breeding, with the seeds from CLADE_TEST_SEED
// on, 1 without, and says how good they become; its speed is of no interest.
func BenchmarkPlain(b *testing.B) {
	first := uint64(1)
	if text := os.Getenv("CLADE_TEST_SEED"); text != "" {
		first = proof.Must(strconv.ParseUint(text, 10, 64))(b)
	}
	solved, sum, squares := 0.0, 0.0, 0.0
	for i := range b.N {
		g := New().Grammar()
		p := plain{Rand: rand.New(rand.NewPCG(first+uint64(i), 0)), grammar: g,
			life: &life{TB: b, compiler: compiler{g: g}}}
		p.found(1024)
		best := slices.Max(p.fitness)
		for generation := 1; generation < 51 && best < pieces; generation++ {
			p.generation()
			best = max(best, slices.Max(p.fitness))
		}
		if best == pieces {
			solved++
		}
		sum += float64(best)
		squares += float64(best * best)
	}
	n := float64(b.N)
	b.ReportMetric(solved/n, "solved/run")
	b.ReportMetric(sum/n, "best/run")
	b.ReportMetric(math.Sqrt((squares-float64(sum*sum)/n)/max(1, n-1)), "deviation")
}
