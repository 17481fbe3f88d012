package runner

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"clade/engine/system/durable"
	"clade/evolve/rundir"
)

// Cost is the cost of a run so far.
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

// Cost returns the cost of the run's generations.
func (r *Run) Cost() (c Cost, err error) {
	err = readLog(r, func(l *struct {
		Games     int64 `json:"games"`
		RaceGames int64 `json:"race_games"`
	}) {
		c.Games, c.RaceGames = c.Games+l.Games, c.RaceGames+l.RaceGames
	})
	if err != nil {
		return c, err
	}
	return c, r.eachTime(func(t *rundir.Times) {
		c.Seconds += t.Seconds
		c.Processor += cmp.Or(t.Processor, t.Seconds)
	})
}

// eachTime calls use with the time of each generation.
func (r *Run) eachTime(use func(*rundir.Times)) error {
	_, err := durable.EachLine(filepath.Join(r.Dir, rundir.TimesFile), func(t *rundir.Times) bool {
		use(t)
		return true
	})
	if errors.As(err, new(*durable.LineError)) {
		return &rundir.Problem{Dir: r.Dir, Remedy: rundir.Mend,
			Err: fmt.Errorf("%w; mend the run, which keeps the times before it", err)}
	}
	return err
}
