package antwars

import (
	"fmt"
	"math/bits"
	"strings"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
)

// drove is the scratch memory of one running herd.
type drove struct {
	herd    herd
	batches [2]*gp.Batch // by species
	routine *routine
	time    numbers // moves that the ant to move has made
	first   uint32  // games in which the first species has the first seat
}

func newDrove(g *gp.Grammar, level kernels.Level) *drove {
	d := &drove{routine: routineOf(level)}
	for i := range d.batches {
		b, err := g.NewBatch(level)
		if err != nil {
			panic("antwars: " + err.Error())
		}
		d.batches[i] = b
	}
	return d
}

// Executors lists the levels of kernels that this machine runs.
func (g *game) Executors() []string {
	var names []string
	for _, l := range kernels.Available() {
		names = append(names, l.String())
	}
	return names
}

// Using returns the game with kernels of another level than the environment's.
func (g *game) Using(executor string) (engine.Game, error) {
	level, err := kernels.Choose(executor)
	if err != nil || executor == "" {
		return nil, fmt.Errorf("antwars: no executor %q; there are %s", executor,
			strings.Join(g.Executors(), ", "))
	}
	return newGame(level), nil
}

// Batches tells whether both players are genomes, and the level of the kernels makes lockstep the
// faster way.
func (g *game) Batches(a, b engine.Player) bool {
	_, x := a.(*species)
	_, y := b.(*species)
	return x && y && g.lockstep
}

// PlayBatch plays games. Consecutive ones between the same two genomes, whoever has the first seat,
// are played in lockstep, up to sixteen at once; all others one by one, and so are those in plain
// Go, in which lockstep takes twice as long.
func (g *game) PlayBatch(jobs []engine.Job, results []engine.Result) {
	var d *drove
	for start := 0; start < len(jobs); {
		n := 0
		if g.lockstep {
			n = together(jobs[start:])
		}
		if n == 0 {
			results[start] = g.Play(jobs[start].Players[:], jobs[start].Seed, nil)
			start++
			continue
		}
		if d == nil {
			d = g.droves.Get().(*drove)
		}
		d.play(jobs[start:start+n], results[start:start+n])
		start += n
	}
	if d != nil {
		g.droves.Put(d)
	}
}

// together returns how many of the first jobs can be one herd, 0 if the first cannot.
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
	for ; n < min(len(jobs), herdSize); n++ {
		p := &jobs[n].Players
		if (p[0] != engine.Player(a) || p[1] != engine.Player(b)) &&
			(p[0] != engine.Player(b) || p[1] != engine.Player(a)) {
			break
		}
	}
	return n
}

// play plays the games of a herd.
func (d *drove) play(jobs []engine.Job, results []engine.Result) {
	d.begin(jobs)
	clear(results)
	for half := range 2*rounds + 1 {
		d.tick(half, len(jobs), results)
	}
	for i := range results {
		d.settle(i, &results[i])
	}
}

// begin deals the boards.
func (d *drove) begin(jobs []engine.Job) {
	h := &d.herd
	d.first = 0
	a := jobs[0].Players[0]
	for i := range jobs {
		if jobs[i].Players[0] == a {
			d.first |= 1 << i
		}
		b := deal(jobs[i].Seed)
		h.food[0][i], h.food[1][i] = b.food[0], b.food[1]
		h.prints[i], h.steps[i] = jobs[i].Seed, 0
	}
	h.wings[0].begin(d.first)
	h.wings[1].begin(^d.first)
	for i, b := range d.batches {
		b.Load(jobs[0].Players[i].(*species).code)
	}
}

// tick moves the ants whose turn it is in a half tick, those of one species, in the first n games.
func (d *drove) tick(half, n int, results []engine.Result) {
	h, ant := &d.herd, half&1
	who := (1<<n - 1) & h.wings[ant].alive
	switch half {
	case 0:
		who &= d.first
	case 2 * rounds:
		who &^= d.first
	}
	if who == 0 {
		return
	}
	for i := range d.time {
		d.time[i] = uint32(half-int(^d.first>>i&1)) / 2
	}
	near, lost := d.routine.look(h, ant)
	if lost != 0 {
		h.remember(ant, lost, &d.time)
	}
	d.routine.recall(h, ant, &d.time)
	d.decide(ant, enemyAway, who&^near)
	d.decide(ant, enemyNear, who&near)
	killed := d.routine.march(h, ant, who)
	for ; killed != 0; killed &= killed - 1 {
		i := bits.TrailingZeros32(killed)
		mark := markEarly
		if h.wings[1-ant].fed>>i&1 != 0 {
			mark = markSacrifice
		}
		results[i].Marks[d.seat(1-ant, i)][mark] = 1
	}
}

// decide sets the headings of the ants of a species in some games, all of them in one situation.
func (d *drove) decide(ant, situation int, who uint32) {
	if who == 0 {
		return
	}
	h, b, n := &d.herd, d.batches[ant], bits.OnesCount32(who)
	d.routine.enter(h, ant, &d.time, who, b)
	h.sight.straight = *b.Eval(slotStraight, situation, n)
	*b.Scalar(scalarFoodHope) = h.sight.hope
	d.routine.choose(&h.sight.straight, b.Eval(slotDiagonal, situation, n), who,
		&h.wings[ant].heading)
}

// seat returns the seat of a species in a game.
func (d *drove) seat(ant, i int) int { return ant ^ int(^d.first>>i&1) }

// settle writes the end of a game.
func (d *drove) settle(i int, r *engine.Result) {
	for ant := range d.herd.wings {
		r.Scores[d.seat(ant, i)] = float64(d.herd.wings[ant].points[i])
	}
	r.Steps, r.Fingerprint = int(d.herd.steps[i]), d.herd.prints[i]
	if r.Scores[1] > r.Scores[0] {
		r.Winner = 1
	}
}
