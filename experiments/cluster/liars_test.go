package cluster

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"clade/engine"
	"clade/evolve"
	"clade/experiments/cluster/broker"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// lie is what a liar does besides breeding something else.
type lie int

const (
	plainLie lie = iota
	jointLie     // it says of half of its runs that another has begun them
	giftLie      // it ends no run, and others go on with what it has begun
	allLies
	hiddenLie // the same, and it does not say that it had a part; in no seed's plan
)

// carrier is how a liar carries runs out.
func (l lie) carrier(node *simNode) sweep.Carrier {
	carry := node.carrier()
	return func(ctx context.Context, c *study.Cell, dir string,
		o runner.Options) (*runner.Summary, error) {
		switch l {
		case jointLie:
			sum, err := carry(ctx, c, dir, o)
			if node.chances("joint")() < 0.5 {
				return sum, err
			}
			return sum, errors.Join(err, anotherBegan(c.Directory(dir)))
		case giftLie, hiddenLie:
			ctx, stop := context.WithCancel(ctx)
			defer stop()
			o.Progress = func(p evolve.Progress) { stop() }
			sum, err := carry(ctx, c, dir, o)
			if l == hiddenLie {
				err = errors.Join(err, os.Remove(filepath.Join(c.Directory(dir), "begun-by")))
			}
			return sum, err
		}
		return carry(ctx, c, dir, o)
	}
}

// simGame is a game that a liar plays otherwise: it gives every player the outcome of another. All
// that comes of it fits together.
type simGame struct {
	engine.Game
	lies bool
}

func (g simGame) Settings() engine.Settings { return g.Game.(engine.Adjustable).Settings() }

func (g simGame) With(settings any) (_ engine.Game, err error) {
	g.Game, err = g.Game.(engine.Adjustable).With(settings)
	return g, err
}

func (g simGame) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	if g.lies {
		players = slices.Clone(players)
		slices.Reverse(players)
	}
	return g.Game.Play(players, seed, rec)
}

// wrongRuns counts what coordinators complain of: runs that came wrong, each once.
type wrongRuns struct {
	slog.Handler
	net *simNet
}

func (w wrongRuns) Enabled(context.Context, slog.Level) bool { return true }

func (w wrongRuns) Handle(_ context.Context, r slog.Record) error {
	if r.Level == slog.LevelError {
		run := ""
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "run" || a.Key == "worker" {
				run += a.Value.String() + " "
			}
			return true
		})
		w.net.mu.Lock()
		defer w.net.mu.Unlock()
		w.net.wrong[run] = true
	}
	return nil
}

// lied notes a liar's key.
func (n *simNet) lied(key ed25519.PrivateKey) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.liars[broker.NameOf(key.Public().(ed25519.PublicKey))] = true
}

// bounded tells whether liars did more than they may: none has more than two wrong runs, alone or
// with others, under each of its names, and a liar answers for each; nobody else is shut out. One
// that hides deceives each of the others once.
func (n *simNet) bounded(dir string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	hidden := int(n.deceivable.Load())
	if wrong := len(n.wrong); wrong > 2*len(n.liars)+hidden {
		return fmt.Errorf("%d runs came wrong of a liar with %d names", wrong, len(n.liars))
	}
	all, err := sweep.ReadShutOut(dir)
	found := map[string]bool{} // runs, and whether a liar answers for them
	for _, s := range all {
		found[s.Run] = found[s.Run] || n.liars[s.Worker]
		if !n.liars[s.Worker] && !s.Joint {
			err = errors.Join(err, fmt.Errorf("%v, and it does not lie", &s))
		}
	}
	for run, by := range found {
		if !by && hidden == 0 {
			err = errors.Join(err, fmt.Errorf("no liar answers for run %s", run))
		}
	}
	return err
}

// TestLiars lets a liar of each kind have a part in sweeps of eight runs, of which four others do
// theirs. It costs two wrong runs at most, and more only where it hides.
func TestLiars(t *testing.T) {
	proof.Costly(t)
	s := newSim(t)
	for kind, name := range map[lie]string{plainLie: "plain", jointLie: "joint", giftLie: "gift",
		hiddenLie: "hidden"} {
		t.Run(name, func(t *testing.T) {
			before := s.wrong.Load()
			for seed := range uint64(4) {
				s.plan(t, seed, plan{workers: 5, audit: 0.02, cells: 8, lie: kind})
			}
			t.Logf("%d wrong runs in 4 sweeps", s.wrong.Load()-before)
			if s.wrong.Load() == before {
				t.Error("nobody lies")
			}
		})
	}
}
