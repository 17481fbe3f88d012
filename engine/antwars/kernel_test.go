package antwars

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
)

// TestKernelLayout holds the offsets that the kernels are written with.
func TestKernelLayout(t *testing.T) {
	var h herd
	var w wing
	var v sight
	var f gp.FarCells
	for name, got := range map[string][2]uintptr{
		"herd.prints":   {unsafe.Offsetof(h.prints), 256},
		"herd.steps":    {unsafe.Offsetof(h.steps), 384},
		"wing.points":   {unsafe.Offsetof(w.points), 128},
		"wing.heading":  {unsafe.Offsetof(w.heading), 192},
		"wing.known":    {unsafe.Offsetof(w.known), 256},
		"wing.visited":  {unsafe.Offsetof(w.visited), 512},
		"wing.past":     {unsafe.Offsetof(w.past), 768},
		"wing.used":     {unsafe.Offsetof(w.used), 3840},
		"wing.moved":    {unsafe.Offsetof(w.moved), 3904},
		"wing.alive":    {unsafe.Offsetof(w.alive), 3908},
		"wing.fed":      {unsafe.Offsetof(w.fed), 3912},
		"wing.pasts":    {unsafe.Offsetof(w.pasts), 3916},
		"sight.visited": {unsafe.Offsetof(v.visited), 256},
		"sight.empty":   {unsafe.Offsetof(v.empty), 512},
		"sight.enemy":   {unsafe.Offsetof(v.enemy), 576},
		"sight.lost":    {unsafe.Offsetof(v.lost), 640},
		"sight.far":     {unsafe.Offsetof(v.far), 896},
		"sight.hope":    {unsafe.Offsetof(v.hope), 4224},
		"far.Index":     {unsafe.Offsetof(f.Index), 64},
		"far.Weight":    {unsafe.Offsetof(f.Weight), 64 + 2*16*256},
	} {
		if got[0] != got[1] {
			t.Errorf("%s stands at %d; the kernels think %d", name, got[0], got[1])
		}
	}
}

// stray is a herd in the middle of games, as far as chance can make one: ants anywhere, with any
// memory.
func stray(r *rand.Rand) *herd {
	h := new(herd)
	for g := range h.prints {
		h.prints[g], h.steps[g] = r.Uint64(), r.Uint32N(70)
	}
	for i := range h.wings {
		w := &h.wings[i]
		w.begin(r.Uint32())
		w.moved, w.alive, w.fed = r.Uint32N(1<<16), r.Uint32N(1<<16), r.Uint32N(1<<16)
		for g := range herdSize {
			w.row[g], w.col[g], w.heading[g], w.points[g] = r.Uint32N(side), r.Uint32N(side),
				r.Uint32N(8), r.Uint32N(8)
			for k := range 2 {
				w.known[k][g], w.visited[k][g], h.food[k][g] = someCells(r, k), someCells(r, k),
					someCells(r, k)
			}
		}
		w.pasts = r.Uint32N(pieces)
		for j := range w.pasts {
			w.used[j] = r.Uint32N(1 << 16)
			for g := range herdSize {
				w.past[j].row[g], w.past[j].col[g], w.past[j].seen[g] = r.Uint32N(side),
					r.Uint32N(side), r.Uint32N(17)
			}
		}
	}
	return h
}

func someCells(r *rand.Rand, half int) uint64 {
	return r.Uint64() & r.Uint64() & r.Uint64() & everywhere[half]
}

// TestKernelsAgree runs every kernel and its plain twin from the same state, and compares all that
// they leave behind.
func TestKernelsAgree(t *testing.T) {
	plain := routineOf(kernels.Scalar)
	r := rand.New(rand.NewPCG(1, 2))
	grammar := New().Grammar()
	for _, level := range kernels.Available()[1:] {
		k := routineOf(level)
		a, b := plainBatch(t, grammar), plainBatch(t, grammar)
		for range 2000 {
			h := stray(r)
			twin := *h
			ant, who := r.IntN(2), 1+r.Uint32N(1<<16-1)
			var time numbers
			for i := range time {
				time[i] = 17 + r.Uint32N(18)
			}
			near, lost := plain.look(h, ant)
			if n, l := k.look(&twin, ant); n != near || l != lost || twin != *h {
				t.Fatalf("%v: look: near %x and lost %x instead of %x and %x, or another state",
					level, n, l, near, lost)
			}
			plain.recall(h, ant, &time)
			if k.recall(&twin, ant, &time); twin != *h {
				t.Fatalf("%v: recall", level)
			}
			plain.enter(h, ant, &time, who, a)
			k.enter(&twin, ant, &time, who, b)
			if !sameEntries(h, &twin, who, a, b) {
				t.Fatalf("%v: enter %x", level, who)
			}
			var straight, diagonal gp.LaneFloats
			for i := range straight {
				straight[i], diagonal[i] = someUtility(r), someUtility(r)
			}
			plain.choose(&straight, &diagonal, who, &h.wings[ant].heading)
			if k.choose(&straight, &diagonal, who,
				&twin.wings[ant].heading); twin.wings[ant].heading != h.wings[ant].heading {
				t.Fatalf("%v: choose %v instead of %v of %v and %v", level, twin.wings[ant].heading,
					h.wings[ant].heading, straight, diagonal)
			}
			twin.sight = h.sight // compared already, and lanes of no game hold anything
			killed := plain.march(h, ant, who)
			if got := k.march(&twin, ant, who); got != killed || twin != *h {
				t.Fatalf("%v: march %x: killed %x instead of %x, or another state", level, who, got,
					killed)
			}
		}
	}
}

// plainBatch is a batch with the code of BrilliANT.
func plainBatch(t *testing.T, g *gp.Grammar) *gp.Batch {
	b, err := g.NewBatch(kernels.Scalar)
	if err != nil {
		t.Fatal(err)
	}
	b.Load(mustPlayer(t, "brilliant").(*species).code)
	return b
}

// sameEntries compares what enter has drawn for some games.
func sameEntries(h, twin *herd, who uint32, a, b *gp.Batch) bool {
	n := gp.Lanes * gp.Bits{uint64(who)}.Count()
	same := a.Far(layerFood).N == b.Far(layerFood).N
	for lane := range n {
		for l := range layerVisited + 1 {
			planes := 4
			if l == layerEnemy || l == layerEmpty {
				planes = 1
			}
			for p := range planes {
				same = same && a.Layer(l)[p][lane] == b.Layer(l)[p][lane]
			}
		}
		for s := range scalarFoodHope + 1 {
			same = same && a.Scalar(s)[lane] == b.Scalar(s)[lane]
		}
		same = same && h.sight.hope[lane] == twin.sight.hope[lane]
		for j := range a.Far(layerFood).N {
			x, y := a.Far(layerFood), b.Far(layerFood)
			same = same && x.Index[j][lane] == y.Index[j][lane] &&
				x.Bit[j][lane] == y.Bit[j][lane] && x.Weight[j][lane] == y.Weight[j][lane]
		}
	}
	return same
}

// someUtility returns a number that is often the same as another, or none.
func someUtility(r *rand.Rand) float32 {
	switch r.IntN(12) {
	case 0:
		return float32(math.NaN())
	case 1:
		return float32(math.Inf(1))
	case 2:
		return float32(math.Inf(-1))
	case 3:
		return float32(math.Copysign(0, -1))
	default:
		return float32(r.IntN(5) - 2)
	}
}

// utilities plays a game move by move and returns what its ants give for every decision: straight
// and diagonal moves.
func utilities(players [2]engine.Player, seed uint64, ar *arena) (all [2][][2]gp.Quad) {
	b := deal(seed)
	for time := range rounds {
		for ant, p := range players {
			if b.dead[ant] {
				continue
			}
			if time == 0 {
				ar.memory[ant].begin(0)
			}
			sp, m, s := p.(*species), &ar.memory[ant], ar.sense[ant]
			sp.code.Load(s.frame)
			m.update(&b, ant, time)
			straight, diagonal := sp.utilities(m, s)
			all[ant] = append(all[ant], [2]gp.Quad{straight, diagonal})
			b.move(ant, sp.move(m, s))
		}
	}
	return all
}

// TestLockstepUtilities compares every utility in 10,000 games among 400 grown ants, of all
// executors, bit for bit.
func TestLockstepUtilities(t *testing.T) {
	matches := 625
	if testing.Short() {
		matches = 40
	}
	for _, level := range kernels.Available() {
		g := newGame(level)
		players := bound(t, g, grown(t, 400))
		ar, d := newArena(g.grammar), newDrove(g.grammar, level)
		routine := *d.routine
		d.routine = &routine
		compared := 0
		for i := range matches {
			jobs := match(nil, players[i%400], players[(i*7+1)%400], uint64(i), 8)
			want := make([][2][][2]gp.Quad, len(jobs))
			for k, job := range jobs {
				want[k] = utilities(job.Players, job.Seed, ar)
			}
			choose := routineOf(level).choose
			routine.choose = func(straight, diagonal *gp.LaneFloats, who uint32, heading *numbers) {
				ant := 0
				if heading == &d.herd.wings[1].heading {
					ant = 1
				}
				lane := 0
				for game := range jobs {
					if who>>game&1 == 0 {
						continue
					}
					seat := d.seat(ant, game)
					next := want[game][seat][0]
					want[game][seat] = want[game][seat][1:]
					for k := range gp.Lanes {
						if !sameFloat(next[0][k], straight[lane]) ||
							!sameFloat(next[1][k], diagonal[lane]) {
							t.Fatalf("%v, match %d, game %d, seat %d, turn %d: utilities %v and "+
								"%v, alone %v and %v", level, i, game, seat, k, straight[lane],
								diagonal[lane], next[0][k], next[1][k])
						}
						lane++
						compared += 2
					}
				}
				choose(straight, diagonal, who, heading)
			}
			d.play(jobs, make([]engine.Result, len(jobs)))
			for game := range want {
				for seat, left := range want[game] {
					if len(left) > 0 {
						t.Fatalf("%v, match %d, game %d, seat %d: %d decisions are missing", level,
							i, game, seat, len(left))
					}
				}
			}
		}
		if compared < matches*16*60*8 {
			t.Errorf("%v: only %d utilities compared", level, compared)
		}
	}
}

func sameFloat(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// FuzzBatch plays games between random genomes in lockstep and alone.
func FuzzBatch(f *testing.F) {
	f.Add(uint64(1), uint8(12))
	f.Add(uint64(99), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, n uint8) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, level := range kernels.Available() {
			g := newGame(level)
			g.lockstep = true
			players := bound(t, g,
				[]gp.Genome{g.grammar.Ramped(r, 1, 8), g.grammar.Ramped(r, 1, 8)})
			var jobs []engine.Job
			for range n % 40 {
				i := r.IntN(2)
				jobs = append(jobs,
					engine.Job{Players: [2]engine.Player{players[i], players[r.IntN(2)]},
						Seed: r.Uint64()})
			}
			checkBatch(t, g, jobs)
		}
	})
}

func TestHerdAllocatesNothing(t *testing.T) {
	for _, level := range kernels.Available() {
		g := newGame(level)
		p := bound(t, g, grown(t, 2))
		jobs := match(nil, p[0], p[1], 1, 6)
		results := make([]engine.Result, len(jobs))
		d := newDrove(g.grammar, level)
		d.play(jobs, results)
		if n := testing.AllocsPerRun(20, func() { d.play(jobs, results) }); n != 0 {
			t.Errorf("%v: a herd allocates %v times", level, n)
		}
	}
}
