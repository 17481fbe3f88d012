package runner

import (
	"maps"
	"math"
	"slices"

	"clade/analysis"
	"clade/evolve/rundir"
)

// Observation is one measured number of a run: a row of tidy data.
type Observation struct {
	Generation int
	// as in the figures' data; measures of the log and of champions have different names
	Measure string
	Against string // player, for what is measured in games against one; else empty
	Value   float64
	Games   int  // that the value is a mean over; 0 where it comes from no games
	Spent   Cost // of the run up to and with the generation; seconds that are lost are NaN
}

// Observations returns all numbers of a run that is over, in the order of its files: the log, with
// the games of selection up to each generation, the champions' measurements, and the final
// measurements against the built-in players, whose measures have the prefix "final_".
func (r *Run) Observations() ([]Observation, error) {
	curves, _, err := r.curves()
	if err != nil {
		return nil, err
	}
	var all []Observation
	for _, s := range curves {
		for i, g := range s.Generation {
			all = append(all, Observation{Generation: g, Measure: string(s.Measure), Value: s.Value[i]})
		}
	}
	var spent []Cost // by generation
	err = readLog(r, func(l *struct {
		Generation int   `json:"generation"`
		Games      int64 `json:"games"`
		RaceGames  int64 `json:"race_games"`
	}) {
		var c Cost
		if n := len(spent); n > 0 {
			c = spent[n-1]
		}
		c.Add(Cost{Games: l.Games, RaceGames: l.RaceGames})
		spent = append(spent, c)
		all = append(all, Observation{Generation: l.Generation, Measure: "selection_games",
			Value: float64(c.Games)}, Observation{Generation: l.Generation, Measure: "race_games",
			Value: float64(l.RaceGames)})
	})
	if err != nil {
		return nil, err
	}
	measured, err := r.Measurements()
	if err != nil {
		return nil, err
	}
	for _, m := range measured {
		all = append(all, m.observations("")...)
	}
	sum, err := ReadSummary(r.Dir)
	if err != nil {
		return nil, err
	}
	if sum != nil {
		for _, m := range sum.Final {
			m.Generation = sum.Generations - 1
			all = append(all, m.observations("final_")...)
		}
	}
	if err := r.addSeconds(spent); err != nil {
		return nil, err
	}
	for i, o := range all {
		if o.Generation >= 0 && o.Generation < len(spent) {
			all[i].Spent = spent[o.Generation]
		}
	}
	return all, nil
}

// addSeconds adds the accumulated time of each generation to its cost; NaN from the first
// generation on whose time is lost.
func (r *Run) addSeconds(spent []Cost) error {
	took := make([]float64, len(spent))
	for i := range took {
		took[i] = math.NaN()
	}
	err := r.eachTime(func(t *rundir.Times) {
		if t.Generation >= 0 && t.Generation < len(took) {
			took[t.Generation] = t.Seconds
		}
	})
	sum := 0.0
	for i, seconds := range took {
		sum += seconds
		spent[i].Seconds = sum
	}
	return err
}

func (m *Measurement) observations(prefix string) []Observation {
	var all []Observation
	add := func(name string, v float64) {
		all = append(all, Observation{Generation: m.Generation, Measure: prefix + name,
			Against: m.Opponent(), Value: v, Games: m.Games})
	}
	add(string(analysis.Wins), m.Share)
	add(string(analysis.Score), m.Score)
	add("other_score", m.Other)
	for _, name := range slices.Sorted(maps.Keys(m.Marks)) {
		add(string(analysis.Mark(name)), m.Marks[name])
	}
	return all
}
