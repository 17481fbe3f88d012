package engine

import (
	"math"
	"math/bits"
	"slices"

	"clade/gp"
)

// stepperBatch is the memory of up to sixteen games between the same genomes. The games need not be
// in the same step: in each round one genome after another makes its decisions in all games, up to
// sixteen at once. So games in which seats take turns are as fast as those in which they move at
// once.
type stepperBatch struct {
	games   [gp.BatchSize]steppedGame
	views   *gp.Views
	asked   [gp.BatchSize]asked
	genomes []Player         // each once
	batches []*gp.Batch      // of the genomes; more may be left from earlier batches
	values  []*gp.LaneFloats // by slot, of one situation
	kept    []gp.LaneFloats  // copies of all of these but the last
	best    gp.BestTurns
}

// steppedGame is one game of a batch.
type steppedGame struct {
	game      Stepper
	of        [MaxSeats]uint32 // by genome: the set of its seats
	live      uint32           // seats that decide in this step
	undecided uint32           // those of them that have not decided yet
	chosen    [MaxSeats]int
	print     uint64
}

// asked is a decision that a genome still has to make.
type asked struct {
	game     *steppedGame
	seat     int
	possible uint64
}

func (l *Lockstep) newBatch() *stepperBatch {
	b := &stepperBatch{values: make([]*gp.LaneFloats, len(l.grammar.Slots)),
		kept: make([]gp.LaneFloats, len(l.grammar.Slots))}
	for i := range b.games {
		b.games[i].game = l.begin()
	}
	b.views, _ = l.grammar.NewViews(l.level) // they exist, or together would be false
	return b
}

// Batches tells whether all players are genomes and there are kernels.
func (l *Lockstep) Batches(players []Player) bool {
	for _, p := range players {
		if _, ok := p.(*bred); !ok {
			return false
		}
	}
	return l.together
}

// PlayBatch plays all jobs, consecutive ones between the same genomes at once.
func (l *Lockstep) PlayBatch(jobs []Job, results []Result) {
	var b *stepperBatch
	for start := 0; start < len(jobs); {
		n := 1
		if players := jobs[start].Players; len(jobs) > start+1 && l.Batches(players) {
			if b == nil {
				b = l.batches.Get().(*stepperBatch)
			}
			b.genomes = b.genomes[:0]
			for _, p := range players {
				if !slices.Contains(b.genomes, p) {
					b.genomes = append(b.genomes, p)
				}
			}
			for n < min(len(jobs)-start, gp.BatchSize) && b.fits(jobs[start+n].Players) {
				n++
			}
		}
		if n == 1 {
			results[start] = l.Play(jobs[start].Players, jobs[start].Seed, nil)
		} else {
			l.playTogether(b, jobs[start:start+n], results[start:start+n])
		}
		start += n
	}
	if b != nil {
		l.batches.Put(b)
	}
}

// fits tells whether all players are among the genomes of the batch.
func (b *stepperBatch) fits(players []Player) bool {
	for _, p := range players {
		if !slices.Contains(b.genomes, p) {
			return false
		}
	}
	return true
}

// playTogether plays the games of a batch.
func (l *Lockstep) playTogether(b *stepperBatch, jobs []Job, results []Result) {
	for p, player := range b.genomes {
		if p == len(b.batches) {
			batch, _ := l.grammar.NewBatch(l.level) // as for views
			b.batches = append(b.batches, batch)
		}
		b.batches[p].Load(player.(*bred).code)
	}
	running := uint32(0)
	for i := range jobs {
		g := &b.games[i]
		g.print = jobs[i].Seed
		clear(g.of[:len(b.genomes)])
		for seat, p := range jobs[i].Players {
			g.of[slices.Index(b.genomes, p)] |= 1 << seat
		}
		g.game.Begin(len(jobs[i].Players), jobs[i].Seed)
		if g.look() {
			running |= 1 << i
		} else {
			g.end(&results[i])
		}
	}
	for running != 0 {
		for p := range b.genomes {
			l.ask(b, p, running)
			for left := running; left != 0; left &= left - 1 {
				i := bits.TrailingZeros32(left)
				if g := &b.games[i]; g.undecided == 0 && !g.step() {
					running &^= 1 << i
					g.end(&results[i])
				}
			}
		}
	}
}

// look finds the seats that decide next, and tells whether there are any.
func (g *steppedGame) look() bool {
	g.live = g.game.Live()
	g.undecided = g.live
	return g.live != 0
}

// step carries out the chosen candidates, and tells whether the game goes on.
func (g *steppedGame) step() bool {
	for left := g.live; left != 0; left &= left - 1 {
		g.print = Hash(g.print, uint64(g.chosen[bits.TrailingZeros32(left)%MaxSeats]))
	}
	g.game.Step(&g.chosen)
	return g.look()
}

func (g *steppedGame) end(r *Result) {
	*r = g.game.Result()
	r.Fingerprint = g.print
}

// ask makes the decisions that a genome has to make in the running games.
func (l *Lockstep) ask(b *stepperBatch, p int, running uint32) {
	n, code := 0, b.genomes[p].(*bred).code
	for left := running; left != 0; left &= left - 1 {
		g := &b.games[bits.TrailingZeros32(left)%gp.BatchSize]
		seats := g.undecided & g.of[p]
		for g.undecided &^= seats; seats != 0; seats &= seats - 1 {
			seat := bits.TrailingZeros32(seats)
			f := b.views.Frame(n)
			f.For(code)
			b.asked[n] = asked{g, seat, g.game.Sense(seat, f)}
			if n++; n == gp.BatchSize {
				l.answer(b, p, n)
				n = 0
			}
		}
	}
	if n > 0 {
		l.answer(b, p, n)
	}
}

// answer makes the first n decisions that a genome was asked for. All use one program, of a
// situation that holds in all of them: that takes less time than two halves with shorter programs.
func (l *Lockstep) answer(b *stepperBatch, p, n int) {
	who := uint32(1)<<n - 1
	// Facts about layers that the genome does not read make no program shorter.
	reads := b.genomes[p].(*bred).code.Reads().Layers
	b.views.Look(who, reads)
	s := 0
	for b.views.Holding(l.situations[s], who) != who {
		s++
	}
	b.views.Enter(who, b.batches[p])
	if l.compasses != nil {
		l.chooseTurns(b, b.batches[p], s, n)
	} else {
		l.choose(b, b.batches[p], s, n)
	}
}

// compass is a run of consecutive offers of one slot, under 0, 1 and so on quarter turns.
type compass struct {
	slot, first int    // the first offer
	all         uint64 // a bit for each
}

// compassesOf returns the offers as compasses, each of a slot of its own, and nil if they are not
// of this kind.
func compassesOf(offers []Offer) (all []compass) {
	for i, o := range offers {
		same := func(c compass) bool { return c.slot == o.Slot }
		if o.Turn == 0 && !slices.ContainsFunc(all, same) {
			all = append(all, compass{slot: o.Slot, first: i})
		}
		if len(all) == 0 || all[len(all)-1].slot != o.Slot || all[len(all)-1].first+o.Turn != i {
			return nil
		}
		all[len(all)-1].all |= 1 << o.Turn
	}
	return all
}

// chooseTurns is choose for offers that are compasses.
func (l *Lockstep) chooseTurns(b *stepperBatch, batch *gp.Batch, situation, n int) {
	var most [gp.BatchSize]float32
	asked := b.asked[:n]
	for nth, c := range l.compasses {
		for k := range asked {
			b.best.Possible[k] = uint8(asked[k].possible >> c.first & c.all)
		}
		b.best.Find(batch.Eval(c.slot, situation, n), n)
		for k := range asked {
			a, value := &asked[k], b.best.Value[k]
			// with no earlier possible offer this one is the best so far
			if nth == 0 || a.possible&(1<<c.first-1) == 0 || value > most[k] {
				a.game.chosen[a.seat%MaxSeats] = c.first + int(b.best.Turn[k])
				most[k] = value
			}
		}
	}
}

// choose makes the first n decisions, in which a situation holds.
func (l *Lockstep) choose(b *stepperBatch, batch *gp.Batch, situation, n int) {
	for slot := range b.values {
		if b.values[slot] = batch.Eval(slot, situation, n); slot < len(b.values)-1 {
			b.kept[slot] = *b.values[slot]
			b.values[slot] = &b.kept[slot]
		}
	}
	for k := range b.asked[:n] {
		a := &b.asked[k]
		a.game.chosen[a.seat%MaxSeats] = l.greatestLane(b.values, k, a.possible)
	}
}

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
