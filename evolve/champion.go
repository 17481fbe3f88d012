package evolve

import (
	"cmp"
	"slices"

	"clade/engine"
)

// Best is the champion: the best individual of a generation, as chosen by a race; in a game for
// one, the fittest.
type Best struct {
	*Individual
	Generation int
	Island     int
	Record     Record
}

// Record is what an individual did in a number of games. That of a champion comes from the race
// that chose it, so it flatters: whoever wants its strength plays fresh games.
type Record struct {
	Games  int // 1 in a game for one, where the score is the fitness
	Wins   int
	Losses int
	Score  float64 // total
	Other  float64 // the opponents' total
	Marks  [engine.MaxMarks]float64
}

// addMatch adds a match in which the individual was player 0.
func (r *Record) addMatch(o *engine.Outcome) {
	r.Games += o.Games
	r.Wins += o.Wins[0]
	r.Losses += o.Wins[1]
	r.Score += o.Scores[0]
	r.Other += o.Scores[1]
	for i, m := range o.Marks[0] {
		r.Marks[i] += float64(m)
	}
}

// add adds another record of the same individual.
func (r *Record) add(more *Record) {
	r.Games += more.Games
	r.Wins += more.Wins
	r.Losses += more.Losses
	r.Score += more.Score
	r.Other += more.Other
	for i, m := range more.Marks {
		r.Marks[i] += m
	}
}

// better compares two records: more games won (ties half) first, then the greater lead in score.
func (r *Record) better(q *Record) int {
	if c := cmp.Compare(q.Wins-q.Losses, r.Wins-r.Losses); c != 0 {
		return c
	}
	return cmp.Compare(q.Score-q.Other, r.Score-r.Other)
}

// heatBoards is the number of boards that a candidate plays against one opponent at a time: 8
// games.
const heatBoards = 4

// candidate is an individual in the race.
type candidate struct {
	*Individual
	island int
	favour float64
	luck   uint64
	record Record
}

// race chooses the champion of the generation that islands have just selected from. All candidates
// of a round meet the same opponents on the same boards. After round r of R a candidate has played
// games / 2^(R-1-r) games, so that each round costs about as much as another, and the better half
// stays.
func (b *breeder) race(generation int, islands []*island) (*Best, error) {
	field := b.candidates(generation, islands)
	rounds := 0
	for n := len(field); n > 1; n = (n + 1) / 2 {
		rounds++
	}
	rounds = max(1, rounds)
	played := 0
	for r := range rounds {
		heats := max(1, (b.Config.Champion.Games>>(rounds-1-r)+2*heatBoards-1)/(2*heatBoards))
		if err := b.heats(generation, islands, field, played, heats); err != nil {
			return nil, err
		}
		played = max(played, heats)
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
	return &Best{c.Individual, generation, c.island, c.record}, nil
}

// candidates returns those whom selection favoured most, in that order; a lot decides among equals.
func (b *breeder) candidates(generation int, islands []*island) []*candidate {
	var field []*candidate
	for _, is := range islands {
		for i, in := range is.began {
			luck := uint64(b.seed("luck", generation, is.index, i))
			field = append(field, &candidate{Individual: in, island: is.index, favour: is.favour[i],
				luck: luck})
		}
	}
	slices.SortFunc(field, func(x, y *candidate) int {
		if c := cmp.Compare(y.favour, x.favour); c != 0 {
			return c
		}
		return cmp.Compare(x.luck, y.luck)
	})
	if n := b.Config.Champion.Candidates; n > 0 && n < len(field) {
		field = field[:n]
	}
	return field
}

// heats lets every candidate play the heats from first to before last.
func (b *breeder) heats(generation int, islands []*island, field []*candidate, first,
	last int) error {
	if first >= last {
		return nil
	}
	many := last - first
	records := make([]Record, len(field)*many)
	err := b.pool.run(b.ctx, len(records), func(w *worker, i int) error {
		h := first + i%many
		return b.heat(w, islands, field[i/many], h, b.seed("champion", generation, 0, h),
			&records[i])
	})
	for i := range records {
		field[i/many].record.add(&records[i])
	}
	return err
}

// heat adds to a record what a candidate does in one heat: a match, or a melee with as many others
// as there are other seats.
func (b *breeder) heat(w *worker, islands []*island, c *candidate, heat int, seed engine.Seed,
	r *Record) error {
	opponent := seed.Name("opponent")
	players := make([]engine.Player, b.Config.Seats)
	var err error
	if players[0], err = b.player(c.Individual); err != nil {
		return err
	}
	if players[1], err = b.opponent(islands, c, heat, opponent); err != nil {
		return err
	}
	if len(players) == 2 {
		o := b.play(w, engine.Match{Boards: heatBoards, Whole: true}, players[0], players[1], seed)
		r.addMatch(&o)
		return nil
	}
	for n := 2; n < len(players); n++ {
		if players[n], err = b.opponent(islands, c, heat+n-1, opponent.Num(uint64(n))); err != nil {
			return err
		}
	}
	t, err := b.melee(w, players, max(1, 2*heatBoards/len(players)), seed)
	if err == nil {
		r.addTable(t)
	}
	return err
}

// opponent returns whom the candidates meet in a heat. A candidate that would meet itself meets its
// neighbour.
func (b *breeder) opponent(islands []*island, c *candidate, heat int,
	seed engine.Seed) (engine.Player, error) {
	if b.Config.Champion.Against == Panel {
		return b.Reference[heat%len(b.Reference)], nil
	}
	random := engine.NewRandom(uint64(seed))
	people := islands[random.Below(len(islands))].began
	i := random.Below(len(people))
	if people[i] == c.Individual {
		i = (i + 1) % len(people)
	}
	return b.player(people[i])
}

// due tells whether a generation has a champion. One that ends the run always has.
func (b *breeder) due(generation int, islands []*island) bool {
	c := &b.Config.Champion
	if c.Against == Nobody {
		return false
	}
	if generation%c.Every == 0 || generation == b.Config.Generations-1 {
		return true
	}
	return b.Config.StopAt != 0 && b.fittest(generation, islands).Record.Score >= b.Config.StopAt
}

// best chooses the champion.
func (b *breeder) best(generation int, islands []*island) (*Best, error) {
	if b.Config.Champion.Against == Fittest {
		return b.fittest(generation, islands), nil
	}
	return b.race(generation, islands)
}

// fittest returns the individual with the greatest fitness, the first among equals; with parsimony
// the smallest of them.
func (b *breeder) fittest(generation int, islands []*island) *Best {
	var best *Individual
	var fitness float64
	home := 0
	for _, is := range islands {
		for i, in := range is.began {
			if best == nil || b.fitter(in, best, is.favour[i], fitness) < 0 {
				best, fitness, home = in, is.favour[i], is.index
			}
		}
	}
	return &Best{best, generation, home, Record{Games: 1, Score: fitness}}
}

// hall draws the champions that play along in a generation, each at most once.
func (b *breeder) hall(generation int, archive []*Best) []engine.Player {
	order := make([]int, len(archive))
	for i := range order {
		order[i] = i
	}
	shuffle(order, b.seed("hall", generation, 0, 0))
	var players []engine.Player
	for _, i := range order[:min(b.Config.Hall, len(order))] {
		players = append(players, archive[i].Player)
	}
	return players
}
