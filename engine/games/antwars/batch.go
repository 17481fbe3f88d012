package antwars

import (
	"math/bits"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
)

// scratch is the memory of one running batch.
type scratch struct {
	batch   batch
	inputs  [2]*gp.Batch // by species
	routine *routine
	beyond  int // moves of an ant in a game less the contest's 35
	// Moves that the ant to move has made, less those that the game has beyond the contest's 35, so
	// that the clock ends at 35 in every game. Numbers below 0 are those of unsigned arithmetic.
	time  numbers
	ticks numbers // half ticks of each game that are over
	// Games in which the first species has the first seat, those in which the second species is
	// next, and those that go on.
	first, next, on uint32
	// Of the games of a match: those that each species is certain to win, and those in which nobody
	// can eat any more.
	won   [2]uint32
	eaten uint32
	keen  *keenBatch
}

func newScratch(g *game, level kernels.Level) *scratch {
	s := &scratch{routine: routineOf(level), beyond: g.settings.beyond()}
	for i := range s.inputs {
		b, err := g.grammar.NewBatch(level)
		if err != nil {
			panic("antwars: " + err.Error())
		}
		s.inputs[i] = b
	}
	if g.settings.KeenSenses {
		s.keen = newKeenBatch(g)
	}
	return s
}

// Executors lists the levels of kernels that this machine runs.
func (g *game) Executors() []string { return kernels.Names() }

// Using returns the game with kernels of another level than the environment's.
func (g *game) Using(executor string) (engine.Game, error) {
	level, err := kernels.Executor("antwars", executor)
	if err != nil {
		return nil, err
	}
	return makeGame(level, g.settings), nil
}

// Batches tells whether the players are genomes and there are kernels.
func (g *game) Batches(players []engine.Player) bool {
	_, x := players[0].(*species)
	_, y := players[1].(*species)
	return x && y && g.lockstep
}

// PlayBatch plays games. Where there are kernels, up to sixteen consecutive games between the same
// two genomes, in either seat, are played in lockstep. All others are played one by one.
func (g *game) PlayBatch(jobs []engine.Job, results []engine.Result) {
	var s *scratch
	for start := 0; start < len(jobs); {
		n := 0
		if g.lockstep {
			n = together(jobs[start:])
		}
		if n == 0 {
			results[start] = g.Play(jobs[start].Players, jobs[start].Seed, nil)
			start++
			continue
		}
		if s == nil {
			s = g.scratch.Get().(*scratch)
		}
		s.play(jobs[start:start+n], results[start:start+n], false)
		start += n
	}
	if s != nil {
		g.scratch.Put(s)
	}
}

// PlayMatch plays the games of a match as far as they decide it, if they fit into a batch.
func (g *game) PlayMatch(jobs []engine.Job, results []engine.Result) {
	if p := jobs[0].Players; !g.lockstep || p[0] == p[1] || together(jobs) < len(jobs) {
		g.PlayBatch(jobs, results)
		return
	}
	s := g.scratch.Get().(*scratch)
	s.play(jobs, results, true)
	g.scratch.Put(s)
}

// together returns how many of the first jobs can be one batch, 0 if the first cannot.
func together(jobs []engine.Job) int {
	a, ok := jobs[0].Players[0].(*species)
	if !ok {
		return 0
	}
	b, ok := jobs[0].Players[1].(*species)
	if !ok {
		return 0
	}
	n := 1
	for ; n < min(len(jobs), batchSize); n++ {
		p := jobs[n].Players
		if (p[0] != engine.Player(a) || p[1] != engine.Player(b)) &&
			(p[0] != engine.Player(b) || p[1] != engine.Player(a)) {
			break
		}
	}
	return n
}

// play plays the games of a batch, or as much of them as decides a match.
func (s *scratch) play(jobs []engine.Job, results []engine.Result, match bool) {
	s.begin(jobs)
	clear(results)
	for ant := 0; s.on != 0; ant = 1 - ant {
		if changed := s.tick(ant, results); match && changed != 0 {
			s.judge(changed, len(jobs))
		}
	}
	for i := range results {
		s.settle(i, &results[i])
	}
}

// begin deals the boards.
func (s *scratch) begin(jobs []engine.Job) {
	b := &s.batch
	s.first = 0
	a := jobs[0].Players[0]
	for i := range jobs {
		if jobs[i].Players[0] == a {
			s.first |= 1 << i
		}
		start := deal(jobs[i].Seed)
		b.food[0][i], b.food[1][i] = start.food.Low, start.food.High
		b.prints[i], b.steps[i], s.ticks[i] = jobs[i].Seed, 0, 0
	}
	s.next, s.on, s.won, s.eaten = ^s.first, 1<<len(jobs)-1, [2]uint32{}, 0
	b.sides[0].begin(s.first, len(jobs))
	b.sides[1].begin(^s.first, len(jobs))
	for i, in := range s.inputs {
		sp := jobs[0].Players[i].(*species)
		in.Load(sp.code)
		if s.keen != nil {
			s.keen.begin(i, sp, s.seat)
		}
	}
}

// tick is a half tick of the games that go on and in which a species is next. It returns those in
// which it was the last, or the ant has eaten or killed.
func (s *scratch) tick(ant int, results []engine.Result) (changed uint32) {
	b, last := &s.batch, uint32(0)
	turn := s.on & (s.next ^ (uint32(ant) - 1))
	end := s.end()
	for i := range b.sides[ant].games % (batchSize + 1) {
		later := (s.next>>i ^ uint32(ant)) & 1 // it is the other ant's turn before
		s.time[i] = (s.ticks[i]+later)/2 - uint32(s.beyond)
		if s.ticks[i] += turn >> i & 1; s.ticks[i] == end {
			last |= turn & (1 << i)
		}
	}
	s.next ^= turn
	s.on &^= last
	who := turn & b.sides[ant].alive
	if who == 0 {
		return last
	}
	near, lost := s.routine.look(b, ant)
	if lost != 0 {
		b.remember(ant, lost, &s.time)
	}
	s.routine.recall(b, ant, &s.time)
	if s.keen != nil {
		s.routine.track(b, ant, &s.keen.tracks[ant], &s.keen.vista, who, near)
		s.keen.perceive(b, ant, &s.time, who)
	}
	s.decide(ant, enemyAway, who&^near)
	s.decide(ant, enemyNear, who&near)
	killed := s.routine.march(b, ant, who)
	changed = last | who&b.sides[ant].fed | killed
	for ; killed != 0; killed &= killed - 1 {
		i := bits.TrailingZeros32(killed)
		mark := markEarly
		if b.sides[1-ant].fed>>i&1 != 0 {
			mark = markSacrifice
		}
		results[i].Marks[s.seat(1-ant, i)][mark] = 1
	}
	return changed
}

// end is how many half ticks a game has.
func (s *scratch) end() uint32 { return uint32(2 * (rounds + s.beyond)) }

// judge stops games of a match, of which some have changed. A game stops when its winner is
// certain, and the match when that of all games is up to the one that decides. If none does, those
// in which there is food go on, since the total score decides.
func (s *scratch) judge(changed uint32, n int) {
	b := &s.batch
	for ; changed != 0; changed &= changed - 1 {
		i := bits.TrailingZeros32(changed) % batchSize
		bit := uint32(1) << i
		var points, more [2]uint32 // by seat, and at most to come
		for seat := range points {
			side := &b.sides[s.seat(seat, i)]
			points[seat] = side.points[i]
			if side.alive&bit != 0 && s.ticks[i] < s.end() {
				more[seat] = uint32(bits.OnesCount64(b.food[0][i]) + bits.OnesCount64(b.food[1][i]))
			}
		}
		switch {
		case points[0] >= points[1]+more[1]:
			s.won[s.seat(0, i)] |= bit
		case points[1] > points[0]+more[0]:
			s.won[s.seat(1, i)] |= bit
		default:
			continue
		}
		if more == [2]uint32{} {
			s.eaten |= bit
		}
		s.on &^= bit
	}
	known := s.won[0] | s.won[1]
	front := known &^ (known + 1) // before the first that is not
	for _, won := range s.won {
		if bits.OnesCount32(won&front) > n/2 {
			s.on = 0
			return
		}
	}
	if known == uint32(1)<<n-1 {
		s.on = known &^ s.eaten
	}
}

// decide sets the headings of the ants of a species in some games, in all of which they are in one
// situation.
func (s *scratch) decide(ant, situation int, who uint32) {
	if who == 0 {
		return
	}
	b, in, n := &s.batch, s.inputs[ant], bits.OnesCount32(who)
	s.routine.enter(b, ant, &s.time, who, in)
	if s.keen != nil {
		if s.keen.senses[ant].frame.Reads().Layers>>layerUnseen != 0 {
			s.routine.draw(&s.keen.vista, &b.sides[ant], s.keen.undrawn, who, in)
			s.keen.undrawn = 0
		}
		s.keen.enter(ant, who, in)
		s.keen.hope(ant, slotStraight, who, in)
	}
	b.sight.straight = *in.Eval(slotStraight, situation, n)
	*in.Scalar(scalarFoodHope) = b.sight.hope
	if s.keen != nil {
		s.keen.hope(ant, slotDiagonal, who, in)
	}
	s.routine.choose(&b.sight.straight, in.Eval(slotDiagonal, situation, n), who,
		&b.sides[ant].heading)
}

// seat returns the seat of a species in a game.
func (s *scratch) seat(ant, i int) int { return ant ^ int(^s.first>>i&1) }

// settle writes the result of a game.
func (s *scratch) settle(i int, r *engine.Result) {
	for ant := range s.batch.sides {
		r.Scores[s.seat(ant, i)] = float64(s.batch.sides[ant].points[i])
	}
	r.Steps, r.Fingerprint = int(s.batch.steps[i]), s.batch.prints[i]
	r.Win(0)
	if r.Scores[1] > r.Scores[0] {
		r.Win(1)
	}
}
