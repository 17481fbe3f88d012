package antwars

import (
	"fmt"
	"math"
	"strconv"

	"clade/engine"
	"clade/gp"
)

// search plays out each of the eight moves on many boards that agree with what it has seen, and
// leaves hyper's move only where another one is better beyond chance. What it cannot see it draws
// from hyper's belief: where the opponent is, which food is left, and what lies on cells never
// seen. In a play-out both sides follow quick for a few moves. A seer searches on the true board,
// which no ant can see: it shows what information is worth.
type search struct {
	plies int // moves of either ant that are played out for a decision, about
	seer  bool
}

const (
	searchDepth = 16  // moves of either ant in one play-out
	searchSure  = 1.5 // standard errors by which a move must be better than hyper's
	searchNoise = 6   // one in so many moves of a played-out ant is drawn
)

// searches returns the entry of such a player. Its number of plies has no default: a move takes
// milliseconds, and so these players must not be among those that need no arguments, which are
// played without being named.
func searches(name, about string, seer bool) engine.Entry {
	return engine.Entry{Name: name, About: about, New: func(args string) (engine.Player, error) {
		plies, err := strconv.Atoi(args)
		if err != nil || plies < 1 || plies > 1e9 {
			return nil, fmt.Errorf("antwars: %s takes a number of moves to play out in "+
				"1..1000000000, as in %s(3000), not %q", name, name, args)
		}
		return search{plies, seer}, nil
	}}
}

// tally sums up the play-outs of a move, compared with those of the usual move on the same boards.
type tally struct {
	sum, squares float64 // of the differences
	out          bool
}

func (s search) Move(m *memory) int {
	usual := hyper{}.Move(m) // which updates the belief
	if _, kills := m.strike(); kills || m.points >= decisive {
		return usual
	}
	return s.improve(m, usual)
}

// improve returns a move that is better than the usual one beyond chance, or the usual one.
func (s search) improve(m *memory, usual int) int {
	var tallies [8]tally
	done, n := 0, 0
	random := engine.NewRandom(m.seed ^ uint64(m.time+1)*0x9e3779b97f4a7c15)
	const depth = searchDepth
	for left, stage := 8, 1; stage <= 3; stage++ { // the worse half goes after each third
		for ; done < s.plies*stage/3; n++ {
			w := m.imagine(&random, s.seer)
			noise := random.Uint64()
			base := w.playOut(usual, depth, noise)
			for d := range tallies {
				if t := &tallies[d]; d != usual && !t.out {
					by := w.playOut(d, depth, noise) - base
					t.sum += by
					t.squares += float64(by * by)
				}
			}
			done += depth * left
		}
		for keep := left / 2; left > keep && stage < 3; left-- {
			worst := -1
			for d, t := range tallies {
				if d != usual && !t.out && (worst < 0 || t.sum < tallies[worst].sum) {
					worst = d
				}
			}
			tallies[worst].out = true
		}
	}
	best := usual
	for d, t := range tallies {
		if d != usual && !t.out && t.sum > 0 && (best == usual || t.sum > tallies[best].sum) {
			best = d
		}
	}
	if t := tallies[best]; best != usual {
		mean := t.sum / float64(n)
		if deviation := math.Sqrt(max(0, t.squares/float64(n)-float64(mean*mean))); mean*
			math.Sqrt(float64(n)) < searchSure*deviation {
			return usual
		}
	}
	return best
}

// judge searches for another ant. It knows what that ant has seen, and keeps a belief of its own.
type judge struct{ belief belief }

// see updates the belief before a move of the ant, and returns the ant's memory with it.
func (j *judge) see(m *memory) memory {
	own := *m
	own.belief, own.belief.begun = j.belief, j.belief.begun && m.time > 0
	own.updateBelief()
	j.belief = own.belief
	return own
}

// improve returns a move that a search finds better than the ant's usual one, or the usual one.
func (j *judge) improve(m *memory, usual int, s search) int {
	own := j.see(m)
	if m.points >= decisive {
		return usual
	}
	return s.improve(&own, usual)
}

// judgeBoards is how many boards a judge draws for a decision.
const judgeBoards = 128

// chances updates the belief before a move of the ant, and returns a function that estimates, by
// play-outs on the same boards, the chance to win after each of some directions.
func (j *judge) chances(m *memory) func(directions []int) []float32 {
	own := j.see(m)
	return func(directions []int) []float32 {
		all := make([]float64, len(directions))
		random := engine.NewRandom(own.seed ^ uint64(own.time+1)*0x9e3779b97f4a7c15)
		for range judgeBoards {
			w := own.imagine(&random, false)
			noise := random.Uint64()
			for i, d := range directions {
				all[i] += w.playOut(d, searchDepth, noise)
			}
		}
		chances := make([]float32, len(all))
		for i, sum := range all {
			chances[i] = float32(sum / judgeBoards)
		}
		return chances
	}
}

// world is a possible board, and what its ants know of it.
type world struct {
	board
	known [2]scout
	me    int
	left  int // moves that this ant has
}

// scout is what an ant in a play-out remembers.
type scout struct{ seen, food gp.Bits }

func (s *scout) look(b *board, ant int) {
	view := places[b.at[ant]].view
	s.seen = s.seen.Or(view)
	s.food = s.food.AndNot(view).Or(b.food.And(view))
}

// imagine draws a board from what the ant believes; for a seer it is the true one.
func (m *memory) imagine(r *engine.Random, seer bool) (w world) {
	w.me, w.left = m.ant, m.left()
	other := 1 - m.ant
	if seer {
		w.board = *m.truth
	} else {
		b := &m.belief
		w.at[m.ant], w.score[m.ant] = m.at, uint8(m.points)
		w.dead[other] = b.hunter.Empty()
		if n := b.hunter.Count(); n > 0 {
			left := b.hunter
			for range r.Below(n) {
				left = left.Rest()
			}
			w.at[other] = uint8(left.First())
		}
		each(m.food, func(c int) {
			if m.view.Has(c) || r.Float() < float64(b.keep[c]) {
				w.food.Set(c)
			}
		})
		density := float64(b.density())
		each(b.unseen(), func(c int) {
			if c != int(w.at[other]) && r.Float() < density*float64(b.keep[c]) {
				w.food.Set(c)
			}
		})
		w.score[other] = uint8(max(0, pieces-m.points-w.food.Count()))
	}
	w.known[m.ant] = scout{m.belief.seen, m.food}
	// The opponent knows at least what is around it.
	w.known[other].seen = nearby[4][w.at[other]]
	w.known[other].food = w.food.And(nearby[4][w.at[other]])
	return w
}

// playOut makes a move, lets both ants go on by quick, and returns the ant's chance to win.
func (w world) playOut(direction, depth int, noise uint64) float64 {
	r := engine.NewRandom(noise)
	ant, left := w.me, w.left
	for range depth {
		if left == 0 {
			break
		}
		if !w.dead[ant] {
			w.known[ant].look(&w.board, ant)
			if direction < 0 {
				if direction = w.quick(ant); r.Below(searchNoise) == 0 {
					direction = r.Below(8)
				}
			}
			w.move(ant, direction)
		}
		direction = -1
		if ant == 1 {
			left--
		}
		ant = 1 - ant
	}
	return w.chance(left)
}

// chance estimates the ant's chance to win with some moves left from the lead, what ants alive may
// still eat, and how much that varies.
func (w *world) chance(left int) float64 {
	me, other := w.me, 1-w.me
	lead := float64(w.score[me]) - float64(w.score[other]) + 0.5 - float64(me)
	food := float64(w.food.Count())
	eats := min(food, 0.3*float64(left))
	switch {
	case w.dead[me] && w.dead[other]:
		eats = 0
	case w.dead[me]:
		lead -= eats
	case w.dead[other]:
		lead += eats
	}
	return 1 / (1 + math.Exp(-1.7*lead/math.Sqrt(0.05+float64(0.6*eats))))
}

// Weights of quick, by the distance from where a move leads.
var (
	quickFood   = [farthest + 1]float64{1, 0.5, 0.26, 0.14, 0.08, 0.04}
	quickUnseen = [farthest + 1]float64{0, 0.02, 0.03, 0.03, 0.015, 0.01}
)

// rings holds the cells at each distance from each cell.
var rings = makeRings()

func makeRings() *[cells][farthest + 1]gp.Bits {
	var t [cells][farthest + 1]gp.Bits
	for i := range t {
		for j, d := range distances[i] {
			t[i][d].Set(j)
		}
	}
	return &t
}

// quick kills an opponent within reach, never steps beside one in view, and else goes where food
// that it knows and cells that it has not seen are near.
func (w *world) quick(ant int) int {
	p, other, known := &places[w.at[ant]], 1-ant, &w.known[ant]
	enemy := -1
	if !w.dead[other] && p.view.Has(int(w.at[other])) {
		enemy = int(w.at[other])
	}
	best, direction := math.Inf(-1), 0
	unseen := everywhere.AndNot(known.seen)
	for d, to := range p.next {
		if int(to) == enemy {
			return d
		}
		value := 0.0
		for far, ring := range rings[to] {
			value += float64(quickFood[far]*float64(ring.And(known.food).Count())) +
				float64(quickUnseen[far]*float64(ring.And(unseen).Count()))
		}
		if enemy >= 0 && distances[enemy][to] == 1 {
			value -= 2
		}
		if value > best {
			best, direction = value, d
		}
	}
	return direction
}
