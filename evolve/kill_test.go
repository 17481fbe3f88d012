//go:build linux

package evolve

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"clade/evolve/rundir"
	"clade/gp/proof"
)

// slow is a setup that takes some tenths of a second.
func slow(t testing.TB) Setup {
	c := small()
	c.Generations, c.Population, c.Hall, c.Checkpoint = 60, 150, 2, 4
	c.Islands, c.Migration = 2, Migration{Every: 5, Migrants: 3}
	s := setup(t, c)
	s.Game.(*numbers).work = 300
	return s
}

// TestProcess is not a test: it is the process that TestKillNine kills.
func TestProcess(t *testing.T) {
	path := os.Getenv("CLADE_TEST_RUN")
	if path == "" {
		t.Skip("only for TestKillNine")
	}
	s := slow(t)
	r, err := Create(path, s)
	if err != nil {
		r, err = Resume(path, s)
	}
	proof.OK(t, err)
	proof.Must(r.Evolve(context.Background()))(t)
}

func TestKillNine(t *testing.T) {
	proof.Long(t)
	path, _ := evolved(t, slow(t))
	want := contents(t, path)
	path = filepath.Join(t.TempDir(), "run")
	random := rand.New(rand.NewPCG(2, 2))
	killed := 0
	for range 40 {
		command := exec.Command(os.Args[0], "-test.run=^TestProcess$")
		command.Env = append(os.Environ(), "CLADE_TEST_RUN="+path)
		proof.OK(t, command.Start())
		ended := make(chan error)
		go func() { ended <- command.Wait() }()
		patience := time.Duration(10+random.IntN(150)) * time.Millisecond
		if killed >= 8 {
			patience = time.Minute
		}
		select {
		case err := <-ended:
			proof.OK(t, err)
			compare(t, want, contents(t, path))
			t.Logf("killed %d times", killed)
			return
		case <-time.After(patience):
			command.Process.Kill()
			<-ended
			killed++
		}
	}
	t.Error("the run does not end")
}

// TestSuperfluousCheckpoint: a process that died between its last checkpoint and the removal of an
// old one leaves one too many, which goes when the run ends.
func TestSuperfluousCheckpoint(t *testing.T) {
	s := setup(t, small())
	s.Config.Generations, s.Config.Checkpoint = 20, 4
	path, _ := evolved(t, s)
	want := contents(t, path)
	old, err := os.ReadFile(filepath.Join(path, rundir.CheckpointFile(12)))
	if err == nil {
		err = os.WriteFile(filepath.Join(path, rundir.CheckpointFile(8)), old, 0o666)
	}
	if err == nil {
		err = os.Remove(filepath.Join(path, rundir.DoneFile))
	}
	proof.OK(t, err)
	r := proof.Must(Resume(path, s))(t)
	proof.Must(r.Evolve(context.Background()))(t)
	compare(t, want, contents(t, path))
}

// TestDiskFull runs into the end of a small file system.
func TestDiskFull(t *testing.T) {
	proof.Long(t)
	path := t.TempDir()
	if err := syscall.Mount("tmpfs", path, "tmpfs", 0, "size=192k"); err != nil {
		t.Skipf("cannot mount a file system: %v", err)
	}
	defer syscall.Unmount(path, 0)
	c := small()
	c.Generations, c.Lineage = 300, lineageBoth
	s := setup(t, c)
	r := proof.Must(Create(filepath.Join(path, "run"), s))(t)
	_, err := r.Evolve(context.Background())
	r.Close()
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "cannot write") {
		t.Fatalf("the error is %v", err)
	}
	t.Log(err)
	proof.OK(t, syscall.Mount("tmpfs", path, "tmpfs", syscall.MS_REMOUNT, "size=64m"))
	s.Warn = func(w string) { t.Error(w) }
	r = proof.Must(Resume(filepath.Join(path, "run"), s))(t)
	defer r.Close()
	t.Logf("resumed at generation %d", generationOf(r))
	if generationOf(r) == 0 {
		t.Error("nothing was saved")
	}
	done := proof.Must(r.Evolve(context.Background()))(t)
	_, want := evolved(t, s)
	proof.Is(t, done.Fingerprint, want.Fingerprint, "the fingerprint")
}
