//go:build !light

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// TestSpreadCommands breeds the islands of a run on a worker as the documentation does, and
// compares with the run alone. The server leaves nothing behind.
func TestSpreadCommands(t *testing.T) {
	proof.Costly(t)
	t.Parallel()
	dir := t.TempDir()
	study := filepath.Join(dir, "s.toml")
	proof.OK(t, os.WriteFile(study, []byte(runnertest.Study(8, "")), 0o666))
	out := filepath.Join(dir, "spread")
	left := make(chan error, 1)
	go func() {
		clustertest.Eventually(t, "the run's server is there", func() bool {
			_, err := os.Stat(filepath.Join(out, "nats.json"))
			return err == nil
		})
		_, err := clade("worker", "--nats", filepath.Join(out, "nats.json"), "--workers", "1",
			"--idle", "5s")
		left <- err
	}()
	print := func(args ...string) string {
		text, err := clade(append([]string{"run", study, "--set", "evolve.islands=2", "--json"},
			args...)...)
		var said struct{ Fingerprint string }
		if err != nil || json.Unmarshal([]byte(text), &said) != nil {
			t.Errorf("%v: %v\n%s", args, err, text)
		}
		return said.Fingerprint
	}
	spread, alone := print("--out", out, "--nats", "here", "--listen", "127.0.0.1:0"),
		print("--out", filepath.Join(dir, "alone"))
	proof.Is(t, spread, alone, "the fingerprint")
	for _, name := range []string{"nats.json", "nats"} {
		if _, err := os.Stat(filepath.Join(out, name)); err == nil {
			t.Errorf("%s is left over", name)
		}
	}
	proof.OK(t, <-left)
	_, err := clade("run", "../../experiments/santafe/koza.toml", "--out",
		filepath.Join(dir, "alone in a game"), "--nats", "here")
	refused(t, err, 2, "islands must be 2 or more", "a game for one")
}

// Processes, as their logs and exit statuses tell: a worker that is told to stop hands over what it
// has and says so, another goes on with it, and when the sweep is over it ends by itself, with 0.
func TestWorkersEnd(t *testing.T) {
	proof.Costly(t)
	t.Parallel()
	dir := t.TempDir()
	// Runs last longer than the five seconds after which workers say again what they have, on a fast
	// disk and a slow one.
	write(t, dir, strings.Replace(runnertest.Study(20_000, "[sweep]\nreplicates = 2\n"),
		"checkpoint = 5", "checkpoint = 200", 1))
	coordinator, _, told := start(t, dir, "sweep s.toml --out swept --nats here --audit 0")
	waitFor(t, dir+"/swept/nats.json")
	const line = "worker --nats swept/nats.json --workers 1 --scratch "
	first, _, said := start(t, dir, line+"one")
	bred := func(scratch string) string {
		var logs []string
		clustertest.Eventually(t, "a generation is bred", func() bool {
			logs, _ = filepath.Glob(filepath.Join(dir, scratch, "*", "*", rundir.LogFile))
			return len(logs) > 0 && rundir.Saved(filepath.Dir(logs[0])) > 0
		})
		return logs[0]
	}
	bred("one")
	second, _, also := start(t, dir, line+"two")
	bred("two")
	status := func() string { return program(t, dir, "status swept") }
	clustertest.Eventually(t, "status names what both have", func() bool {
		said := status()
		return strings.Count(said, ": here since ") == 2 && strings.Count(said, "generation ") == 2
	})
	proof.OK(t, first.Process.Signal(syscall.SIGTERM))
	if err := first.Wait(); first.ProcessState.ExitCode() != 143 || !strings.Contains(said.String(),
		"stopped by terminated; what was under way is handed over") {
		t.Errorf("a worker that was told to stop: %v\n%s", err, said)
	}
	clustertest.Eventually(t, "status tells that one has left",
		func() bool { return strings.Contains(status(), ": left since ") })
	if err := coordinator.Wait(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, told, also)
	}
	if log := told.String(); strings.Count(log, "a worker came") != 2 ||
		!strings.Contains(log, "a worker left") {
		t.Errorf("the coordinator says\n%s", log)
	}
	if text := status(); !strings.Contains(text, "of processor time, 0s left") ||
		strings.Contains(text, "worker ") {
		t.Errorf("at the end status says\n%s", text)
	}
	if err := second.Wait(); err != nil {
		t.Errorf("a worker whose sweep is over: %v", err)
	}
	if log := also.String(); strings.Count(log, "this worker ends") != 1 ||
		!strings.Contains(log, "try=2") || strings.Contains(log, "WARN") {
		t.Errorf("a worker whose sweep is over says\n%s", log)
	}
}

// A process that is killed in the midst of a run falls silent: the coordinator's log and status
// name it, what it had, and since when.
func TestKilledWorkerIsNamed(t *testing.T) {
	clustertest.Ask(t)
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, runnertest.Study(100000, "[sweep]\nreplicates = 1\n"))
	coordinator, _, told := start(t, dir, "sweep s.toml --out swept --nats here --audit 0")
	waitFor(t, dir+"/swept/nats.json")
	worker, _, _ := start(t, dir, "worker --nats swept/nats.json --workers 1")
	named := func(state string) {
		clustertest.Eventually(t, "status says "+state, func() bool {
			return strings.Contains(program(t, dir, "status swept"), state)
		})
	}
	named("generation 1")
	_ = worker.Process.Kill()
	_ = worker.Wait()
	named(": silent since ")
	proof.OK(t, coordinator.Process.Signal(syscall.SIGTERM))
	if _ = coordinator.Wait(); !strings.Contains(told.String(), "a worker fell silent") {
		t.Errorf("the coordinator says\n%s", told)
	}
}

// What a file says of how to get in is not lost where the command line does not say it.
func TestAccessFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "site.json")
	proof.OK(t, os.WriteFile(path, []byte(`{"url": "tls://h:4222", "creds": "me.creds", "ca": `+
		`"site.pem", "cert": "me.pem", "key": "me.key"}`), 0o666))
	f := natsFlags{where: path, access: broker.Access{CA: "other.pem"}}
	proof.Is(t, proof.Must(f.find())(t), broker.Access{URL: "tls://h:4222", Creds: "me.creds",
		CA: "other.pem", Cert: "me.pem", Key: "me.key"}, "the access")
}
