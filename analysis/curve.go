package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"clade/analysis/stat"
	"clade/engine"
)

// Measure is the name of a measured quantity, as written to data files.
type Measure string

// The measures that the standard figures draw. A run may have others, such as a game's marks by
// their names, as means over games.
const (
	Wins                 Measure = "wins"                  // share of games won, 0..1
	Score                Measure = "score"                 // mean score a game
	TreeSize             Measure = "tree_size"             // mean nodes a genome
	TreeDepth            Measure = "tree_depth"            // mean of the deepest tree of a genome
	GenotypicDiversity   Measure = "genotypic_diversity"   // as the run defines it, 0..1
	BehaviouralDiversity Measure = "behavioural_diversity" // as the run defines it, 0..1
)

// Mark returns the measure of a game's mark, by its name in engine.Info: in data all names have one
// style.
func Mark(name string) Measure { return Measure(strings.ReplaceAll(name, "-", "_")) }

// Series is one measure of one run by generation.
type Series struct {
	Measure    Measure
	Generation []int     // rising
	Value      []float64 // one for each generation; NaN where nothing was measured
	Bounds     engine.Bounds
	// Trials is, for a measure that is a share of equal trials, the number of trials behind each
	// value; nil for other measures. With it even a single run has a band.
	Trials []int
}

// Run holds the measures of one run. Runs of the same group are replicates.
type Run struct {
	Name  string
	Group string // setting of the study, as in a legend
	// Games of selection before each generation, by generation, where curves are to be drawn over
	// games and not over generations; else nil.
	Games  []float64
	Ended  bool // by a budget, so that its last generation is its own
	Series []Series
}

// Find returns the run's series of a measure, nil without one.
func (r *Run) Find(m Measure) *Series {
	for i := range r.Series {
		if r.Series[i].Measure == m {
			return &r.Series[i]
		}
	}
	return nil
}

// check returns an error for a malformed series.
func (s *Series) check(run string) error {
	if len(s.Value) != len(s.Generation) || s.Trials != nil && len(s.Trials) != len(s.Generation) {
		return fmt.Errorf("analysis: run %q, measure %q: %d generations, %d values, %d trials; "+
			"they must be equally many", run, s.Measure, len(s.Generation), len(s.Value),
			len(s.Trials))
	}
	for i := 1; i < len(s.Generation); i++ {
		if s.Generation[i] <= s.Generation[i-1] {
			return fmt.Errorf("analysis: run %q, measure %q: generation %d follows %d; "+
				"generations must rise", run, s.Measure, s.Generation[i], s.Generation[i-1])
		}
	}
	return nil
}

// CurvePoint is the mean of a measure over replicates in one generation.
type CurvePoint struct {
	Generation int
	Mean       float64
	Low, High  float64 // the band; NaN where there is none
	Runs       int     // replicates that measured this generation
	Games      float64 // those of Run, in the mean over these replicates; 0 where they have none
}

// Curve is the mean of a measure over the replicates of one group, by generation.
type Curve struct {
	Group   string
	Measure Measure
	Points  []CurvePoint // by rising generation
}

// Pool averages a measure over replicates: one curve for each group, in the order in which groups
// first appear. Runs of a group that a budget ended in different generations have one last point,
// at the mean of these, and none between the first end and it. With two runs or more in a
// generation the band is Student's t interval of the mean over runs, because runs and not games are
// the independent units, cut to the bounds of the first run's series. With one run it is the Wilson
// interval over its trials where they are known, and where all runs have the same value it is
// stat.WilsonClusters over theirs; otherwise there is no band, since the error of the mean is
// unknown. Runs without the measure are left out. confidence is in (0, 1).
func Pool(runs []Run, m Measure, confidence float64) ([]Curve, error) {
	var curves []Curve
	place := map[string]int{}
	members := [][]member{}
	for i := range runs {
		s := runs[i].Find(m)
		if s == nil {
			continue
		}
		if err := s.check(runs[i].Name); err != nil {
			return nil, err
		}
		at, ok := place[runs[i].Group]
		if !ok {
			at = len(curves)
			place[runs[i].Group] = at
			curves = append(curves, Curve{Group: runs[i].Group, Measure: m})
			members = append(members, nil)
		}
		members[at] = append(members[at], member{s, runs[i].Games, runs[i].Ended, -1})
	}
	for i := range curves {
		joinEnds(members[i])
		curves[i].Points = poolSeries(members[i], confidence)
	}
	return curves, nil
}

// member is a series of a run with its games, as in Run.
type member struct {
	*Series
	games []float64
	ended bool
	end   int // the generation of its last point, where that stands at another one; else -1
}

// joinEnds puts the last points of runs which a budget ended in different generations at the mean
// of these, and leaves out what others measured from the first end on: those points would be of the
// few runs that were still bred, or that ended there.
func joinEnds(group []member) {
	sum, first, most := 0, math.MaxInt, 0
	for _, m := range group {
		n := len(m.Generation)
		if n == 0 || !m.ended {
			return
		}
		end := m.Generation[n-1]
		sum, first, most = sum+end, min(first, end), max(most, end)
	}
	if first == most {
		return
	}
	mean := int(math.Round(float64(sum) / float64(len(group))))
	for i, m := range group {
		last := len(m.Generation) - 1
		kept, _ := slices.BinarySearch(m.Generation[:last], first)
		joined := *m.Series
		joined.Generation = append(slices.Clone(m.Generation[:kept]), mean)
		joined.Value = append(slices.Clone(m.Value[:kept]), m.Value[last])
		if m.Trials != nil {
			joined.Trials = append(slices.Clone(m.Trials[:kept]), m.Trials[last])
		}
		group[i].Series, group[i].end = &joined, m.Generation[last]
	}
}

// poolSeries walks all series of a group side by side, from generation to generation.
func poolSeries(group []member, confidence float64) []CurvePoint {
	var points []CurvePoint
	least, most := group[0].Bounds.Ends()
	next := make([]int, len(group))
	values := make([]float64, 0, len(group))
	quantile := map[int]float64{} // of Student's t by number of runs: the search for it is slow
	for {
		generation := math.MaxInt
		for i, s := range group {
			if next[i] < len(s.Generation) {
				generation = min(generation, s.Generation[next[i]])
			}
		}
		if generation == math.MaxInt {
			return points
		}
		values = values[:0]
		share, trials, games := true, 0, 0.0
		for i, s := range group {
			at := next[i]
			if at == len(s.Generation) || s.Generation[at] != generation {
				continue
			}
			next[i]++
			if math.IsNaN(s.Value[at]) {
				continue
			}
			values = append(values, s.Value[at])
			if n := len(s.games); n > 0 {
				before := generation
				if next[i] == len(s.Generation) && s.end >= 0 {
					before = s.end
				}
				games += s.games[min(before, n-1)]
			}
			if s.Trials == nil {
				share = false
			} else {
				trials += s.Trials[at]
			}
		}
		if len(values) > 0 {
			if !share {
				trials = 0
			}
			ci := poolValues(values, float64(trials), confidence, quantile).Within(least, most)
			points = append(points, CurvePoint{generation, ci.Estimate, ci.Low, ci.High,
				len(values), games / float64(len(values))})
		}
	}
}

// poolValues returns the mean of values with its band; trials are 0 where they are not known.
func poolValues(values []float64, trials, confidence float64,
	quantile map[int]float64) stat.Interval {
	mean, sd := stat.MeanSD(values)
	n := len(values)
	switch {
	case n == 1 && trials > 0:
		return stat.Wilson(mean*trials, trials, confidence)
	case stat.Alike(values):
		return stat.WilsonClusters(mean, trials, n, confidence)
	}
	t, ok := quantile[n]
	if !ok {
		t = stat.TQuantile((1+confidence)/2, float64(n-1))
		quantile[n] = t
	}
	half := t * sd / math.Sqrt(float64(n))
	return stat.Interval{Estimate: mean, Low: mean - half, High: mean + half}
}

// CurveTable returns curves as tidy data: one row a group, measure and generation, with the games
// of selection before it where curves are drawn over games.
func CurveTable(curves ...[]Curve) *Table {
	columns := []string{"measure", "group", "generation", "mean", "low", "high", "runs"}
	all := slices.Concat(curves...)
	overGames := slices.ContainsFunc(all, func(c Curve) bool {
		return slices.ContainsFunc(c.Points, func(p CurvePoint) bool { return p.Games > 0 })
	})
	if overGames {
		columns = append(columns, "games")
	}
	t := NewTable(columns...)
	for _, c := range all {
		for _, p := range c.Points {
			row := []any{string(c.Measure), c.Group, p.Generation, p.Mean, p.Low, p.High, p.Runs}
			if overGames {
				row = append(row, p.Games)
			}
			t.Add(row...)
		}
	}
	return t
}
