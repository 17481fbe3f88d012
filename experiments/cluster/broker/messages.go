package broker

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
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

// signature begins a signed message: a public key and its signature over subject and content, so
// that none can speak for another.
const signature = ed25519.PublicKeySize + ed25519.SignatureSize

// Sign signs a message.
func Sign(key ed25519.PrivateKey, subject string, content []byte) []byte {
	message := append([]byte(nil), key.Public().(ed25519.PublicKey)...)
	message = append(message, ed25519.Sign(key, signedPart(subject, content))...)
	return append(message, content...)
}

// Verify returns the content of a signed message, and the name of the key that has signed it.
func Verify(subject string, message []byte) (name string, content []byte, err error) {
	if len(message) < signature {
		return "", nil, errors.New("a message without signature")
	}
	key, content := ed25519.PublicKey(message[:ed25519.PublicKeySize]), message[signature:]
	if !ed25519.Verify(key, signedPart(subject, content),
		message[ed25519.PublicKeySize:signature]) {
		return "", nil, errors.New("a message with a wrong signature")
	}
	return NameOf(key), content, nil
}

func signedPart(subject string, content []byte) []byte {
	return append([]byte(subject+"\x00"), content...)
}

// NameOf names the owner of a key.
func NameOf(key ed25519.PublicKey) string { return fmt.Sprintf("%x", sha256.Sum256(key))[:16] }

// sign signs a message of a coordinator of an embedded server.
func (a *Access) sign(subject string, content []byte) []byte {
	if a.inside == nil {
		return content
	}
	return Sign(a.inside.key, subject, content)
}

// verify returns a coordinator's message without its signature. At a site's own server there are no
// signatures.
func (a *Access) verify(subject string, message []byte) ([]byte, error) {
	if a.Server == "" {
		return message, nil
	}
	_, content, err := Verify(subject, message)
	if err != nil || !a.is(message[:ed25519.PublicKeySize]) {
		return nil, errors.New("no coordinator has signed it")
	}
	return content, nil
}
