package league_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"clade/engine"
	"clade/experiments/league"
	"clade/gp/proof"
)

// slow is a game at a pace that lets a block of boards last.
type slow struct {
	ladder
	games atomic.Int64
}

func (s *slow) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	s.games.Add(1)
	time.Sleep(30 * time.Millisecond)
	return s.ladder.Play(players, seed, rec)
}

// A league of slow games tells after every board how far it is, and keeps what was played of a
// block when it is stopped.
func TestSlowLeague(t *testing.T) {
	proof.Slow(t)
	const boards = 8
	game := &slow{}
	players := []engine.Player{1., 2.}
	path := filepath.Join(t.TempDir(), "cache")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	play := func(ctx context.Context, progress func(done, total int)) error {
		cache := proof.Must(league.OpenCache(path, "a slow league"))(t)
		_, err := league.PlayPairs(ctx, game, players, boards, 1, progress,
			league.Numbered(1, len(players), cache))
		proof.OK(t, cache.Save())
		return err
	}
	reports := 0
	if err := play(ctx, func(done, total int) {
		if reports++; done != reports || total != boards {
			t.Errorf("report %d: %d of %d boards", reports, done, total)
		}
		if done == 5 {
			stop()
		}
	}); err == nil {
		t.Fatal("a league that was stopped has no error")
	}
	proof.OK(t, play(t.Context(), nil))
	if n := game.games.Load(); reports != 5 || n != 2*boards {
		t.Errorf("%d reports, %d games", reports, n)
	}
}

// By hand: where the first seat wins, a player wins the first game of each board and loses the
// second.
func TestBoards(t *testing.T) {
	l := proof.Must(league.PlayLeague(t.Context(), chair{}, []string{"a", "b"}, []engine.Player{1.0,
		2.0},
		7, 1, 1, nil, nil))(t)
	proof.Is(t, fmt.Sprint(l.Boards().Rows), "[[a b 0 0 0 0 0 0 7 0 0]]", "rows of %v",
		l.Boards().Columns)
}
