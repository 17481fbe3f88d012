package sweep

import (
	"fmt"
	"io"
	"time"

	"clade/experiments/runner"
	"clade/experiments/study"
)

// Cost is what the runs of a sweep have cost, and what is left.
type Cost struct {
	runner.Cost
	// processor seconds that the generations to come take, at the mean of those that are over; nil
	// where none is
	Left *float64 `json:"processor_seconds_left"`
	// Fault says of which run the cost cannot be read, and why; it counts as nothing.
	Fault string `json:"fault,omitempty"`
}

// ReadCost adds up what the runs of a sweep have cost. It reads all logs.
func ReadCost(g *study.Grid, sweep string, p *Progress) (all Cost) {
	spent, over := map[string]float64{}, map[string]int{} // by group
	generations := 0
	for i := range p.Cells {
		s := &p.Cells[i]
		if s.State == Waiting || s.Generation == 0 {
			continue
		}
		c, err := (&runner.Run{Dir: g.Cells[i].Directory(sweep)}).Cost()
		if err != nil {
			all.Fault = err.Error()
			continue
		}
		all.Games, all.RaceGames = all.Games+c.Games, all.RaceGames+c.RaceGames
		all.Seconds, all.Processor = all.Seconds+c.Seconds, all.Processor+c.Processor
		if c.Processor > 0 { // a run elsewhere has its log there
			spent[s.Group] += c.Processor
			over[s.Group] += s.Generation
			generations += s.Generation
		}
	}
	if generations == 0 {
		return all
	}
	left := 0.0
	for i := range p.Groups {
		group := &p.Groups[i]
		pace := all.Processor / float64(generations)
		if n := over[group.Group]; n > 0 {
			pace = spent[group.Group] / float64(n)
		}
		left += pace * float64(group.Generations-group.Generation)
	}
	all.Left = &left
	return all
}

// Write prints it in a line.
func (c *Cost) Write(w io.Writer) {
	if c.Left != nil {
		fmt.Fprintf(w, "played %d games of selection and %d of races in %s of processor time, %s left\n",
			c.Games, c.RaceGames, hours(c.Processor), hours(*c.Left))
	}
	if c.Fault != "" {
		fmt.Fprintln(w, c.Fault)
	}
}

// hours writes a time for people: hours where there are some.
func hours(seconds float64) string {
	if seconds >= 3600 {
		return fmt.Sprintf("%.1f h", seconds/3600)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}
