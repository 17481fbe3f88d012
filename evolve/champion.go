package evolve

import (
	"cmp"
	"slices"

	"clade/engine"
)

// champion is the best individual of a generation, as chosen by a race; in a game for one, the
// fittest.
type champion struct {
	*Individual
	generation int
	island     int
	record     record
	tuned      bool // its constants were tuned, see tune.go
}

// record is the results of an individual over a number of games. That of a champion is from the
// race that chose it and therefore biased upwards: to estimate its strength, play new games.
type record struct {
	Games  int // 1 in a game for one, where the score is the fitness
	Wins   int
	Losses int
	Score  float64 // total
	Other  float64 // the opponents' total
	Marks  [engine.MaxMarks]float64
}

// recordOf returns the first player's record of a match.
func recordOf(o *engine.Outcome) record {
	r := record{Games: o.Games, Wins: o.Wins[0], Losses: o.Wins[1], Score: o.Scores[0],
		Other: o.Scores[1]}
	for i, m := range o.Marks[0] {
		r.Marks[i] = float64(m)
	}
	return r
}

// add adds another record of the same individual.
func (r *record) add(more *record) {
	r.Games += more.Games
	r.Wins += more.Wins
	r.Losses += more.Losses
	r.Score += more.Score
	r.Other += more.Other
	for i, m := range more.Marks {
		r.Marks[i] += m
	}
}

// better compares two records by games won (ties half), then by lead in score.
func (r *record) better(q *record) int {
	if c := cmp.Compare(q.Wins-q.Losses, r.Wins-r.Losses); c != 0 {
		return c
	}
	return cmp.Compare(q.Score-q.Other, r.Score-r.Other)
}

// raceBoards is the number of boards that a candidate plays against one opponent in a racing round:
// 8 games.
const raceBoards = 4

// candidate is an individual in the race.
type candidate struct {
	*Individual
	island   int
	selected float64 // selection count, or fitness
	luck     uint64
	record   record
}

// race chooses the champion of the generation from which islands have just selected, and returns
// the number of games played. All candidates of a stage meet the same opponents on the same boards.
// After stage s of S a candidate has played games / 2^(S-1-s) games and the better half of the
// candidates stays, so all stages cost about the same.
//
// A share Config.Champion.Archive of the racing rounds has opponents from the archive.
func (b *breeder) race(generation int, islands []*island, a *archive, last bool) (*champion, int64,
	error) {
	field := b.candidates(generation, islands)
	if last && b.Config.Champion.Former {
		field = a.join(field)
	}
	stages := 0
	for n := len(field); n > 1; n = (n + 1) / 2 {
		stages++
	}
	stages = max(1, stages)
	played, games := 0, int64(0)
	for s := range stages {
		rounds := max(1, (b.Config.Champion.Games>>(stages-1-s)+2*raceBoards-1)/(2*raceBoards))
		more, err := b.rounds(generation, islands, a, field, played, rounds)
		if err != nil {
			return nil, 0, err
		}
		games += more
		played = max(played, rounds)
		slices.SortStableFunc(field, func(x, y *candidate) int {
			c := x.record.better(&y.record)
			if c == 0 && b.Config.Parsimony {
				c = cmp.Compare(x.Size, y.Size)
			}
			return c
		})
		field = field[:(len(field)+1)/2]
	}
	c := field[0]
	return &champion{c.Individual, generation, c.island, c.record, false}, games, nil
}

// candidates returns the individuals with the greatest selection counts, in that order; ties are
// broken at random.
func (b *breeder) candidates(generation int, islands []*island) []*candidate {
	var field []*candidate
	for _, is := range islands {
		for i, in := range is.began {
			field = append(field, &candidate{Individual: in, island: is.index,
				selected: is.selected[i],
				luck:     uint64(b.seed("luck", generation, is.index, i))})
		}
	}
	slices.SortFunc(field, func(x, y *candidate) int {
		return cmp.Or(cmp.Compare(y.selected, x.selected), cmp.Compare(x.luck, y.luck))
	})
	if n := b.Config.Champion.Candidates; n > 0 && n < len(field) {
		field = field[:n]
	}
	return field
}

// join adds the run's champions to the candidates, but for those of the same genome as another. A
// former champion may meet itself, and neither leads then.
func (a *archive) join(field []*candidate) []*candidate {
	for _, c := range a.champions {
		same := func(other *candidate) bool { return other.twin(c.Individual) }
		if !slices.ContainsFunc(field, same) {
			field = append(field, &candidate{Individual: c.Individual, island: c.island})
		}
	}
	return field
}

// rounds plays the racing rounds from first to before last for every candidate, and returns the
// number of games. Twins have the same record, but where one of them would meet itself: the first
// plays for all.
func (b *breeder) rounds(generation int, islands []*island, a *archive, field []*candidate, first,
	last int) (games int64, err error) {
	if first >= last {
		return 0, nil
	}
	many := last - first
	records, shared := make([]record, len(field)*many), make([]bool, len(field)*many)
	twins, known := make([]int, len(field)), map[uint64]int{}
	for i, c := range field {
		t, ok := known[c.genotype]
		if !ok || !field[t].twin(c.Individual) {
			t, known[c.genotype] = i, i
		}
		twins[i] = t
	}
	err = b.each(len(records), func(w *worker, i int) error {
		c, t, round := field[i/many], field[twins[i/many]], first+i%many
		seed := b.seed("champion", generation, 0, round)
		players, own, err := b.players(islands, a, c, round, seed)
		if err == nil && c != t && !own {
			_, own, err = b.players(islands, a, t, round, seed)
			shared[i] = !own
		}
		if err != nil || shared[i] {
			return err
		}
		return b.round(w, players, seed, &records[i])
	})
	for i := range records {
		if shared[i] {
			records[i] = records[twins[i/many]*many+i%many]
		}
		field[i/many].record.add(&records[i])
		games += int64(records[i].Games)
	}
	return games, err
}

// players returns a candidate and its opponents in a racing round, one in each other seat, and
// whether it would have met itself.
func (b *breeder) players(islands []*island, a *archive, c *candidate, round int,
	seed engine.Seed) (players []engine.Player, own bool, err error) {
	players = make([]engine.Player, b.Config.Seats)
	if players[0], err = b.player(c.Individual); err != nil {
		return nil, false, err
	}
	opponent := seed.Name("opponent")
	for n := 1; n < len(players); n++ {
		var itself bool
		if players[n], itself, err = b.opponent(islands, a, c, round+n-1, opponent); err != nil {
			return nil, false, err
		}
		own = own || itself
		opponent = seed.Name("opponent").Num(uint64(n + 1))
	}
	return players, own, nil
}

// round sets a candidate's record of one racing round: a match, or a free-for-all, of whose
// opponents the best counts.
func (b *breeder) round(w *worker, players []engine.Player, seed engine.Seed, r *record) error {
	if len(players) == 2 {
		o := b.play(w, engine.Match{Boards: raceBoards, Whole: true}, players[0], players[1], seed)
		*r = recordOf(&o)
		return nil
	}
	t, err := b.freeForAll(w, players, max(1, 2*raceBoards/len(players)), seed)
	if err == nil {
		s := &t[0]
		best := slices.MaxFunc(t[1:],
			func(x, y engine.Standing) int { return cmp.Compare(x.Score, y.Score) })
		*r = record{Games: s.Games, Wins: s.Wins, Losses: s.Games - s.Wins - s.Ties,
			Score: s.Score, Other: best.Score, Marks: s.Marks}
	}
	return err
}

// opponent returns the opponent of the candidates in a racing round. A candidate that would meet
// itself meets its neighbour.
func (b *breeder) opponent(islands []*island, a *archive, c *candidate, round int,
	seed engine.Seed) (opponent engine.Player, itself bool, err error) {
	if b.Config.Champion.Against == panel {
		return b.Reference[round%len(b.Reference)], false, nil
	}
	if share := b.Config.Champion.Archive; share > 0 {
		random := engine.NewRandom(uint64(seed.Name("archive")))
		if random.Float() < share && len(a.past) > 0 {
			opponent, err = b.player(a.past[random.Below(len(a.past))])
			return opponent, false, err
		}
	}
	random := engine.NewRandom(uint64(seed))
	began := islands[random.Below(len(islands))].began
	i := random.Below(len(began))
	if itself = began[i] == c.Individual; itself {
		i = (i + 1) % len(began)
	}
	opponent, err = b.player(began[i])
	return opponent, itself, err
}

// due tells whether a generation has a champion. The last one always has.
func (b *breeder) due(generation int, islands []*island, last bool) bool {
	return b.Config.HasChampion(generation) || last && b.Config.Champion.Against != nobody ||
		b.Config.StopAt != 0 && b.fittest(generation, islands).record.Score >= b.Config.StopAt
}

// best chooses the champion, and returns the number of games played.
func (b *breeder) best(generation int, islands []*island, a *archive, last bool) (*champion, int64,
	error) {
	if b.Config.Champion.Against == fittest {
		return b.fittest(generation, islands), 0, nil
	}
	c, games, err := b.race(generation, islands, a, last)
	if err == nil && last && b.Config.Champion.Tune > 0 {
		var more int64
		c, more, err = b.tune(c, a.past)
		games += more
	}
	return c, games, err
}

// fittest returns the individual with the greatest fitness, the first among equals; with parsimony
// the smallest of them.
func (b *breeder) fittest(generation int, islands []*island) *champion {
	var best *Individual
	var fitness float64
	home := 0
	for _, is := range islands {
		for i, in := range is.began {
			if best == nil || b.fitter(in, best, is.selected[i], fitness) < 0 {
				best, fitness, home = in, is.selected[i], is.index
			}
		}
	}
	return &champion{best, generation, home, record{Games: 1, Score: fitness}, false}
}
