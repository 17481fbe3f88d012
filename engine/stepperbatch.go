package engine

import (
	"math"
	"math/bits"

	"clade/gp"
)

// stepperBatch is the memory of up to sixteen games between the same two genomes. The games need
// not be in the same step: in each round those of all games decide that one of the two genomes has
// to make, then those of the other. So games in which seats take turns go as fast as those in which
// they move at once.
type stepperBatch struct {
	games    [gp.BatchSize]steppedGame
	views    *gp.Views
	possible [gp.BatchSize]uint64
	batches  [2]*gp.Batch     // of the two genomes
	values   []*gp.LaneFloats // by slot, of one situation
	kept     []gp.LaneFloats  // what they point to, but the last
	turns    [gp.BatchSize]uint8
}

// steppedGame is one game of a batch.
type steppedGame struct {
	game    Stepper
	turned  int    // 1 where the first genome has the second seat
	live    uint32 // seats that decide in this step
	decided uint32 // those that have
	chosen  [MaxSeats]int
	print   uint64
}

func (l *Lockstep) newBatch() *stepperBatch {
	b := &stepperBatch{values: make([]*gp.LaneFloats, len(l.grammar.Slots)),
		kept: make([]gp.LaneFloats, len(l.grammar.Slots))}
	for i := range b.games {
		b.games[i].game = l.begin()
	}
	// Both exist, or together would be false.
	b.views, _ = l.grammar.NewViews(l.level)
	for p := range b.batches {
		b.batches[p], _ = l.grammar.NewBatch(l.level)
	}
	return b
}

// Batches tells whether both players are genomes and there are kernels.
func (l *Lockstep) Batches(a, b Player) bool {
	_, x := a.(*bred)
	_, y := b.(*bred)
	return x && y && l.together
}

// PlayBatch plays games, consecutive ones between the same two genomes side by side.
func (l *Lockstep) PlayBatch(jobs []Job, results []Result) {
	var b *stepperBatch
	for start := 0; start < len(jobs); {
		n := 1
		if pair := jobs[start].Players; l.Batches(pair[0], pair[1]) {
			for n < min(len(jobs)-start, gp.BatchSize) && samePair(pair, jobs[start+n].Players) {
				n++
			}
		}
		if n == 1 {
			results[start] = l.Play(jobs[start].Players[:], jobs[start].Seed, nil)
		} else {
			if b == nil {
				b = l.batches.Get().(*stepperBatch)
				defer l.batches.Put(b)
			}
			l.playTogether(b, jobs[start:start+n], results[start:start+n])
		}
		start += n
	}
}

// samePair tells whether two players are the same as two others, in either order.
func samePair(a, b [2]Player) bool { return a == b || a[0] == b[1] && a[1] == b[0] }

// playTogether plays the games of a batch.
func (l *Lockstep) playTogether(b *stepperBatch, jobs []Job, results []Result) {
	for p, batch := range b.batches {
		batch.Load(jobs[0].Players[p].(*bred).code)
	}
	running := uint32(0)
	for i := range jobs {
		g := &b.games[i]
		g.turned, g.print, g.decided = 0, jobs[i].Seed, 0
		if jobs[i].Players != jobs[0].Players {
			g.turned = 1
		}
		g.game.Begin(2, jobs[i].Seed)
		if g.live = g.game.Live(); g.live != 0 {
			running |= 1 << i
		} else {
			g.end(&results[i])
		}
	}
	for running != 0 {
		for p := range b.batches {
			l.decideAll(b, p, running)
			for left := running; left != 0; left &= left - 1 {
				i := bits.TrailingZeros32(left)
				if g := &b.games[i]; g.decided == g.live && g.step() {
					running &^= 1 << i
					g.end(&results[i])
				}
			}
		}
	}
}

// step carries out what has been chosen, and tells whether the game is over.
func (g *steppedGame) step() bool {
	for left := g.live; left != 0; left &= left - 1 {
		g.print = Hash(g.print, uint64(g.chosen[bits.TrailingZeros32(left)]))
	}
	g.game.Step(&g.chosen)
	g.live, g.decided = g.game.Live(), 0
	return g.live == 0
}

func (g *steppedGame) end(r *Result) {
	*r = g.game.Result()
	r.Fingerprint = g.print
}

// decideAll makes the decisions that are a genome's turn in the running games.
func (l *Lockstep) decideAll(b *stepperBatch, p int, running uint32) {
	var who uint32
	for left := running; left != 0; left &= left - 1 {
		i := bits.TrailingZeros32(left) % gp.BatchSize
		g := &b.games[i]
		seat := p ^ g.turned
		if (g.live&^g.decided)>>seat&1 != 0 {
			b.possible[i] = g.game.Sense(seat, b.views.Frame(i))
			g.decided |= 1 << seat
			who |= 1 << i
		}
	}
	b.views.Look(who)
	batch := b.batches[p]
	for s := 0; who != 0; s++ {
		set := b.views.Holding(l.situations[s], who)
		if set == 0 {
			continue
		}
		who &^= set
		b.views.Enter(set, batch)
		n := bits.OnesCount32(set)
		for slot := range b.values {
			if b.values[slot] = batch.Eval(slot, s, n); slot < len(b.values)-1 {
				b.kept[slot] = *b.values[slot]
				b.values[slot] = &b.kept[slot]
			}
		}
		if l.turnsOnly {
			batch.Greatest(b.values[0], n, &b.turns)
		}
		for k := 0; set != 0; k, set = k+1, set&(set-1) {
			i := bits.TrailingZeros32(set) % gp.BatchSize
			g := &b.games[i]
			if l.turnsOnly && b.possible[i] == allTurns {
				g.chosen[p^g.turned] = int(b.turns[k%gp.BatchSize])
			} else {
				g.chosen[p^g.turned] = l.greatestLane(b.values, k, b.possible[i])
			}
		}
	}
}

// allTurns is the possible offers where all of Compass are.
const allTurns = 1<<gp.Lanes - 1

// greatestLane is Greatest for one decision of a batch.
func (l *Lockstep) greatestLane(values []*gp.LaneFloats, decision int, possible uint64) int {
	best, chosen := float32(math.Inf(-1)), -1
	for i := range l.offers {
		if possible>>i&1 == 0 {
			continue
		}
		o := &l.offers[i]
		if u := values[o.Slot][gp.Lanes*decision+o.Turn]; chosen < 0 || u > best {
			if u == u {
				best = u
			}
			chosen = i
		}
	}
	return chosen
}
