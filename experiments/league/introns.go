package league

import (
	"context"
	"fmt"
	"math"

	"clade/engine"
	"clade/experiments/player"
	"clade/gp"
)

// Introns reports for each node of a genome whether its subtree never mattered: no substitute for
// it changed any decision in games with at least the given number of the genome's decisions. These
// are short games, if the game has them, against itself and the first built-in players, which are
// the fastest. The substitutes are those of gp.Grammar; an Area shares the fate of its sensor. A
// subtree inside an intron is one too. The second result is the number of decisions. Progress, if
// not nil, is called after each node.
func Introns(ctx context.Context, g engine.Game, ge gp.Genome, decisions int,
	seed engine.Seed, progress func(done, total int)) ([][]bool, int, error) {
	g = short(g)
	in := &intronTest{game: g}
	if err := in.stage(ctx, ge, decisions, maxTestGames, seed); err != nil {
		return nil, 0, err
	}
	done := 0 // nodes
	introns := make([][]bool, len(ge))
	for slot, tree := range ge {
		introns[slot] = make([]bool, len(tree))
		for i := 0; i < len(tree); {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			inert, err := in.inert(ge, slot, i)
			if err != nil {
				return nil, 0, err
			}
			end := i + 1
			if inert {
				end = g.Grammar().End(tree, i)
				for j := i; j < end; j++ {
					introns[slot][j] = true
				}
			}
			done, i = done+end-i, end
			if progress != nil {
				progress(done, ge.Size())
			}
		}
	}
	return introns, in.decisions, nil
}

// intronTest is a set of games whose fingerprints change when any decision does.
type intronTest struct {
	game      engine.Game
	games     []testGame
	decisions int
}

// testGame is one of them, the genome in the first seat.
type testGame struct {
	opponents   []engine.Player
	seed        uint64
	fingerprint uint64
}

const (
	maxTestGames = 1000 // for games in which hardly anything is decided
	maxOpponents = 2    // built-in players
)

// stage plays games until there are enough decisions, but no more than the given number of games.
func (in *intronTest) stage(ctx context.Context, ge gp.Genome, decisions, games int,
	seed engine.Seed) error {
	self, err := in.game.Bind(ge)
	if err != nil {
		return err
	}
	field := []engine.Player{self}
	builtIn := player.BuiltIn(in.game)
	for _, e := range builtIn[:min(len(builtIn), maxOpponents)] {
		if p, err := e.New(""); err == nil {
			field = append(field, p)
		}
	}
	count := engine.OnDecide(func(seat int, _ uint64) {
		if seat == 0 {
			in.decisions++
		}
	})
	for n := 0; in.decisions < decisions && n < games; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := testGame{seed: uint64(seed.Num(uint64(n)))}
		info := in.game.Info()
		for range min(max(2, info.MinSeats), info.MaxSeats) - 1 {
			t.opponents = append(t.opponents, field[n%len(field)])
		}
		t.fingerprint = in.game.Play(append([]engine.Player{self}, t.opponents...), t.seed,
			count).Fingerprint
		in.games = append(in.games, t)
	}
	return nil
}

// inert reports whether no substitute for a subtree changes a game.
func (in *intronTest) inert(ge gp.Genome, slot, i int) (bool, error) {
	for _, sub := range in.game.Grammar().Substitutes(ge[slot][i:in.game.Grammar().End(ge[slot], i)]) {
		variant := append(gp.Genome(nil), ge...)
		variant[slot] = gp.Splice(ge[slot], i, in.game.Grammar().End(ge[slot], i), sub)
		if same, err := in.same(variant); !same {
			return false, err
		}
	}
	return in.game.Grammar().Type(ge[slot][i]) != gp.Area, nil
}

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
