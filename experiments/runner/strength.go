package runner

import (
	"context"
	"path/filepath"
	"time"

	"clade/analysis/stat"
	"clade/engine"
	"clade/evolve"
	"clade/experiments/player"
)

// Strength is how well a champion does while its run is still bred, in games on boards that no
// selection sees. It is for people who wait, and is written nowhere.
type Strength struct {
	Generation int      // of the champion
	Against    []string // the panel
	Games      int      // so far, against all of them
	// share of the points, a tie counting half; 95 %, Wilson
	Points stat.Interval
}

// spareShare is the share of one processor that measuring takes beside the breeding: it rests
// between games accordingly. A hundred generations of quick.toml took 0.99 of the processor time
// without it (0.91 to 1.06 in three pairs on a busy machine).
const spareShare = 1. / 50

// enoughGames is how many games a champion plays at least before a newer one replaces it.
const enoughGames = 20

// gauge measures champions of a run in spare time.
type gauge struct {
	run       *Run
	names     []string
	opponents []engine.Player
	due       chan evolve.Progress // the newest champion that is due
}

// newGauge returns a gauge for the players that a run's study measures against, or else chooses
// champions by; nil if there are none or nobody listens. It starts no programs.
func (r *Run) newGauge(o Options) *gauge {
	names := r.Study.Measure.Against
	if len(names) == 0 {
		names = r.Study.Players.Reference
	}
	g := &gauge{run: r, due: make(chan evolve.Progress, 1)}
	scope := r.Study.Scope()
	for _, name := range names {
		if _, repeats := scope.Content(r.Game, name); !repeats {
			continue
		}
		p, err := scope.Find(r.Game, name)
		if err != nil {
			continue // setting up the run reports it
		}
		g.names, g.opponents = append(g.names, name), append(g.opponents, p)
	}
	if o.Strength == nil || len(g.names) == 0 || r.Game.Info().MaxSeats == 1 {
		return nil
	}
	return g
}

// see passes on the champion of a generation, if it is one of those that are measured.
func (g *gauge) see(p evolve.Progress) {
	if p.Line.Champion == nil || p.Line.Generation%g.run.Study.Measure.Every != 0 {
		return
	}
	select { // the newest takes the place of one that waits
	case <-g.due:
	default:
	}
	g.due <- p // only this goroutine sends
}

// work measures champions until ctx ends.
func (g *gauge) work(ctx context.Context, tell func(Strength)) {
	for {
		select {
		case <-ctx.Done():
			return
		case p := <-g.due:
			champion, err := player.Load(g.run.Game, filepath.Join(g.run.Dir, p.Line.Champion.File))
			if err == nil {
				g.measure(ctx, p.Line.Generation, champion, tell)
			}
		}
	}
}

// measure plays a champion's games, a board against each opponent in turn, and reports the results
// so far. It ends when a newer champion waits.
func (g *gauge) measure(ctx context.Context, generation int, champion engine.Player,
	tell func(Strength)) {
	var referee engine.Referee
	s := Strength{Generation: generation, Against: g.names}
	points := 0.0
	for board := 0; board < g.run.Study.Measure.Games/2; board++ {
		for k, name := range g.names {
			began := time.Now()
			seed := engine.Seed(g.run.Study.Seed).Name("spare").Name(name)
			results := referee.Boards(g.run.Game, g.run.against(champion, g.opponents[k]), seed,
				board, board+1)
			for game, result := range results {
				switch result.Winner() {
				case game: // of one board, a rotation after the other
					points++
				case engine.Tie:
					points += 0.5
				}
			}
			s.Games += len(results)
			rest := time.NewTimer(time.Duration(float64(time.Since(began)) * (1/spareShare - 1)))
			select {
			case <-rest.C:
			case <-ctx.Done():
				rest.Stop()
				return
			}
		}
		s.Points = stat.Wilson(points, float64(s.Games), 0.95)
		if tell(s); s.Games >= enoughGames && len(g.due) > 0 {
			return
		}
	}
}
