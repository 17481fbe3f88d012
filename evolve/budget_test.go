package evolve

import (
	"context"
	"errors"
	"strings"
	"testing"

	"clade/evolve/rundir"
	"clade/gp/proof"
)

// The budgets are chosen by hand. A run ends with the generation that reaches its games, with a
// champion, whatever generations says, and says the same as the run of as many generations.
func TestGamesEndARun(t *testing.T) {
	c := small()
	c.Champion.Every, c.Probes.Every = 5, 4
	_, whole := evolved(t, setup(t, c))
	c.Generations = 2
	for _, games := range []int64{1, whole.Games - 1, whole.Games, whole.Games + 1} {
		c.Games = games
		path, done := evolved(t, setup(t, c))
		lines := strings.Split(strings.TrimSpace(contents(t, path)[rundir.LogFile]), "\n")
		if done.Games < games || len(lines) != done.Generations {
			t.Errorf("%d games: it ended with %d, after %d generations and %d lines", games,
				done.Games, done.Generations, len(lines))
		}
		last := done.Games / int64(done.Generations) // as many as a generation has, about
		if done.Games-games > 2*last {
			t.Errorf("%d games: it ended with %d", games, done.Games)
		}
		if done.Champion == nil || !strings.Contains(lines[len(lines)-1], `"champion"`) {
			t.Errorf("%d games: the last generation has no champion", games)
		}
		if games == whole.Games && done.Generations != whole.Generations {
			t.Errorf("%d generations instead of %d", done.Generations, whole.Generations)
		}
	}
}

// The seconds are chosen by hand. They count the time of all processes, and end a run with a
// champion.
func TestSecondsEndARun(t *testing.T) {
	proof.Slow(t)
	c := small()
	c.Seconds, c.Champion.Every = 0.3, 1000
	s := setup(t, c)
	path := t.TempDir()
	r := proof.Must(Create(path, s))(t)
	ctx, cancel := context.WithCancel(context.Background())
	r.Progress = func(p Progress) {
		if p.Spent.Seconds > 0.1 {
			cancel()
		}
	}
	_, err := r.Evolve(ctx)
	r.Close()
	if !errors.Is(err, ErrStopped) {
		t.Fatal("it was not stopped:", err)
	}
	r = proof.Must(Resume(path, s))(t)
	defer r.Close()
	if had := r.state.seconds; had < 0.1 || had >= 0.3 {
		t.Errorf("it goes on at %v seconds", had)
	}
	done, err := r.Evolve(context.Background())
	if err != nil || done.Champion == nil || done.Champion.Games == 0 {
		t.Fatal("it ended with", done, err)
	}
	if r.state.seconds < 0.3 || r.state.seconds > 3 {
		t.Errorf("it ended at %v seconds", r.state.seconds)
	}
}
