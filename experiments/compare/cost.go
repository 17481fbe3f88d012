package compare

import (
	"fmt"
	"strings"

	"clade/experiments/runner"
)

// The parts of a cost that are compared.
func games(c runner.Cost) float64     { return float64(c.Games) }
func raceGames(c runner.Cost) float64 { return float64(c.RaceGames) }
func seconds(c runner.Cost) float64   { return c.Processor }

// mean returns the mean cost of a run of a group.
func (c *Comparison) mean(group int, of func(runner.Cost) float64) (sum float64) {
	for _, cost := range c.Costs[group] {
		sum += of(cost)
	}
	return sum / float64(max(1, len(c.Costs[group])))
}

// tolerated is the share by which compared groups may differ in games.
const tolerated = 0.02

// unequal names, in a sentence each, groups that had more games than others.
func (c *Comparison) unequal() (all []string) {
	for _, kind := range []struct {
		name string
		of   func(runner.Cost) float64
	}{{"games of selection", games}, {"games of the champion's races", raceGames}} {
		least := 0
		for i := range c.Groups {
			if c.mean(i, kind.of) < c.mean(least, kind.of) {
				least = i
			}
		}
		fewest := c.mean(least, kind.of)
		var more []string
		for i, g := range c.Groups {
			if n := c.mean(i, kind.of); n > fewest*(1+tolerated) {
				percent := ""
				if fewest > 0 {
					percent = fmt.Sprintf(", %.0f %% more", 100*(n/fewest-1))
				}
				more = append(more, fmt.Sprintf("%s (%.0f a run%s)", g.Name, n, percent))
			}
		}
		if more != nil {
			all = append(all, fmt.Sprintf("Groups did not have equal %s: %s had more than %s (%.0f).",
				kind.name, strings.Join(more, ", "), c.Groups[least].Name, fewest))
		}
	}
	return all
}
