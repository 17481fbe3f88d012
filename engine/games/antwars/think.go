package antwars

import (
	"math"
	"strings"

	"clade/engine"
)

// reasons is the trace of a built-in player's move.
type reasons struct {
	values [len(compass)]float32 // of the directions; NaN of those that were not weighed
	note   string
}

// strikes is the note of a player that kills.
const strikes = "kills the opponent within reach"

// weigh tells what a direction is worth.
func (m *memory) weigh(direction int, value float32) {
	if m.trace != nil {
		m.trace.values[direction] = value
	}
}

// note tells why nothing is weighed.
func (m *memory) note(text string) {
	if m.trace != nil {
		m.trace.note = text
	}
}

// food tells how far the nearest known food is from each direction, as a negative number.
func (t *reasons) food(m *memory) {
	if m.food.Count() == 0 {
		t.note = "knows of no food, and keeps to a direction"
		return
	}
	for d, to := range places[m.at].next {
		near := cells
		each(m.food, func(c int) { near = min(near, int(distances[to][c])) })
		t.values[d] = float32(-near)
	}
}

// tracer is a built-in player, for one game, that reports its choices.
type tracer struct {
	decider
	report func(*engine.Choice)
	judge  judge
}

// Move moves as the player does.
func (t *tracer) Move(m *memory) int {
	var trace reasons
	for d := range trace.values {
		trace.values[d] = float32(math.NaN())
	}
	chances, weighed := t.judge.chances(m), []int{}
	m.trace = &trace
	chosen := t.decider.Move(m)
	m.trace = nil
	c := engine.Choice{Actor: pixel(int(m.at)), Note: trace.note}
	for d, to := range places[m.at].next {
		if d == chosen {
			c.Chosen = len(c.Candidates)
		} else if trace.values[d] != trace.values[d] {
			continue
		}
		weighed = append(weighed, d)
		c.Candidates = append(c.Candidates, engine.Candidate{Name: strings.ToUpper(compass[d]),
			At: pixel(int(to)), Slot: -1, Utility: trace.values[d]})
	}
	c.Prospects = func() []float32 { return chances(weighed) }
	t.report(&c)
	return chosen
}
