package evolve

import (
	"cmp"
	"fmt"
	"slices"

	"clade/engine"
)

// rank lets a group of places play and puts them into order, the best first.
func (is *island) rank(w *worker, group []int, seed engine.Seed) error {
	if len(group) == 2 {
		if !is.beats(w, is.people[group[0]], is.people[group[1]], seed) {
			group[0], group[1] = group[1], group[0]
		}
		return nil
	}
	players := make([]engine.Player, len(group))
	for i, place := range group {
		players[i] = is.people[place].Player
	}
	t, err := is.melee(w, players, is.Config.Boards, seed)
	if err != nil {
		return err
	}
	order := make([]int, len(group))
	for i := range order {
		order[i] = i
	}
	shuffle(order, seed.Name("lot")) // decides where nothing else does
	slices.SortStableFunc(order, func(x, y int) int {
		a, b := &t.Rows[x], &t.Rows[y]
		c := cmp.Or(cmp.Compare(b.Wins, a.Wins), cmp.Compare(b.Score, a.Score))
		if c == 0 && is.Config.Parsimony {
			c = cmp.Compare(is.people[group[x]].Size, is.people[group[y]].Size)
		}
		return c
	})
	places := slices.Clone(group)
	for i, o := range order {
		group[i] = places[o]
	}
	return nil
}

// melee plays games of more than two, all players in each: every board once in every rotation of
// the seats.
func (b *breeder) melee(w *worker, players []engine.Player, boards int,
	seed engine.Seed) (*engine.Table, error) {
	t, err := engine.RoundRobin{Seats: len(players), Boards: boards, Workers: 1}.Play(b.Game,
		players, seed)
	if err != nil {
		return nil, fmt.Errorf("evolve: %w", err)
	}
	w.matches++
	w.games += int64(t.Rows[0].Games)
	return t, nil
}

// addTable adds a melee in which the individual was player 0. The others' score is that of the best
// of them.
func (r *Record) addTable(t *engine.Table) {
	s := &t.Rows[0]
	r.Games += s.Games
	r.Wins += s.Wins
	r.Losses += s.Games - s.Wins - s.Ties
	r.Score += s.Score
	other := t.Rows[1].Score
	for _, row := range t.Rows[2:] {
		other = max(other, row.Score)
	}
	r.Other += other
	for i, m := range s.Marks {
		r.Marks[i] += m
	}
}
