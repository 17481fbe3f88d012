package worker

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/lease"
	"clade/experiments/cluster/protocol"
	"clade/gp/proof"
)

// serve starts a server and connects to it.
func serve(t testing.TB) *broker.Broker {
	t.Helper()
	s, err := broker.Serve(t.TempDir(), "127.0.0.1:0")
	proof.OK(t, err)
	t.Cleanup(s.Shutdown)
	b, err := broker.Open(context.Background(), s.Inside, "test", broker.Silence,
		slog.New(slog.DiscardHandler))
	proof.OK(t, err)
	t.Cleanup(b.Close)
	return b
}

// Of two workers on one run the second in the order of the fencing token wins, and the first finds
// out at its next sign of life.
func TestFencing(t *testing.T) {
	b := serve(t)
	ctx := context.Background()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := takeLease(ctx, b, "s.r", "a", slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(first.renew(ctx), first.handOver(ctx, key, []byte("one"))); err != nil {
		t.Fatal(err)
	}
	second, err := takeLease(ctx, b, "s.r", "b", slog.Default())
	if err != nil || second.Number != 2 {
		t.Fatalf("%+v, %v", second, err)
	}
	if err := first.renew(ctx); !errors.Is(err, lease.ErrLost) {
		t.Errorf("%v", err)
	}
	if err := first.handOver(ctx, key, []byte("late")); !errors.Is(err, lease.ErrLost) {
		t.Errorf("%v", err)
	}
	if got, err := b.Get(ctx, second.Snapshot); err != nil || string(got) != "one" {
		t.Errorf("%q, %v", got, err)
	}
	if err := second.renew(ctx); err != nil {
		t.Error(err)
	}
}

// Work that three workers in turn could not get any further with is set aside, with what went wrong
// last. A damaged lease is one of nothing.
func TestSetAside(t *testing.T) {
	b := serve(t)
	ctx := context.Background()
	take := func(aside bool) *heldLease {
		t.Helper()
		l, err := takeLease(ctx, b, "s.r", "w", slog.Default())
		proof.OK(t, err)
		if why := l.setAside(); (why != "") != aside {
			t.Errorf("try %d: %q", l.Tries, why)
		}
		return l
	}
	for range 3 {
		if err := take(false).failed(ctx, errors.New("poison")); err == nil {
			t.Error("a failed try is not an error")
		}
	}
	l := take(true)
	if _, err := b.SetLease(ctx, "s.r", []byte("{damaged"), l.revision); err != nil {
		t.Fatal(err)
	}
	if l := take(false); l.Tries != 1 || l.Snapshot != "" {
		t.Errorf("%+v", l.LeaseRecord)
	}
}

// BenchmarkTasks measures the way of a run through the queue without its work: offered, taken with
// its lease, confirmed.
func BenchmarkTasks(b *testing.B) {
	at := serve(b)
	ctx := context.Background()
	for i := 0; b.Loop(); i++ {
		key := fmt.Sprint(i)
		proof.OK(b, at.Offer(ctx, broker.RunPrefix+"s."+key, make([]byte, 1200)))
		m, err := at.Next(ctx)
		proof.OK(b, err)
		if _, err := takeLease(ctx, at, protocol.LeaseKey("s", key), "w", slog.Default()); err != nil {
			b.Fatal(err)
		}
		proof.OK(b, m.DoubleAck(ctx))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}

// BenchmarkRenew measures a sign of life.
func BenchmarkRenew(b *testing.B) {
	at := serve(b)
	ctx := context.Background()
	g, err := takeLease(ctx, at, "s.r", "w", slog.Default())
	proof.OK(b, err)
	for b.Loop() {
		g.Generation++
		proof.OK(b, g.renew(ctx))
	}
}
