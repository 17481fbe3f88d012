package antwars

import (
	"math"
	"strings"

	"clade/engine"
)

// thoughts is what a built-in player tells of a move.
type thoughts struct {
	values [len(compass)]float32 // of the directions; NaN of those that were not weighed
	note   string
}

// strikes is the note of a player that kills.
const strikes = "kills the opponent within reach"

// weigh tells what a direction is worth.
func (m *memory) weigh(direction int, value float32) {
	if m.told != nil {
		m.told.values[direction] = value
	}
}

// note tells why nothing is weighed.
func (m *memory) note(text string) {
	if m.told != nil {
		m.told.note = text
	}
}

// food tells how far the nearest known food is from each direction, as a negative number.
func (t *thoughts) food(m *memory) {
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

// thinker is a built-in player, for one game, that tells what it weighs up.
type thinker struct {
	decider
	tell  func(*engine.Choice)
	judge judge
}

// Move moves as the player does.
func (t *thinker) Move(m *memory) int {
	var told thoughts
	for d := range told.values {
		told.values[d] = float32(math.NaN())
	}
	chances, weighed := t.judge.chances(m), []int{}
	m.told = &told
	chosen := t.decider.Move(m)
	m.told = nil
	c := engine.Choice{Actor: pixel(int(m.at)), Note: told.note}
	for d, to := range places[m.at].next {
		if d == chosen {
			c.Chosen = len(c.Candidates)
		} else if told.values[d] != told.values[d] {
			continue
		}
		weighed = append(weighed, d)
		c.Candidates = append(c.Candidates, engine.Candidate{Name: strings.ToUpper(compass[d]),
			At: pixel(int(to)), Slot: -1, Utility: told.values[d]})
	}
	c.Prospects = func() []float32 { return chances(weighed) }
	t.tell(&c)
	return chosen
}
