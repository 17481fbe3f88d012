package spread

import (
	"context"
	"errors"
	"testing"
	"time"

	"clade/evolve"
	"clade/evolve/internal/wire"
)

// A worker that lies from its first piece on has no part in the run, which ends as it would alone.
func TestLyingWorkers(t *testing.T) {
	s := ants(1)
	s.Config.Population, s.Config.Generations = 100, 12
	evolved := func(s evolve.Setup) (string, error) {
		r, err := evolve.Create(t.TempDir(), s)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		done, err := r.Evolve(context.Background())
		if err != nil {
			return "", err
		}
		return done.Fingerprint, nil
	}
	want, err := evolved(s)
	if err != nil {
		t.Fatal(err)
	}
	for try := 1; ; try++ { // on a busy machine the worker may come too late
		trust := &Trust{Audit: func() bool { return false }}
		with := s
		with.Remote = RemoteGames{Stint: time.Microsecond, Trust: trust, Serve: func(
			ctx context.Context, d *Dispatcher) error {
			return Serve(ctx, &s, func(ctx context.Context, asked []byte) ([]byte, error) {
				q := &request{}
				if err := wire.Decode(asked, q.describe); err != nil {
					return nil, err
				}
				for i := range q.outcomes {
					q.outcomes[i] ^= 1
				}
				return d.Answer(ctx, "liar", wire.Encode(q.describe))
			})
		}}
		have, err := evolved(with)
		if err != nil || have != want {
			t.Fatalf("the run ended in %s, %v; alone in %s", have, err, want)
		}
		if trust.Worst() != nil {
			t.Error("a liar of which nothing was taken makes a run untrue")
		}
		if trust.ShutOut("liar") {
			break
		}
		if try == 20 {
			t.Fatal("the liar was never found")
		}
	}
}

// A worker that lies later is found out where a piece is played again, and then the run ends with
// an error that tells since when it may be untrue. Nobody can answer for a piece of another.
func TestLateLie(t *testing.T) {
	audit := false
	saved := map[string]int{}
	trust := &Trust{Audit: func() bool { return audit }, Save: func(since map[string]int) error {
		saved = since
		return nil
	}}
	d := newDispatcher(&evolve.Setup{}, time.Millisecond, trust)
	d.begin(3, nil, nil)
	d.piece = time.Second
	b := d.open(8, 1)
	says := func(worker string, piece int, outcome uint64) {
		t.Helper()
		if err := d.receive(worker, &request{generation: 3, identity: d.generations[1].identity,
			from: piece, to: piece + 1, outcomes: []uint64{outcome, 1, 1}}); err != nil {
			t.Fatal(err)
		}
	}
	for range b.n {
		if r := d.reply("w", &request{generation: 3, identity: d.generations[1].identity,
			workers: 1}); r == nil || r.kind != replyPlay {
			t.Fatalf("%+v", r)
		}
	}
	says("w", 0, 7) // the first is played again
	says("other", 1, 8)
	if b.left != 8 || len(saved) != 0 {
		t.Errorf("%d pieces are left, and %v had a part", b.left, saved)
	}
	d.played(b, 0, []uint64{7}, evolve.Tally{})
	says("w", 1, 7)
	if b.left != 6 || saved["w"] != 3 || trust.Worst() != nil {
		t.Errorf("%d pieces are left, and %v had a part", b.left, saved)
	}
	says("w", 1, 7) // twice
	audit = true
	says("w", 2, 9)
	d.played(b, 2, []uint64{7}, evolve.Tally{})
	lie := (*Lie)(nil)
	if !errors.As(d.fault, &lie) || lie.Worker != "w" || lie.Since != 3 || trust.Worst() != lie {
		t.Errorf("%v", d.fault)
	}
	says("w", 3, 7)
	if r := d.reply("w", &request{generation: 3}); b.filled[3] || r.kind != replyOver {
		t.Errorf("the liar is still there: %+v", r)
	}
}
