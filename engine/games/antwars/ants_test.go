package antwars

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/proof"
)

// handWritten are the hand-written ants by increasing strength.
var handWritten = []string{"random", "greedy", "smart", "super", "hyper"}

// blind is a memory of an ant on a cell that sees food and perhaps the opponent, at a move, as the
// game would hand it over.
func blind(at, enemy, time, points int, food ...int) *memory {
	m := &memory{}
	m.begin(1)
	b := board{food: set(food), at: [2]uint8{uint8(at), uint8(enemy)},
		score: [2]uint8{0: uint8(points)}}
	if enemy < 0 {
		b.dead[1] = true
	}
	m.update(&b, 0, time)
	return m
}

func TestAntsDecide(t *testing.T) {
	const (
		at = 5*width + 5
		n  = at - width
		e  = at + 1
		s  = at + width
	)
	wiser := []string{"smart", "super", "hyper"}
	for _, tt := range []struct {
		about string
		ants  []string
		m     *memory
		want  []int // any of these
	}{
		{"eat what is beside one", handWritten[1:], blind(at, -1, 0, 0, e), []int{3}},
		{"greedy: nearest first", handWritten[1:2],
			blind(at, -1, 0, 0, e, at-2, at-2-width, at-2+width), []int{3}},
		{"smart: a cluster first", []string{"smart"},
			blind(at, -1, 0, 0, e+1, at-2, at-2-width, at-2+width), []int{0, 6, 7}},
		{"greedy steps beside the opponent", handWritten[1:2], blind(at, e+1, 0, 0, e), []int{3}},
		{"the wiser do not", wiser, blind(at, e+1, 0, 0, e), []int{0, 1, 5, 6, 7}},
		{"the wiser kill", wiser, blind(at, n, 0, 0, e), []int{1}},
		{"hyper: the eighth bite before anything", []string{"hyper"}, blind(at, n, 0, 7, e), []int{3}},
		{"hyper: the eighth bite beside the opponent", []string{"hyper"}, blind(at, e+1, 0, 7, e),
			[]int{3}},
		{"hyper: the last move is free", []string{"hyper"}, blind(at, e+1, rounds-1, 3, e), []int{3}},
		{"two in three moves rather than one in two", []string{"super", "hyper"},
			blind(at, -1, 0, 0, at-2, s+width, s+width+1), []int{4, 5}},
		{"hyper: no food out of reach of time", []string{"hyper"},
			blind(at, -1, rounds-2, 0, at-2, s+width, s+width+1), []int{0, 4, 5, 6, 7}},
	} {
		for _, name := range tt.ants {
			m := *tt.m
			d := mustPlayer(t, name).(decider).Move(&m)
			found := false
			for _, want := range tt.want {
				found = found || d == want
			}
			if !found {
				t.Errorf("%s: %s goes %d, want one of %v", tt.about, name, d, tt.want)
			}
		}
	}
}

// careful fails where an ant steps beside an opponent that it sees and does not kill it.
type careful struct {
	decider
	t *testing.T
}

func (c careful) Move(m *memory) int {
	d := c.decider.Move(m)
	if to := places[m.at].next[d]; m.beside(to) && int(to) != m.enemy {
		c.t.Errorf("%T on %d steps to %d beside the opponent on %d", c.decider, m.at, to, m.enemy)
	}
	return d
}

func TestAntsTakeCare(t *testing.T) {
	g := New()
	for _, rival := range []engine.Player{greedy{}, mustPlayer(t, "brilliant")} {
		for _, a := range []decider{smart{}, super{}} {
			for seed := range uint64(200) {
				g.Play([]engine.Player{careful{a, t}, rival}, seed, nil)
			}
		}
	}
}

// Ants keep nothing from one game to the next.
func TestAntsForget(t *testing.T) {
	g := New()
	for _, name := range handWritten {
		pair := []engine.Player{mustPlayer(t, name), mustPlayer(t, "brilliant")}
		first := g.Play(pair, 1, nil)
		for seed := range uint64(20) {
			g.Play([]engine.Player{hyper{}, super{}}, seed, nil)
			if again := g.Play(pair, 1, nil); again != first {
				t.Fatalf("%s plays seed 1 otherwise after another game", name)
			}
		}
	}
}

// A change of what an ant does changes its signature, a hash over a hundred games against
// BrilliANT, and must be meant.
func TestAntsSignature(t *testing.T) {
	g := New()
	brilliant := mustPlayer(t, "brilliant")
	for name, want := range map[string]uint64{
		"greedy": 0x6543ac2e1d428284,
		"smart":  0x8c916480caf68560,
		"super":  0x8b7bdb383b8f91c5,
		"hyper":  0x0a97786ae5373755,
	} {
		p, h := mustPlayer(t, name), uint64(0)
		for seed := range uint64(50) {
			h = engine.Hash(h, g.Play([]engine.Player{p, brilliant}, seed, nil).Fingerprint)
			h = engine.Hash(h, g.Play([]engine.Player{brilliant, p}, seed, nil).Fingerprint)
		}
		proof.Is(t, h, want, "the signature of %s's games", name)
	}
}

func TestAntsDoNotAllocate(t *testing.T) {
	for _, name := range handWritten {
		a := mustPlayer(t, name).(decider)
		m := blind(60, 62, 10, 2, 40, 41, 50, 59, 61, 82)
		proof.Is(t, testing.AllocsPerRun(100, func() { a.Move(m) }), 0,
			"%s: allocations a decision", name)
	}
}

// witness checks hyper's belief against the board.
type witness struct {
	b         *board
	certain   int // pieces of which hyper was certain out of view
	expected  float64
	remaining float64
	t         *testing.T
}

func (w *witness) look(m *memory) {
	l := &m.belief
	if !w.b.dead[1] && !l.hunter.Has(int(w.b.at[1])) {
		w.t.Fatalf("the opponent is on %d, hyper expects it on %v", w.b.at[1], l.hunter)
	}
	each(m.food.AndNot(m.view), func(c int) {
		if l.keep[c] == 1 {
			w.certain++
			if !w.b.food.Has(c) {
				w.t.Fatalf("hyper is certain of food on %d, and there is none", c)
			}
		}
	})
	w.expected += float64(m.expected())
	w.remaining += float64(w.b.food.Count())
}

// Nothing that hyper takes for certain is ever false, and on average it expects about as much food
// as there is.
func TestHyperBelieves(t *testing.T) {
	w := &witness{t: t}
	rival := mustPlayer(t, "super").(decider)
	for seed := range uint64(300) {
		b := deal(seed)
		w.b = &b
		var memory [2]memory
		for i := range memory {
			memory[i].begin(seed)
		}
		for time := range rounds {
			for ant, a := range []decider{hyper{}, rival} {
				if b.dead[ant] {
					continue
				}
				memory[ant].update(&b, ant, time)
				d := a.Move(&memory[ant])
				if ant == 0 {
					w.look(&memory[0])
				}
				b.move(ant, d)
			}
		}
	}
	if w.certain == 0 {
		t.Error("hyper was never certain of anything out of view")
	}
	if ratio := w.expected / w.remaining; math.Abs(ratio-1) > 0.1 {
		t.Errorf("hyper expects %.3f times the food that there is", ratio)
	}
	t.Logf("%d certainties held; expects %.3f times the food that there is", w.certain,
		w.expected/w.remaining)
}

func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		var b, want gp.Bits
		for range 1 + r.IntN(20) {
			c := r.IntN(cells)
			b.Set(c)
			for i := range cells {
				if distances[c][i] <= 1 {
					want.Set(i)
				}
			}
		}
		if got := spread(b); got != want {
			t.Fatalf("%v spreads to %v, want %v", b, got, want)
		}
	}
}

// Distances are those of walks.
func TestDistances(t *testing.T) {
	for from := range cells {
		var reached gp.Bits
		reached.Set(from)
		for d := range farthest + 1 {
			each(reached, func(c int) {
				if int(distances[from][c]) > d {
					t.Fatalf("from %d to %d are %d moves, a walk takes %d", from, c, distances[from][c], d)
				}
			})
			if d > 0 {
				each(everywhere.AndNot(reached), func(c int) {
					if int(distances[from][c]) <= d {
						t.Fatalf("from %d to %d are %d moves, no walk takes them", from, c, distances[from][c])
					}
				})
			}
			reached = spread(reached)
		}
	}
}

// walk is the oracle of lookahead: the best of all walks cell by cell.
func walk(l *lookahead, at uint8, made int, eaten uint32) float32 {
	var here, best float32
	for i := range l.n {
		if l.cell[i] == at && eaten>>i&1 == 0 {
			here = l.worth[made][i]
			eaten |= 1 << i
		}
	}
	if made+1 < l.moves {
		for _, to := range places[at].next {
			best = max(best, walk(l, to, made+1, eaten))
		}
	}
	return here + best
}

func TestLookahead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var l lookahead
		at := r.IntN(cells)
		l.begin(uint8(at), 1+r.IntN(farthest))
		// All food lies in one square of five cells a side, so that many routes cross.
		food, off := r.Perm(25)[:1+r.IntN(pieces)], r.IntN(cells)
		for i, f := range food {
			food[i] = cellAt(off/width+f/5, off%width+f%5)
		}
		food = slices.DeleteFunc(food, func(c int) bool { return c == at })
		for _, c := range food {
			value, piece := r.Float32(), l.add(c)
			for made := range l.moves {
				value *= 0.9
				l.worth[made][piece] = value
			}
		}
		for d, got := range l.plan([len(compass)]float32{}) {
			want := walk(&l, places[at].next[d], 0, 0)
			if math.Abs(float64(got-want)) > 1e-5 {
				t.Fatalf("from %d to %s %v, by walking %v (food on %v, %d moves)", at, compass[d], got,
					want, food, l.moves)
			}
		}
	}
}

// BenchmarkAnts plays every built-in ant against itself on one core, searches with a thousand
// plies.
func BenchmarkAnts(b *testing.B) {
	g := New()
	for _, e := range g.(engine.Roster).Players() {
		p, err := e.New("")
		if err != nil {
			p, err = e.New("1000")
		}
		proof.OK(b, err)
		b.Run(e.Name, func(b *testing.B) {
			b.ReportAllocs()
			pair, seed, rate := []engine.Player{p, p}, uint64(0), enginetest.Rate(b)
			for b.Loop() {
				g.Play(pair, seed, nil)
				seed++
			}
			rate(float64(b.N), "games")
		})
	}
}
