package evolve

import (
	"math/bits"

	"clade/engine"
	"clade/evolve/rundir"
)

// rangeOf summarises n numbers.
func rangeOf(n int, value func(i int) float64) rundir.Range {
	s := rundir.Range{Min: value(0), Max: value(0)}
	sum := 0.0
	for i := range n {
		v := value(i)
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
		sum += v
	}
	s.Mean = sum / float64(n)
	return s
}

// describe measures the population from which a generation selected.
func (b *breeder) describe(generation int, islands []*island) (*rundir.Line, error) {
	var all []*Individual
	var fitness []float64
	for _, is := range islands {
		all = append(all, is.began...)
		if is.fitness != nil {
			fitness = append(fitness, is.selected...)
		}
	}
	n := len(all)
	l := &rundir.Line{
		Generation: generation,
		Size:       rangeOf(n, func(i int) float64 { return float64(all[i].Size) }),
		Depth:      rangeOf(n, func(i int) float64 { return float64(all[i].Depth) }),
		Genotypes:  distinct(n, func(i int) uint64 { return all[i].genotype }),
	}
	if fitness != nil {
		s := rangeOf(n, func(i int) float64 { return fitness[i] })
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
	return p.Games > 0 && (generation%p.Every == 0 || generation == b.Config.horizon()-1)
}

// distinct returns the share of n values that differ from all before them.
func distinct(n int, value func(i int) uint64) float64 {
	size := 2 << bits.Len(uint(n))
	table := make([]uint64, size) // open addressing; 0 is free, and a value of 0 is counted separately
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

// probe returns a fingerprint of each individual's decisions in games against an opponent grown
// from the run's seed, on boards that are the same for all and in all generations, in alternating
// seats. Differences come from the individual alone, since the opponent reacts only to it.
func (is *island) probe() ([]uint64, error) {
	w := newWorker()
	depth := is.Config.Founders.MaxDepth
	opponent, err := is.bind(is.grammar.Ramped(w.seeded(is.root.Name("prober")), depth, depth))
	if err != nil {
		return nil, err
	}
	info := is.Game.Info()
	seats := min(max(2, info.MinSeats), info.MaxSeats)
	return is.played(is.began, len(is.began), 1, anything,
		func(_ *worker, i int, outcome []uint64) error {
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

// lineOf returns a champion's entry in the log.
func (b *breeder) lineOf(c *champion) *rundir.ChampionLine {
	born, _ := b.birth(c.ID)
	games := float64(max(1, c.record.Games))
	l := &rundir.ChampionLine{
		ID: c.ID, Island: c.island, Born: born, Size: c.Size, Depth: c.Depth,
		Games: c.record.Games, Wins: c.record.Wins, Losses: c.record.Losses,
		Score: c.record.Score / games, Other: c.record.Other / games,
		Tuned: c.tuned, File: rundir.ChampionFile(c.generation),
	}
	for i, name := range b.Game.Info().Marks {
		if l.Marks == nil {
			l.Marks = map[string]float64{}
		}
		l.Marks[name] = c.record.Marks[i] / games
	}
	return l
}
