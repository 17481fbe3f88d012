// Package clustertest helps tests compare work that is spread over a cluster with the same work on
// one machine: a small study, the fingerprints of its runs, and how long to wait. It starts no
// cluster itself, and only tests use it.
package clustertest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
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

// Study returns a study of small runs, about five hundred generations a second, with further lines
// such as a table [sweep].
func Study(generations int, lines string) string {
	return fmt.Sprintf(`
game = "antwars"
[measure]
final = 0
[evolve]
population = 20
generations = %d
tournament = 2
boards = 1
checkpoint = 5
[evolve.champion]
candidates = 4
games = 8
every = 100
[evolve.probes]
games = 0
[figures] # all of them take most of the time
panels = ["size"]
%s`, generations, lines)
}

// Parse reads a study with overrides, or ends the test.
func Parse(t testing.TB, text string, overrides ...string) *study.Study {
	t.Helper()
	s, err := study.Parse(runnertest.Scope(), "s.toml", []byte(text), overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// undisturbed carries out a study here and returns its fingerprint.
func undisturbed(t testing.TB, s *study.Study) string {
	t.Helper()
	sum, err := runner.Start(context.Background(), filepath.Join(t.TempDir(), "run"), s,
		runner.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sum.Fingerprint
}

// Prints carries out all runs of a sweep here and returns their fingerprints by key.
func Prints(t testing.TB, g *study.Grid) map[string]string {
	t.Helper()
	want := map[string]string{}
	for _, c := range g.Cells {
		want[c.Key] = undisturbed(t, c.Study)
	}
	return want
}

// Compare holds a sweep's directory to the fingerprints of undisturbed runs.
func Compare(t testing.TB, g *study.Grid, dir string, want map[string]string) {
	t.Helper()
	for _, c := range g.Cells {
		sum, err := runner.ReadSummary(c.Directory(dir))
		if err != nil || sum == nil || sum.Fingerprint != want[c.Key] {
			t.Errorf("run %s: %+v, %v; want the fingerprint %s", c.Key, sum, err, want[c.Key])
		}
	}
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
