package life

import (
	"syscall"
	"testing"
	"time"

	"clade/engine"
	"clade/gp/kernels"
)

// BenchmarkReal plays the placements of a recorded game of the original's size again, without its players: what the board costs in a real game.
func BenchmarkReal(bench *testing.B) {
	for _, pair := range [][2]string{{"training", "random"}, {"interrupting", "patterns"}} {
		g := mustGame(bench, Default())
		var w watcher
		w.blind = true
		g.play([]engine.Player{player(bench, g, pair[0]), player(bench, g, pair[1])}, 1, 0, &w)
		for _, k := range kernels.Available() {
			bench.Run(pair[0]+"-"+pair[1]+"/"+k.String(), func(bench *testing.B) {
				cells, live, awake, games := 0, 0, 0, 0
				began := processorTime()
				for bench.Loop() {
					b := mustBoard(bench, 1000, 1000, k)
					rest := w.decisions
					for range g.options.Generations {
						for side := range rest {
							for ; rest[side][0] != turnEnd; rest[side] = rest[side][1:] {
								at := int(rest[side][0] - 1)
								b.Place(at/1000, at%1000, Colour(side))
							}
							rest[side] = rest[side][1:]
						}
						b.Step(1)
						cells += 1000 * 1000
						awake += b.computed
					}
					n := b.Population()
					live += n[0] + n[1]
					games++
				}
				reportCells(bench, cells, began)
				bench.ReportMetric(float64(live)/float64(games), "live")
				bench.ReportMetric(float64(awake)/float64(games*g.options.Generations), "awake")
			})
		}
	}
}

// processorTime returns the time that this process has spent computing.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// reportCells reports the cells of boards moved by one generation, by the clock and by the processor's time since it began.
func reportCells(bench *testing.B, cells int, began time.Duration) {
	bench.ReportMetric(float64(cells)/1e9/bench.Elapsed().Seconds(), "Gcells/s")
	bench.ReportMetric(float64(cells)/1e9/(processorTime()-began).Seconds(), "Gcells/cpu-s")
}
