package broker

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Ask sends a question to the process that answers a subject, and returns the answer.
func (b *Broker) Ask(ctx context.Context, subject string, question []byte) ([]byte, error) {
	m, err := b.conn.RequestWithContext(ctx, subject, question)
	if err != nil {
		return nil, err
	}
	content, err := b.access.verify(m.Subject, m.Data)
	if err != nil {
		return nil, fmt.Errorf("an answer of %s: %w", subject, err)
	}
	return content, nil
}

// Answer answers the questions of a subject, one after the other, until the function that it
// returns is called. The asker repeats a question whose answer is lost.
func (b *Broker) Answer(subject string, answer func(question []byte) []byte) (stop func(),
	err error) {
	s, err := b.conn.Subscribe(subject, func(m *nats.Msg) {
		_ = b.conn.Publish(m.Reply, b.access.sign(m.Reply, answer(m.Data)))
	})
	if err != nil {
		return nil, err
	}
	if b.conn.IsConnected() { // or an asker could come before the subscription
		_ = b.conn.FlushTimeout(time.Second)
	}
	return func() { _ = s.Unsubscribe(); _ = b.conn.Flush() }, nil
}

// announced begins the subjects of what workers say of themselves.
const announced = "clade.worker."

// Announce publishes what a worker says of itself.
func (b *Broker) Announce(worker string, content []byte) error {
	return b.conn.Publish(announced+worker, content)
}

// Hear calls a function with the announcements of workers, one after the other, until the function
// that it returns is called.
func (b *Broker) Hear(hear func(worker string, content []byte)) (stop func(), err error) {
	s, err := b.conn.Subscribe(announced+"*", func(m *nats.Msg) {
		hear(strings.TrimPrefix(m.Subject, announced), m.Data)
	})
	return func() { _ = s.Unsubscribe() }, err
}
