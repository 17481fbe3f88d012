package report

import (
	"fmt"
	"slices"

	"clade/analysis/stat"
)

// effect is the main effect of a setting: what its values do, whatever the other settings are.
type effect struct {
	Key    string // with dots, as --set takes it
	Levels []level
	Test   stat.RankTest // Kruskal and Wallis, over runs
}

// level is all runs with one value of a setting.
type level struct {
	Value string
	Runs  int
	Score stat.Interval // mean over runs, 95 %; of shares stat.MeanShare
}

// crossed reports whether the groups have every value of a setting with each existing combination
// of the others, so that its effect is its own.
func crossed(differences []difference, of int) bool {
	values, others := map[string]bool{}, map[string]map[string]bool{}
	for i, v := range differences[of].Values {
		var rest []string
		for k, d := range differences {
			if k != of {
				rest = append(rest, d.Values[i])
			}
		}
		key := fmt.Sprintf("%q", rest)
		if others[key] == nil {
			others[key] = map[string]bool{}
		}
		values[v], others[key][v] = true, true
	}
	for _, with := range others {
		if len(with) < len(values) {
			return false
		}
	}
	return true
}

// effects finds the main effects of settings where groups differ in two or more; of one setting
// the groups themselves tell.
func (c *Comparison) effects() {
	differences := differences(c.Groups)
	if len(differences) < 2 {
		return
	}
	for k, d := range differences {
		if !crossed(differences, k) {
			c.confounded = append(c.confounded, d.Key)
			continue
		}
		e := effect{Key: d.Key}
		var values []string // in the order of the groups
		var scores [][]float64
		var games []float64
		for i, v := range d.Values {
			at := slices.Index(values, v)
			if at < 0 {
				at = len(values)
				values, scores, games = append(values, v), append(scores, nil), append(games, 0)
			}
			games[at] += c.games(i)
			scores[at] = append(scores[at], c.runs[i]...)
		}
		for i, v := range values {
			e.Levels = append(e.Levels, level{v, len(scores[i]), c.over(scores[i], games[i])})
		}
		e.Test = stat.KruskalWallis(scores...)
		c.Effects = append(c.Effects, e)
	}
}

// significant is the p-value below which a test counts.
const significant = 0.05

// Powerless names, in a sentence each, the tests that cannot be significant with so few runs or
// opponents, however great a difference is.
func (c *Comparison) Powerless() (all []string) {
	pairs := float64(len(c.pairs))
	least := 1.0 // p of any pair
	for _, p := range c.pairs {
		least = min(least, pairs*stat.LeastP(len(c.Groups[p.A].Runs), len(c.Groups[p.B].Runs)))
	}
	if len(c.pairs) > 0 && least > significant {
		enough := 2
		for pairs*stat.LeastP(enough, enough) > significant {
			enough++
		}
		corrected := ""
		if len(c.pairs) > 1 {
			corrected = fmt.Sprintf(", with Holm's correction for %d pairs", len(c.pairs))
		}
		all = append(all, fmt.Sprintf("So few runs cannot tell groups apart: the smallest p that "+
			"Mann and Whitney's test can give here is %.2g%s. It needs %d runs a group.", least,
			corrected, enough))
	}
	if c.Friedman == nil {
		return all
	}
	orders := 1.0 // as likely as each other, of all opponents but one
	for range len(c.Cases) - 1 {
		for k := range c.Groups {
			orders *= float64(k + 1)
		}
	}
	if 1/orders > significant {
		all = append(all,
			fmt.Sprintf("%d opponents are too few for Friedman's and Nemenyi's tests: "+
				"the smallest p that there can be is %.2g.", len(c.Cases), 1/orders))
	}
	return all
}
