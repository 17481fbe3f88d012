package life

import (
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/kernels"
	"clade/gp/proof"
)

func mustGame(t testing.TB, o settings) *game {
	t.Helper()
	g := proof.Must(New().(*game).With(&o))(t)
	return g.(*game)
}

// sloppy replies the same every turn, and forfeits from a generation on in spite of its reply.
type sloppy struct {
	cells   []cell
	forfeit int
}

func (s sloppy) sit(*settings, engine.Seed) seat { return s }

func (s sloppy) choose(v *view, dst []cell) ([]cell, bool) {
	return append(dst, s.cells...), v.generation < s.forfeit
}

// TestOnlyTheFirstEntriesCount: those without effect use up the cells of a turn, what follows is
// dropped, and a forfeited turn places nothing.
func TestOnlyTheFirstEntriesCount(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.Cells = 20, 20, 2, 6
	block := []cell{{5, 5}, {5, 6}, {6, 5}, {6, 6}}
	for _, c := range []struct {
		reply  []cell
		placed float32
	}{
		{block, 4},
		{append([]cell{{-1, 0}, {0, 20}}, append(block, cell{10, 10})...), 4},
		{append([]cell{{-1, 0}, {0, 20}, {20, 0}}, block...), 3},
		{append([]cell{{5, 5}, {5, 5}, {5, 5}}, block...), 3},
		{append([]cell{{9, 1}, {9, 5}, {9, 9}, {13, 1}, {13, 5}, {13, 9}}, block...), 6},
	} {
		r := mustGame(t, o).Play([]engine.Player{sloppy{c.reply, 1}, sloppy{nil, 9}}, 1, nil)
		if r.Marks[0][0] != c.placed || r.Marks[0][1] != 1 || r.Marks[1][1] != 0 {
			t.Errorf("%v: placed %v, forfeited %v; want %v and 1", c.reply, r.Marks[0][0],
				r.Marks[0][1], c.placed)
		}
	}
}

// TestSeedSaysWhoIsFirst: about half of the seeds let either seat place first.
func TestSeedSaysWhoIsFirst(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations = 9, 9, 1
	g := mustGame(t, o)
	first := 0
	for seed := range uint64(200) { // both want the same cells, and the first side gets them
		r := g.Play([]engine.Player{sloppy{[]cell{{1, 1}, {1, 2}, {2, 1}}, 9},
			sloppy{[]cell{{1, 1}, {1, 2}, {2, 1}}, 9}}, seed, nil)
		if r.Winner() == 0 {
			first++
		}
	}
	if first < 70 || first > 130 {
		t.Errorf("seat 0 was the first side with %d of 200 seeds", first)
	}
}

// TestSameGameOnEveryKernel plays some games on all kernels. The numbers change only with Version.
func TestSameGameOnEveryKernel(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations = 300, 1100, 60
	for _, c := range []struct {
		first, second string
		fingerprint   uint64
		scores        [2]float64
	}{
		{"interrupting", "patterns", 0x73d253a11b824096, [2]float64{2774, 1210}},
		{"saboteur", "guard", 0x62dcb4fbf6a62fa7, [2]float64{3049, 1452}},
		{"evolved", "grower", 0x3e14e28b36033afd, [2]float64{1338, 3628}},
	} {
		for _, k := range kernels.Available() {
			g := mustGame(t, o)
			g.level = k
			var players []engine.Player
			for _, name := range []string{c.first, c.second} {
				if name == "evolved" {
					players = append(players,
						bind(t, g, "(own (rect 0 0 5 5))",
							"(sub (const 1) (changed (rect 0 0 7 7)))", "(const -1)",
							"(enemyBirths (rect 0 0 2 2))"))
				} else {
					players = append(players, enginetest.Player(t, g, name))
				}
			}
			r := g.Play(players, 7, nil)
			if got := [2]float64{r.Scores[0], r.Scores[1]}; r.Fingerprint != c.fingerprint ||
				got != c.scores {
				t.Errorf("%s against %s, %s: fingerprint %#x and scores %v, want %#x and %v",
					c.first, c.second, k, r.Fingerprint, got, c.fingerprint, c.scores)
			}
		}
	}
}
