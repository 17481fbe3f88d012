package league

import (
	"context"
	"fmt"
	"math"

	"clade/engine"
	"clade/gp"
)

// Prune returns a genome without the parts that never mattered: it replaces a subtree by one of its
// arguments or by the constant 0 if that changes no decision in games like those of Introns. The
// result may decide otherwise in situations that those games did not reach; Alike measures how
// often. The second result is the number of decisions.
func Prune(ctx context.Context, g engine.Game, ge gp.Genome, decisions int,
	seed engine.Seed) (gp.Genome, int, error) {
	in := &intronTest{game: short(g)}
	if err := in.stage(ctx, ge, decisions, maxTestGames, seed); err != nil {
		return nil, 0, err
	}
	ge = ge.Clone()
	for slot := range ge {
		for i := 0; i < len(ge[slot]); {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			smaller, err := in.without(ge, slot, i)
			if err != nil {
				return nil, 0, err
			}
			if smaller == nil {
				i++
				continue
			}
			ge[slot] = smaller
		}
	}
	return ge, in.decisions, nil
}

// without returns a slot's tree with a smaller one in place of a subtree, if that changes no game,
// else nil.
func (in *intronTest) without(ge gp.Genome, slot, i int) (gp.Tree, error) {
	g := in.game.Grammar()
	tree := ge[slot]
	end := g.End(tree, i)
	var smaller []gp.Tree
	if op, ok := g.Lookup("constint"); ok && g.Type(tree[i]) == gp.Float && end > i+1 {
		smaller = append(smaller, gp.Tree{gp.ConstNode(op, 0)})
	}
	for a := i + 1; a < end; a = g.End(tree, a) {
		if g.Type(tree[a]) == g.Type(tree[i]) {
			smaller = append(smaller, tree[a:g.End(tree, a)])
		}
	}
	for _, sub := range smaller {
		variant := append(gp.Genome(nil), ge...)
		variant[slot] = gp.Splice(tree, i, end, sub)
		same, err := in.same(variant)
		if err != nil {
			return nil, err
		}
		if same {
			return variant[slot], nil
		}
	}
	return nil, nil
}

// Alike plays games of two genomes against the same opponents with the same seeds, and returns the
// number of games in which they made the same decisions.
func Alike(ctx context.Context, g engine.Game, a, b gp.Genome, games int, seed engine.Seed) (int,
	error) {
	in := &intronTest{game: short(g)}
	p, err := in.game.Bind(b)
	if err != nil {
		return 0, err
	}
	if err := in.stage(ctx, a, math.MaxInt, games, seed); err != nil {
		return 0, err
	}
	alike := 0
	for _, t := range in.games {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if in.repeats(t, p) {
			alike++
		}
	}
	return alike, nil
}

// short returns the short form of a game that has one.
func short(g engine.Game) engine.Game {
	if s, ok := g.(engine.ShortForm); ok {
		return s.Short()
	}
	return g
}

// same reports whether a variant changes no game.
func (in *intronTest) same(variant gp.Genome) (bool, error) {
	p, err := in.game.Bind(variant)
	if err != nil {
		return false, fmt.Errorf("a substitute for a subtree: %w", err)
	}
	for _, t := range in.games {
		if !in.repeats(t, p) {
			return false, nil
		}
	}
	return true, nil
}

// repeats reports whether a player plays a game as the genome did.
func (in *intronTest) repeats(t testGame, p engine.Player) bool {
	return in.game.Play(append([]engine.Player{p}, t.opponents...), t.seed,
		nil).Fingerprint == t.fingerprint
}
