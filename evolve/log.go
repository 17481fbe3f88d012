package evolve

import (
	"encoding/json"
	"math/bits"

	"clade/engine"
)

// Line is what the log says of a generation: a line of generations.jsonl. It holds no times, which
// stand in times.jsonl, so that it repeats bit for bit.
type Line struct {
	// from 0; the population that the generation's selection worked on
	Generation int    `json:"generation"`
	Matches    int64  `json:"matches"`    // of selection and migration
	Games      int64  `json:"games"`      // of selection and migration
	RaceGames  int64  `json:"race_games"` // of the choice of the champion
	Size       Spread `json:"size"`       // nodes of a genome
	Depth      Spread `json:"depth"`      // of its deepest tree
	// Genotypes is the share of individuals with distinct genomes, in (0, 1]: genotypic diversity.
	Genotypes float64 `json:"genotypes"`
	// Behaviours is the share of individuals with distinct decisions in the probes, in (0, 1]:
	// behavioural diversity. It is absent where it was not measured.
	Behaviours float64 `json:"behaviours,omitempty"`
	// Fitness is absent where selection computes none. Steady states count the fitness at the
	// generation's beginning.
	Fitness  *Spread       `json:"fitness,omitempty"`
	Lineage  int           `json:"lineage"` // individuals in the lineage, extinct lines left out
	Champion *ChampionLine `json:"champion,omitempty"`
}

// Spread sums up a number over all individuals.
type Spread struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

// ChampionLine is what the log says of a champion. Its record is that of the race that chose it,
// and flatters.
type ChampionLine struct {
	ID     uint64  `json:"id"`
	Island int     `json:"island"`
	Born   int     `json:"born"` // generation of its birth
	Size   int     `json:"size"`
	Depth  int     `json:"depth"`
	Games  int     `json:"games"`
	Wins   int     `json:"wins"`
	Losses int     `json:"losses"`
	Score  float64 `json:"score"` // mean a game
	Other  float64 `json:"other"` // the opponents' mean
	// means a game, by the names of engine.Info.Marks
	Marks map[string]float64 `json:"marks,omitempty"`
	File  string             `json:"file"` // relative to the run's directory
}

// encode returns the line's bytes with their end. Keys of a map are sorted by the encoder.
func (l *Line) encode() []byte {
	b, err := json.Marshal(l)
	if err != nil {
		// a game gave a score that is not finite
		panic("evolve: a log line cannot be encoded: " + err.Error())
	}
	return append(b, '\n')
}

// spread sums up n numbers.
func spread(n int, value func(i int) float64) Spread {
	s := Spread{Min: value(0), Max: value(0)}
	sum := 0.0
	for i := range n {
		v := value(i)
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
		sum += v
	}
	s.Mean = sum / float64(n)
	return s
}

// describe measures the population that a generation selected from.
func (b *breeder) describe(generation int, islands []*island) (*Line, error) {
	var people []*Individual
	var fitness []float64
	for _, is := range islands {
		people = append(people, is.began...)
		if b.Config.Selection == ByFitness {
			fitness = append(fitness, is.favour...)
		}
	}
	n := len(people)
	l := &Line{
		Generation: generation,
		Size:       spread(n, func(i int) float64 { return float64(people[i].Size) }),
		Depth:      spread(n, func(i int) float64 { return float64(people[i].Depth) }),
		Genotypes:  distinct(n, func(i int) uint64 { return people[i].genotype }),
	}
	if fitness != nil {
		s := spread(n, func(i int) float64 { return fitness[i] })
		l.Fitness = &s
	}
	if b.probing(generation) {
		var prints []uint64
		for _, is := range islands {
			more, err := is.probe()
			if err != nil {
				return nil, err
			}
			prints = append(prints, more...)
		}
		l.Behaviours = distinct(n, func(i int) uint64 { return prints[i] })
	}
	return l, nil
}

// probing tells whether behaviours are measured in a generation.
func (b *breeder) probing(generation int) bool {
	p := b.Config.Probes
	return p.Games > 0 && (generation%p.Every == 0 || generation == b.Config.Generations-1)
}

// distinct returns the share of n values that differ from all before them.
func distinct(n int, value func(i int) uint64) float64 {
	size := 2 << bits.Len(uint(n))
	table := make([]uint64, size) // open addressing; 0 is free, and a value of 0 is counted apart
	found, zero := 0, 0
	for i := range n {
		v := value(i)
		if v == 0 {
			zero = 1
			continue
		}
		at := int(v * 0x9e3779b97f4a7c15 >> 32)
		for at &= size - 1; table[at] != 0 && table[at] != v; {
			at = (at + 1) & (size - 1)
		}
		if table[at] == 0 {
			table[at] = v
			found++
		}
	}
	return float64(found+zero) / float64(n)
}

// probe returns a fingerprint of everybody's decisions in games against an opponent grown from the
// run's seed, on boards that are the same for all and in all generations, in either seat by turns.
// The opponent is no source of difference: it sees only what the individual does.
func (is *island) probe() ([]uint64, error) {
	opponent, err := is.prober()
	if err != nil {
		return nil, err
	}
	info := is.Game.Info()
	seats := min(max(2, info.MinSeats), info.MaxSeats)
	return is.bout(len(is.began), 1, func(w *worker, i int, outcome []uint64) error {
		players := make([]engine.Player, seats)
		for g := range is.Config.Probes.Games {
			for s := range players {
				players[s] = opponent
			}
			players[g%seats] = is.began[i].Player
			r := is.Game.Play(players, uint64(is.root.Name("probe").Num(uint64(g/2))), nil)
			outcome[0] = engine.Hash(outcome[0], r.Fingerprint)
		}
		return nil
	})
}

func (b *breeder) prober() (engine.Player, error) {
	w := newWorker()
	return b.bind(b.grammar.Ramped(w.seeded(b.root.Name("prober")), b.Config.Founders.MaxDepth,
		b.Config.Founders.MaxDepth))
}

// lineOf sums up a champion.
func (b *breeder) lineOf(c *Best) *ChampionLine {
	born, _ := b.birth(c.ID)
	games := float64(max(1, c.Record.Games))
	l := &ChampionLine{
		ID: c.ID, Island: c.Island, Born: born, Size: c.Size, Depth: c.Depth,
		Games: c.Record.Games, Wins: c.Record.Wins, Losses: c.Record.Losses,
		Score: c.Record.Score / games, Other: c.Record.Other / games,
		File: championFile(c.Generation),
	}
	for i, name := range b.Game.Info().Marks {
		if l.Marks == nil {
			l.Marks = map[string]float64{}
		}
		l.Marks[name] = c.Record.Marks[i] / games
	}
	return l
}
