package life

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/life/internal/kernel"
	"clade/engine/system/parallel"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// BenchmarkReal plays the placements of a recorded game of the original's size again, without its
// players: what the board costs in a real game.
func BenchmarkReal(bench *testing.B) {
	for _, pair := range [][2]string{{"training", "random"}, {"interrupting", "patterns"}} {
		g := mustGame(bench, defaults())
		var w watcher
		w.blind = true
		g.play([]engine.Player{enginetest.Player(bench, g, pair[0]),
			enginetest.Player(bench, g, pair[1])}, 1, 0, &w)
		for _, k := range kernels.Available() {
			bench.Run(pair[0]+"-"+pair[1]+"/"+k.String(), func(bench *testing.B) {
				cells, live, awake, games := 0, 0, 0, 0
				began := parallel.ProcessorTime()
				for bench.Loop() {
					b := newBoard(1000, 1000, k)
					rest := w.decisions
					for range g.settings.Generations {
						for side := range rest {
							for ; rest[side][0] != turnEnd; rest[side] = rest[side][1:] {
								at := int(rest[side][0] - 1)
								b.place(at/1000, at%1000, colour(side))
							}
							rest[side] = rest[side][1:]
						}
						b.step(1)
						cells += 1000 * 1000
						awake += b.computed
					}
					n := b.population()
					live += n[0] + n[1]
					games++
				}
				reportCells(bench, cells, began)
				bench.ReportMetric(float64(live)/float64(games), "live")
				bench.ReportMetric(float64(awake)/float64(games*g.settings.Generations), "awake")
			})
		}
	}
}

// pulsars fills a board with pulsars of both colours. No cell of theirs is the same in every
// generation or in every other one, so that no tile ever sleeps.
func pulsars(t testing.TB, b *board) {
	t.Helper()
	p := proof.Must(parsePattern("pulsar",
		[]byte("x = 13, y = 13\n2b3o3b3o2b2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2b2$"+
			"2b3o3b3o2b$o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!")))(t)
	spread := func(side int) (at []int) {
		n := side / 17
		for i := range n {
			at = append(at, 1+i*(side-15)/(n-1))
		}
		return at
	}
	colour := colourA
	for _, y := range spread(b.height) {
		for _, x := range spread(b.width) {
			for i := range p.live {
				p.live[i].own = colour
			}
			b.put(p, y, x)
			colour = colour.enemy()
		}
	}
	for range 3 {
		b.step(1)
	}
	if b.computed != b.columns*b.rows {
		t.Fatalf("%d of %d tiles are awake", b.computed, b.columns*b.rows)
	}
}

// BenchmarkDense computes every tile of a board in every generation.
func BenchmarkDense(bench *testing.B) {
	for _, k := range kernels.Available() {
		for _, side := range []int{1000, 2000} {
			bench.Run(fmt.Sprintf("%s/side=%d", k, side), func(bench *testing.B) {
				b := newBoard(side, side, k)
				pulsars(bench, b)
				began := parallel.ProcessorTime()
				for bench.Loop() {
					b.step(1)
				}
				reportCells(bench, side*side*bench.N, began)
			})
		}
	}
}

// BenchmarkBands measures in turn, for some time each, how long a generation of a dense board takes
// in one band and in two, and compares the medians of the times, which other work of the machine
// hardly moves. It also moves two boards half as wide at the same time, which have nothing in
// common: no bands can be faster than that, and cores that share what they compute with make it
// less than twice as fast as one. It needs two cores.
func BenchmarkBands(bench *testing.B) {
	for _, k := range kernels.Available() {
		for _, side := range []int{1000, 2000} {
			bench.Run(fmt.Sprintf("%s/side=%d", k, side), func(bench *testing.B) {
				const generations, turn = 10, 50 * time.Millisecond
				b := newBoard(side, side, k)
				pulsars(bench, b)
				step := func(b *board, bands int) {
					for range generations {
						b.step(bands)
					}
				}
				var halves [2]*board
				for i := range halves {
					halves[i] = newBoard(side, (b.columns+1)/2*kernel.Columns, k)
					pulsars(bench, halves[i])
				}
				other := newWorker(func(band) int { step(halves[1], 1); return 0 })
				ways := [...]func(){
					func() { step(b, 1) },
					func() { step(b, 2) },
					func() { other.offer(0); step(halves[0], 1); other.finish(patience) },
				}
				var times [len(ways)][]time.Duration
				for bench.Loop() {
					for i, way := range ways {
						for began := time.Now(); time.Since(began) < turn; {
							one := time.Now()
							way()
							times[i] = append(times[i], time.Since(one))
						}
					}
				}
				var median [len(ways)]float64
				for i := range times {
					slices.Sort(times[i])
					median[i] = float64(times[i][len(times[i])/2]) / generations / 1e3
				}
				bench.ReportMetric(median[0], "us/one")
				bench.ReportMetric(median[1], "us/two")
				bench.ReportMetric(median[2], "us/apart")
				bench.ReportMetric(median[0]/median[1], "ratio")
				bench.ReportMetric(median[0]/median[2], "ratio/apart")
				bench.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkGolly moves a soup of 1000 x 1000 cells on an unbounded plane by 1,000 generations, here
// and with bgolly, the program without a window that comes with Golly, where it is installed. The
// board here is so wide that nothing reaches its edges. Golly does it in one stride; both read the
// same pattern and must end with as many cells. Golly plays two colours by a table of the rule.
func BenchmarkGolly(bench *testing.B) {
	const size, margin, generations = 1000, 500, 1000
	for colours, algorithms := range [][]string{1: {"QuickLife", "HashLife"}, 2: {"RuleLoader"}} {
		if colours == 0 {
			continue
		}
		p := soup(size, size, 35, colours, 1)
		var live int
		for _, l := range kernels.Available() {
			bench.Run(fmt.Sprintf("colours=%d/%s", colours, l), func(bench *testing.B) {
				began := parallel.ProcessorTime()
				for bench.Loop() {
					b := newBoard(size+2*margin, size+2*margin, l)
					b.put(p, margin, margin)
					for range generations {
						b.step(1)
					}
					n := b.population()
					live = n[0] + n[1]
				}
				bench.ReportMetric((parallel.ProcessorTime()-began).Seconds()/float64(bench.N), "cpu-s/op")
				bench.ReportMetric(float64(live), "live")
			})
		}
		file := filepath.Join(bench.TempDir(), "soup.rle")
		if err := os.WriteFile(file, p.rle(), 0o644); err != nil {
			bench.Fatal(err)
		}
		for _, algorithm := range algorithms {
			bench.Run(fmt.Sprintf("colours=%d/Golly-%s", colours, algorithm),
				func(bench *testing.B) {
					if _, err := exec.LookPath("bgolly"); err != nil {
						bench.Skip(err)
					}
					var used time.Duration
					for bench.Loop() {
						c := exec.Command("bgolly", "-a", algorithm, "-m", fmt.Sprint(generations),
							"-i", fmt.Sprint(generations), "-s", "testdata/", file)
						out, err := c.CombinedOutput()
						if err != nil {
							bench.Fatalf("%v: %s", err, out)
						}
						used += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
						words := strings.Fields(strings.ReplaceAll(string(out), ",", ""))
						if got := words[len(words)-1]; live != 0 && got != fmt.Sprint(live) {
							bench.Fatalf("Golly ends with %s live cells, not %d: %s", got, live, out)
						}
					}
					bench.ReportMetric(used.Seconds()/float64(bench.N), "cpu-s/op")
				})
		}
	}
}

// reportCells reports the cells of boards moved by one generation, a second of processor time.
func reportCells(bench *testing.B, cells int, began time.Duration) {
	bench.ReportMetric(float64(cells)/1e9/(parallel.ProcessorTime()-began).Seconds(), "Gcells/cpu-s")
}
