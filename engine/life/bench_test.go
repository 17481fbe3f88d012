package life

import (
	"testing"

	"clade/engine"
)

// BenchmarkReal plays the placements of a recorded game of the original's size again, without its players: what the board costs in a real game.
func BenchmarkReal(bench *testing.B) {
	for _, pair := range [][2]string{{"training", "random"}, {"interrupting", "patterns"}} {
		g := mustGame(bench, Default())
		var w watcher
		w.blind = true
		g.play([]engine.Player{player(bench, g, pair[0]), player(bench, g, pair[1])}, 1, 0, &w)
		for _, k := range kernels(bench) {
			bench.Run(pair[0]+"-"+pair[1]+"/"+k, func(bench *testing.B) {
				cells, live, awake, games := 0, 0, 0, 0
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
				bench.ReportMetric(float64(cells)/bench.Elapsed().Seconds()/1e9, "Gcells/s")
				bench.ReportMetric(float64(live)/float64(games), "live")
				bench.ReportMetric(float64(awake)/float64(games*g.options.Generations), "awake")
			})
		}
	}
}
