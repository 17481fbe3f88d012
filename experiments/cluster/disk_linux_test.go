package cluster

import (
	"context"
	"strings"
	"syscall"
	"testing"

	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// The disk is a file system in memory that is too small for a run. A worker on it ends with a
// sentence that says so, and another one, with room, ends all runs as if nothing had been.
func TestFullDiskOfAWorker(t *testing.T) {
	proof.Costly(t)
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=96k"); err != nil {
		t.Skipf("cannot mount a file system: %v", err)
	}
	defer syscall.Unmount(small, 0)
	dir, g, want := openSweep(t, 100, 2)
	s := serve(t, dir, "127.0.0.1:0")
	ended := coordinate(t, s.Inside, dir, g)
	out := &clustertest.Log{}
	t.Setenv("TMPDIR", small)
	patient, cancel := context.WithTimeout(t.Context(), clustertest.Patience)
	defer cancel()
	err := workThere(patient, s.Access, 1, out)
	if err == nil || !strings.Contains(err.Error(), "lacks disk space or file handles") ||
		!strings.Contains(err.Error(), "no space left") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the worker with the full disk ends with %v\n%s", err, out.String())
	}
	t.Setenv("TMPDIR", t.TempDir())
	working, stop := context.WithCancel(t.Context())
	home := make(chan error, 1)
	go func() { home <- workThere(working, s.Access, 1, out) }()
	proof.OK(t, <-ended)
	stop()
	proof.OK(t, <-home)
	runnertest.Compare(t, g, dir, want)
}
