package enginetest

import (
	"fmt"
	"slices"

	"clade/engine"
)

// checkBatch compares batches with single games: the casts, and bred players in the least and in
// the greatest number of seats, in every rotation and with one in all seats but one, in runs of all
// lengths up to seventeen; and hostile genomes among them. Matches that need not be whole it
// compares with their games played alone.
func checkBatch(s *subject) error {
	batcher, ok := s.game.(engine.Batcher)
	if !ok {
		return nil
	}
	var jobs []engine.Job
	for _, c := range s.casts {
		for seed := range uint64(5) {
			jobs = append(jobs, engine.Job{Players: c.players, Seed: seed})
		}
	}
	for _, n := range []int{0, 1, len(jobs)} {
		if err := s.inBatch(batcher, jobs[:n]); err != nil {
			return err
		}
	}
	const population, longest = 34, 17
	b, err := s.bred(population)
	if err != nil {
		return err
	}
	if !batcher.Batches(b.players[:b.seats]) && batcher.Batches(b.players[b.seats:2*b.seats]) {
		return fmt.Errorf("its method Batches holds for some bred players and not for others")
	}
	if _, ok := s.game.(engine.MatchBatcher); ok {
		for i := range min(b.games/8, 3*population) {
			m := engine.Match{Boards: 1 + i%9, Once: i%4 == 3}
			if err := SameMatch(m, s.game, b.players[i%population], b.players[i*i%population],
				engine.Seed(i)); err != nil {
				return err
			}
		}
	}
	for _, seats := range slices.Compact([]int{b.seats, s.info.MaxSeats}) {
		jobs = jobs[:0]
		for i := 0; i < longest && len(jobs) < b.games; i++ {
			group := make([]engine.Player, seats)
			for seat := range group {
				group[seat] = b.players[(seats*i+seat)%population]
			}
			for game := range longest - i { // the longest run has the first group
				players := slices.Clone(group)
				if game%5 == 4 {
					copy(players, slices.Repeat(group[:1], seats-1))
				}
				jobs = append(jobs, engine.Job{Players: players, Seed: uint64(100*i + game)})
				if game%3 != 1 {
					group = append(group[1:], group[0])
				}
			}
		}
		for i, h := range hostileGenomes(s.game) {
			if !h.must {
				continue
			}
			p, err := s.game.Bind(h.genome)
			if err != nil {
				return fmt.Errorf("Bind of %s: %w", h.name, err)
			}
			for game := range 8 { // between the same genomes
				players := slices.Clone(b.players[:seats])
				players[0], players[game%seats] = players[game%seats], p
				jobs = append(jobs, engine.Job{Players: players, Seed: uint64(8*i + game)})
			}
		}
		if err := s.inBatch(batcher, jobs); err != nil {
			return err
		}
	}
	return nil
}

// SameMatch plays a match at once and game by game. It returns an error if the games won differ,
// or, where nobody wins more than half of them, the scores.
func SameMatch(m engine.Match, g engine.Game, x, y engine.Player, seed engine.Seed) error {
	got, want := m.Play(g, x, y, seed), m.Play(struct{ engine.Game }{g}, x, y, seed)
	if got.Winner != want.Winner || got.Wins != want.Wins || got.Games != want.Games ||
		!m.Decided(&want) && got.Scores != want.Scores {
		return fmt.Errorf("%+v with seed %d: %+v at once, %+v game by game", m, seed, got, want)
	}
	return nil
}

// inBatch plays jobs in one batch and alone, and compares the results.
func (s *subject) inBatch(batcher engine.Batcher, jobs []engine.Job) error {
	results := make([]engine.Result, len(jobs))
	for i := range results {
		r := &results[i] // not zero, so that a result that PlayBatch does not write is seen
		r.Win(99)
		r.Steps, r.Scores[engine.MaxSeats-1], r.Marks[0][0] = 99, 99, 99
	}
	batcher.PlayBatch(jobs, results)
	for i, job := range jobs {
		if err := same(fmt.Sprintf("job %d of %d, alone and in a batch", i, len(jobs)),
			s.game.Play(job.Players, job.Seed, nil), results[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkExecutors compares all executors of a game with the first.
func checkExecutors(s *subject) error {
	a, ok := s.game.(engine.Accelerated)
	if !ok {
		return nil
	}
	if _, err := a.Using("no such executor"); err == nil {
		return fmt.Errorf("Using takes an executor that does not exist")
	}
	const population = 20
	if len(a.Executors()) == 0 {
		return fmt.Errorf("its method Executors lists none")
	}
	var want []engine.Result
	for _, name := range a.Executors() {
		g, err := a.Using(name)
		if err != nil {
			return fmt.Errorf("Using(%q), which Executors lists: %w", name, err)
		}
		other, err := newSubject(g)
		if err != nil {
			return fmt.Errorf("executor %s: %w", name, err)
		}
		b, err := other.bred(population)
		if err != nil {
			return fmt.Errorf("executor %s: %w", name, err)
		}
		for i := range min(b.games, 3*population) {
			r := g.Play(b.table(i, i%b.seats, b.players[i%population]), uint64(i), nil)
			if i == len(want) {
				want = append(want, r)
			}
			if err := same(fmt.Sprintf("executors %s and %s", a.Executors()[0], name), want[i],
				r); err != nil {
				return err
			}
		}
		if err := checkBatch(other); err != nil {
			return fmt.Errorf("executor %s: %w", name, err)
		}
	}
	return nil
}
