// Package clustertest helps tests of programs that talk to each other: it waits, finds ports, reads
// what they print, and looks for what they leave behind. It starts nothing itself, and only tests
// use it.
package clustertest

import (
	"bytes"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Ask skips a test that starts daemons, kills processes or cuts networks, unless the environment
// asks for it: it takes minutes.
func Ask(t testing.TB) {
	t.Helper()
	if os.Getenv("CLADE_CLUSTER") == "" {
		t.Skip("set CLADE_CLUSTER=1 to prove the cluster on this machine; it takes minutes")
	}
}

// NoLeaks runs a suite, and fails it when a goroutine outlives it.
func NoLeaks(m *testing.M) {
	// A Put of nats.go v1.55.0 whose reply comes at once may leave a goroutine of its own behind,
	// which reads a channel that is nil by then.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction(
		"github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// Patience is how long Eventually waits: long enough for a machine that is busy with much else.
const Patience = 4 * time.Minute

// Eventually waits until a condition holds, or ends the test.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// FreePort returns a port of this machine that no program listens on.
func FreePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// Log collects the output of a process. It is safe for concurrent use.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds to the log.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// String returns the whole output.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Contains reports whether the output contains a text.
func (l *Log) Contains(s string) bool { return strings.Contains(l.String(), s) }
