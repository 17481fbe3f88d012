package league_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
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

// ranks is a game that the first seat wins with the greater number, and ties else.
type ranks struct{ ladder }

func (ranks) Play(players []engine.Player, _ uint64, _ engine.Recorder) (r engine.Result) {
	if players[0].(float64) > players[1].(float64) {
		r.Win(0)
	}
	return r
}

// By hand: in each pair the greater number wins the game in which it is first, and ties the other,
// on every board. The greatest has three quarters of all points, and all of the mixtures.
func TestLeagueByHand(t *testing.T) {
	players, ctx := []engine.Player{1.0, 2.0, 3.0}, t.Context()
	l := proof.Must(league.PlayLeague(ctx, ranks{}, []string{"a", "b", "c"}, players, 7, 1, 1, nil,
		nil))(t)
	proof.Is(t, fmt.Sprint(l.Boards().Rows), "[[a b 0 0 0 7 0 0 0 0 0] [a c 0 0 0 7 0 0 0 0 0] "+
		"[b c 0 0 0 7 0 0 0 0 0]]", "rows of %v", l.Boards().Columns)
	for i, row := range l.Table().Rows {
		numbers := [][3]string{{"0.75", "1", "1"}, {"0.5", "0", "0"}, {"0.25", "0", "0"}}[i]
		for k, want := range numbers {
			proof.Near(t, fmt.Sprint(row), proof.Must(strconv.ParseFloat(row[7+k], 64))(t),
				proof.Must(strconv.ParseFloat(want, 64))(t), 1e-4)
		}
		proof.Is(t, row[0], []string{"c", "b", "a"}[i], "place %d", i)
	}
	if l.Games != 14 || l.Curl == nil || l.Spread.Curl.Estimate == 0 || len(l.Figures()) != 4 {
		t.Errorf("%d games, %v, %v, %d figures", l.Games, l.Curl, l.Spread, len(l.Figures()))
	}
	swapped := proof.Must(league.PlayPairs(ctx, ranks{}, players, 7, 1, nil,
		func(a, b int) league.Pair { return league.Pair{Seed: 3, Swap: true} }))(t)
	proof.Is(t, fmt.Sprint(swapped), fmt.Sprint(l.Pairings), "what the others begin")
	for a, k := 0, 0; a < 5; a++ { // pairs are numbered in their order
		for b := a + 1; b < 5; b++ {
			proof.Is(t, league.Numbered(9, 5, nil)(a, b), league.Pair{Seed: engine.Seed(9).Num(uint64(k)),
				Key: fmt.Sprintf("pair %016x %d", 9, k)}, "pair %d, %d", a, b)
			k++
		}
	}
}
