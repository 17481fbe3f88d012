package runner

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/system/durable"
	"clade/evolve/rundir"
)

// Cost is what a run has cost so far.
type Cost struct {
	Games     int64   `json:"games"`      // of selection and migration
	RaceGames int64   `json:"race_games"` // of the choice of champions
	Seconds   float64 `json:"seconds"`    // by the clock, of breeding without checkpoints
	// of processors, of the same; by the clock where an earlier version has bred
	Processor float64 `json:"processor_seconds"`
}

// Add adds what another run has cost.
func (c *Cost) Add(d Cost) {
	c.Games, c.RaceGames = c.Games+d.Games, c.RaceGames+d.RaceGames
	c.Seconds, c.Processor = c.Seconds+d.Seconds, c.Processor+d.Processor
}

// Cost adds up what the run's generations have cost.
func (r *Run) Cost() (c Cost, err error) {
	generations := 0
	err = readLog(r, func(l *struct {
		Games     int64 `json:"games"`
		RaceGames int64 `json:"race_games"`
	}) {
		c.Games, c.RaceGames = c.Games+l.Games, c.RaceGames+l.RaceGames
		generations++
	})
	if err != nil {
		return c, err
	}
	return c, r.eachTime(generations, func(t *rundir.Times) {
		c.Seconds += t.Seconds
		c.Processor += cmp.Or(t.Processor, t.Seconds)
	})
}

// eachTime calls a function with the times of each generation of the log. It is an error if one has
// none: of a run that goes on, the last one's may follow.
func (r *Run) eachTime(generations int, use func(*rundir.Times)) error {
	path := filepath.Join(r.Dir, rundir.TimesFile)
	_, err := durable.EachLine(path, func(t *rundir.Times) bool {
		generations--
		use(t)
		return true
	})
	_, going := os.Stat(filepath.Join(r.Dir, rundir.DoneFile))
	if err == nil && (generations > 1 || generations == 1 && going == nil) {
		err = fmt.Errorf("%s lacks %d generations of the log; what the run has cost is not known", path,
			generations)
	}
	return err
}
