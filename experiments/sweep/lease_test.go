package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clade/gp/proof"
)

const short = 600 * time.Millisecond

func takeLease(t *testing.T, dir string) (context.Context, *Lease) {
	t.Helper()
	ctx, l, err := TakeLease(context.Background(), dir, short)
	proof.OK(t, err)
	return ctx, l
}

func TestOneAtATime(t *testing.T) {
	dir := t.TempDir()
	_, first := takeLease(t, dir)
	if _, _, err := TakeLease(context.Background(), dir, short); !errors.Is(err, ErrHeld) {
		t.Fatalf("a second worker was let in: %v", err)
	}
	if s, err := InspectLease(dir); err != nil || !s.Held || s.Dead || s.Owner.PID != os.Getpid() {
		t.Errorf("%+v, %v", s, err)
	}
	proof.OK(t, errors.Join(first.Check(), first.Release()))
	proof.Is(t, proof.Must(InspectLease(dir))(t).Held, false, "it is held")
	_, second := takeLease(t, dir)
	defer second.Release()
	proof.Is(t, second.number, 2, "the second lease has number")
}

// Of many that claim at once, one gets it.
func TestRace(t *testing.T) {
	dir := t.TempDir()
	for round := range 10 {
		var won atomic.Int32
		var winner *Lease
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				_, l, err := TakeLease(context.Background(), dir, time.Minute)
				if err == nil {
					won.Add(1)
					winner = l
				} else if !errors.Is(err, ErrHeld) {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if won.Load() != 1 {
			t.Fatalf("round %d: %d workers hold the directory", round, won.Load())
		}
		proof.OK(t, winner.Release())
	}
}

// foreign makes the highest lease look like that of another machine.
func foreign(t *testing.T, l *Lease) {
	t.Helper()
	proof.OK(t, os.WriteFile(l.path(), []byte(`{"host":"far","pid":1,"boot":"other"}`), 0o666))
}

// A holder on another machine that shows signs of life is left alone; one that does not loses its
// lease, finds out, and stays out.
func TestTakeOver(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	ctx, first := takeLease(t, dir)
	foreign(t, first)
	if _, _, err := TakeLease(context.Background(), dir, 5*short); !errors.Is(err, ErrHeld) ||
		!strings.Contains(err.Error(), "process 1 on far") {
		t.Fatalf("a living holder lost its lease: %v", err)
	}
	first.end() // the machine hangs
	first.end = func() {}
	_, second := takeLease(t, dir)
	defer second.Release()
	if err := first.Check(); !errors.Is(err, ErrLost) {
		t.Errorf("the first worker may go on: %v", err)
	}
	if err := errors.Join(first.Release(), second.Check()); err != nil {
		t.Errorf("the first worker's release hurt the second: %v", err)
	}
	<-ctx.Done()
}

// When a rival forces itself in, the holder's context ends and says why.
func TestLossEndsTheContext(t *testing.T) {
	dir := t.TempDir()
	ctx, first := takeLease(t, dir)
	forced := proof.Must(claim(filepath.Join(dir, LeaseFolder), first.number+1))(t)
	defer forced.lock.Close()
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the first worker was not told")
	}
	if !errors.Is(context.Cause(ctx), ErrLost) || !errors.Is(first.Check(), ErrLost) {
		t.Errorf("cause %v", context.Cause(ctx))
	}
}

// TestProcess is not a test: it is the process that TestKilledHolder kills.
func TestProcess(t *testing.T) {
	dir := os.Getenv("CLADE_TEST_LEASE")
	if dir == "" {
		t.Skip("only for TestKilledHolder")
	}
	_, _, err := TakeLease(context.Background(), dir, time.Hour)
	proof.OK(t, err)
	fmt.Println("held")
	time.Sleep(time.Hour)
}

// A holder that was killed on this machine is known to be dead at once.
func TestKilledHolder(t *testing.T) {
	if self().Boot == "" {
		t.Skip("this system does not name its boots")
	}
	dir := t.TempDir()
	command := exec.Command(os.Args[0], "-test.run=^TestProcess$")
	command.Env = append(os.Environ(), "CLADE_TEST_LEASE="+dir)
	out := proof.Must(command.StdoutPipe())(t)
	proof.OK(t, command.Start())
	proof.Must(out.Read(make([]byte, 1)))(t)
	if _, _, err := TakeLease(context.Background(), dir, time.Hour); !errors.Is(err, ErrHeld) {
		t.Errorf("a second worker was let in: %v", err)
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	_, l, err := TakeLease(context.Background(), dir, time.Hour)
	proof.OK(t, err)
	proof.OK(t, l.Release())
}

// A worker that slept between its look and its claim gets no number of the past.
func TestLateClaim(t *testing.T) {
	dir := t.TempDir()
	for range 3 {
		_, l := takeLease(t, dir)
		proof.OK(t, l.Release())
	}
	if _, err := claim(filepath.Join(dir, LeaseFolder), 2); !errors.Is(err, ErrHeld) {
		t.Errorf("lease 2 was given after lease 3: %v", err)
	}
	proof.Is(t, proof.Must(highest(filepath.Join(dir, LeaseFolder)))(t), 3, "the highest")
}

func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	_, l := takeLease(t, dir)
	defer l.Release()
	proof.OK(t, os.WriteFile(l.path(), []byte("{"), 0o666))
	_, _, err := TakeLease(context.Background(), dir, short)
	proof.Says(t, err, "delete the file")
}

func ExampleTakeLease() {
	dir, _ := os.MkdirTemp("", "run")
	defer os.RemoveAll(dir)
	_, mine, _ := TakeLease(context.Background(), dir, LeaseTTL)
	_, _, err := TakeLease(context.Background(), dir, LeaseTTL)
	fmt.Println(errors.Is(err, ErrHeld), mine.Check() == nil)
	_ = mine.Release()
	// Output: true true
}
