package cluster

import (
	"context"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// BenchmarkTasks measures the way of a run through the queue without its work: offered, taken with its lease, confirmed.
func BenchmarkTasks(b *testing.B) {
	s, err := Serve(b.TempDir(), "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer s.Shutdown()
	ctx := context.Background()
	at, err := openBoard(ctx, &s.Access, "bench", func(error) {})
	if err != nil {
		b.Fatal(err)
	}
	defer at.conn.Close()
	c, err := at.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: workersName, AckPolicy: jetstream.AckExplicitPolicy})
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		key := fmt.Sprint(i)
		if err := at.offer(ctx, &task{Sweep: "s", Key: key, Study: string(make([]byte, 1000))}); err != nil {
			b.Fatal(err)
		}
		m, err := c.Next()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := at.take(ctx, holdKey("s", key), "w"); err != nil {
			b.Fatal(err)
		}
		if err := m.DoubleAck(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}

// BenchmarkRenew measures a sign of life.
func BenchmarkRenew(b *testing.B) {
	s, err := Serve(b.TempDir(), "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer s.Shutdown()
	ctx := context.Background()
	at, err := openBoard(ctx, &s.Access, "bench", func(error) {})
	if err != nil {
		b.Fatal(err)
	}
	defer at.conn.Close()
	g, err := at.take(ctx, "s.r", "w")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		g.Generation++
		if err := g.renew(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
