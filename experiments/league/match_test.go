package league_test

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/santafe"
	"clade/evolve"
	"clade/experiments/league"
	"clade/gp/proof"
)

// counted counts the games of a game, which end its context when there have been enough.
type counted struct {
	engine.Game
	games atomic.Int64
	most  int64
	stop  func()
}

func (c *counted) Play(players []engine.Player, seed uint64, r engine.Recorder) engine.Result {
	if c.games.Add(1) == c.most {
		c.stop()
	}
	return c.Game.Play(players, seed, r)
}

// TestMatch holds that a match is what those of 25 boards add up to, whatever the number of
// workers; that few games are parted among many; and that one which is broken off goes on.
func TestMatch(t *testing.T) {
	proof.Slow(t)
	g := enginetest.Number(1)
	players := []engine.Player{enginetest.Constant(g, 0.3), enginetest.Constant(g, 0.5),
		enginetest.Constant(g, 0.7)}
	for n := 2; n <= 3; n++ {
		for _, boards := range []int{1, 24, 25, 26, 60, 25 * 300} {
			var want []engine.Standing
			var r engine.Referee
			for first := 0; first < boards; first += 25 {
				sum := proof.Must(r.Standings(g, players[:n], min(25, boards-first),
					engine.Seed(9).Num(uint64(first/25))))(t)
				for i := range sum {
					if first > 0 {
						want[i].Add(&sum[i])
					}
				}
				if first == 0 {
					want = sum
				}
			}
			for _, workers := range []int{0, 1, 3, 64} {
				last, pieces := 0, 0
				match := league.Match{Game: g, Players: players[:n], Boards: boards, Seed: 9,
					Workers: workers, Progress: func(done, total int) {
						if done <= last || total != n*boards {
							t.Errorf("progress %d of %d after %d", done, total, last)
						}
						last, pieces = done, pieces+1
					}}
				got, err := match.Play(t.Context())
				if err != nil || !reflect.DeepEqual(got, want) || last != n*boards ||
					pieces < min(workers, n*boards) {
					t.Errorf("%d players, %d boards, %d workers: %+v, %v, %d pieces up to "+
						"%d\nwant %+v",
						n, boards, workers, got, err, pieces, last, want)
				}
			}
		}
	}
	path := filepath.Join(t.TempDir(), "cache")
	open := func() *league.Cache {
		return proof.Must(league.OpenCache(path, "match"))(t)
	}
	const boards = 25 * 600
	ctx, stop := context.WithCancel(t.Context())
	broken := &counted{Game: g, most: 2*boards - 10, stop: stop}
	match := league.Match{Game: broken, Players: players[:2], Boards: boards, Seed: 9, Workers: 1,
		Cache: open()}
	if _, err := match.Play(ctx); !errors.Is(err, evolve.ErrStopped) {
		t.Errorf("%v, want it to be stopped", err)
	}
	proof.OK(t, match.Cache.Save())
	again := &counted{Game: g, most: -1}
	match.Game, match.Cache = again, open()
	got, err := match.Play(t.Context())
	if err != nil || again.games.Load() > boards {
		t.Errorf("%v, %d games of %d are played again", err, again.games.Load(), 2*boards)
	}
	match.Game, match.Cache = g, nil
	if want, err := match.Play(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

// TestGameForOne looks for introns in a species of a game for one.
func TestGameForOne(t *testing.T) {
	g := santafe.New()
	ge := proof.Must(g.Grammar().Parse("(if-food-ahead (if-food-ahead move left) right)"))(t)
	introns, _, err := league.Introns(t.Context(), g, ge, 100, 1, nil)
	proof.OK(t, err)
	if dead := introns[0]; dead[0] || dead[2] || !dead[3] || dead[4] {
		t.Errorf("introns %v; the inner left is never reached", dead)
	}
}
