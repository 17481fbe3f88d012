package cli

import (
	"context"
	"testing"
	"time"

	"clade/engine/games/antwars"
	"clade/evolve"
	"clade/experiments/league"
	"clade/gp/proof"
)

// TestUnfinished holds that play which took long is kept, for the same command only, and forgotten
// when it is over.
func TestUnfinished(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	names := []string{"greedy", "random"}
	o := flags{scope: scope, seed: 1, games: 1000}
	ended, stop := context.WithCancel(t.Context())
	stop()
	u := o.play("match", antwars.New(), names)
	u.cache.Record("a", 1)
	proof.Says(t, u.end(ended, evolve.ErrStopped), "nothing of it is kept")
	u.began = time.Now().Add(-worthKeeping)
	proof.Says(t, u.end(ended, evolve.ErrStopped), "the same command goes on")
	for name, other := range map[string]func(o *flags) *unfinished{
		"seed": func(o *flags) *unfinished {
			o.seed = 2
			return o.play("match", antwars.New(), names)
		},
		"players": func(o *flags) *unfinished {
			return o.play("match", antwars.New(), []string{"greedy", "hyper"})
		},
		"command": func(o *flags) *unfinished { return o.play("league", antwars.New(), names) },
		"program": func(o *flags) *unfinished {
			return o.play("match", antwars.New(), []string{"greedy", "exec:true"})
		},
	} {
		changed := o
		if other(&changed).cache.Found() {
			t.Errorf("another %s goes on from there", name)
		}
	}
	again := o.play("match", antwars.New(), names)
	if n, ok := league.Recall[int](again.cache, "a"); !again.cache.Found() || !ok || n != 1 {
		t.Error("the same command does not go on")
	}
	proof.OK(t, again.end(t.Context(), nil))
	if o.play("match", antwars.New(), names).cache.Found() {
		t.Error("play that is over is not forgotten")
	}
}
