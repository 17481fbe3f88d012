package evolve

import (
	"cmp"
	"slices"

	"clade/engine"
)

// play plays a match and counts it.
func (b *breeder) play(w *worker, m engine.Match, first, second engine.Player,
	seed engine.Seed) engine.Outcome {
	o := w.referee.Match(m, b.Game, first, second, seed)
	w.tally.add(Tally{1, int64(o.Games)})
	return o
}

// beats plays a match of the selection between two individuals and tells whether the first wins.
// With parsimony the smaller one wins where a coin would decide.
func (b *breeder) beats(w *worker, x, y *Individual, seed engine.Seed) bool {
	m := engine.Match{Boards: b.Config.Boards, Once: b.Config.Once}
	if b.halves && !m.Once && x.twin(y) {
		winner, games := m.Toss(seed)
		w.tally.add(Tally{1, int64(games)})
		return winner == 0
	}
	o := b.play(w, m, x.Player, y.Player, seed)
	if b.Config.Parsimony && x.Size != y.Size && !m.Decided(&o) && o.Scores[0] == o.Scores[1] {
		return x.Size < y.Size
	}
	return o.Winner == 0
}

// fitter orders two individuals by fitness, the fitter first; with parsimony the smaller one comes
// first among equals.
func (b *breeder) fitter(x, y *Individual, fx, fy float64) int {
	if fx == fy && b.Config.Parsimony {
		return cmp.Compare(x.Size, y.Size)
	}
	return cmp.Compare(fy, fx) // a NaN is less than any number
}

// freeForAll plays games of more than two, all players in each: every board once in every rotation
// of the seats.
func (b *breeder) freeForAll(w *worker, players []engine.Player, boards int,
	seed engine.Seed) ([]engine.Standing, error) {
	t, err := w.referee.Standings(b.Game, players, boards, seed)
	if err != nil {
		return nil, err
	}
	w.tally.add(Tally{1, int64(t[0].Games)})
	return t, nil
}

// rank plays games among a group of individuals and returns their order, the best first.
func (b *breeder) rank(w *worker, group []*Individual, seed engine.Seed) ([]int, error) {
	if len(group) == 2 {
		if b.beats(w, group[0], group[1], seed) {
			return []int{0, 1}, nil
		}
		return []int{1, 0}, nil
	}
	order := shuffled(len(group), seed.Name("lot")) // breaks ties
	other := func(in *Individual) bool { return !in.twin(group[0]) }
	// All players are alike, and each is in every seat of every board.
	if b.halves && !slices.ContainsFunc(group, other) {
		w.tally.add(Tally{1, int64(b.Config.Boards * len(group))})
		return order, nil
	}
	players := make([]engine.Player, len(group))
	for i, in := range group {
		players[i] = in.Player
	}
	t, err := b.freeForAll(w, players, b.Config.Boards, seed)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(order, func(x, y int) int {
		p, q := &t[x], &t[y]
		c := cmp.Or(cmp.Compare(q.Wins, p.Wins), cmp.Compare(q.Score, p.Score))
		if c == 0 && b.Config.Parsimony {
			c = cmp.Compare(group[x].Size, group[y].Size)
		}
		return c
	})
	return order, nil
}
