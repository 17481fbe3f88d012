package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"clade/engine/games/all"
	"clade/engine/system/durable"
	"clade/evolve/rundir"
	"clade/gp/proof"
)

// TestSignals sends signals to each command that can last, as processes, and holds them to the
// table of exit statuses. What reads files lasts where a disk does not answer: some files of a run
// are pipes that nobody writes to, or it is refused at once. A new command is missing until it has
// a line here.
func TestSignals(t *testing.T) {
	proof.Costly(t)
	dir := t.TempDir()
	write(t, dir, "game = \"antwars\"\n[measure]\nfinal = 2\n[evolve]\npopulation = 200\n"+
		"generations = 3\ntournament = 3\nboards = 1\n"+oneFigure)
	program(t, dir, "run s.toml --out done")
	proof.OK(t, os.CopyFS(dir+"/stuck", os.DirFS(dir+"/done")))
	proof.OK(t, os.Mkdir(dir+"/stuck-folder", 0o777))
	stuck, err := filepath.Glob(dir + "/stuck/checkpoints/*")
	if err != nil || len(stuck) == 0 {
		t.Fatal(stuck, err)
	}
	for _, name := range []string{"stuck/" + rundir.LogFile, "stuck/" + rundir.LineageFile,
		"stuck/summary.json", "stuck.species", "stuck.record", "stuck-folder/study.toml",
		"stuck-folder/repro.toml"} {
		stuck = append(stuck, filepath.Join(dir, name))
	}
	for _, path := range stuck {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		proof.OK(t, exec.Command("mkfifo", path).Run())
	}
	sweep, err := os.ReadFile(dir + "/s.toml")
	if err == nil {
		err = os.WriteFile(dir+"/sweep.toml", append(sweep, "[sweep]\nseeds = [1, 2]\n[sweep."+
			"settings]\nevolve.generations = [100000]\n"...), 0o666)
	}
	proof.OK(t, err)
	half, _, _ := start(t, dir, "run s.toml --out half --set evolve.generations=100000")
	waitFor(t, dir+"/half/generations.jsonl")
	proof.OK(t, half.Process.Kill())
	_ = half.Wait()
	program(t, dir, "match life guard grower --games 2 --set generations=300 --record life.record")
	const slow = " --set world-size=250 --set rounds=65535"
	lines := []string{
		"run s.toml --out going --json --set evolve.generations=100000",
		"match antwars greedy random --games 100000000",
		"match amoebas caesar theroots --games 2" + slow, // one long game
		"league antwars greedy random smart --games 10000000",
		"bench --game antwars --seconds 1000",
		"show run:done --situations 1000000000",
		"monitor done --games 1000000 --every 1 --out m",
		"report done --games 1000000 --out r",
		"replay life.record --gif life.gif --scale 16",
		"compare stuck",
		"plot stuck --out p",
		"phylogeny stuck --out d",
		"sweep sweep.toml --out swept",
		"worker --nats nats://127.0.0.1:1",
		"play antwars random --history h",
		"solve amoeboid --set size=4 --budget 1000000000",
		"verify stuck --mend",
		"view done --listen localhost:0",
		"population stuck",
		"artifact stuck --out a.zip",
		"resume half",
		"export stuck.species --to c",
		"tournament darwin stuck.species rover pirate herd",
		"why stuck.record --step 1",
		"status stuck-folder", "status half --watch",
		"collect stuck-folder",
		"repro stuck-folder",
		"exploit run:done --games 100000000 --out e",
		"breed antwars --games 1000000000 --out bred",
		"fork done --set evolve.generations=100000 --out forked",
		"diff stuck stuck", "methods stuck", "pack stuck-folder",
	}
	brief := []string{"note", "games", "players antwars", "docs", "version", "help",
		"completion"}
	known := map[string]bool{}
	for _, line := range append(lines, brief...) {
		known[strings.Fields(line)[0]] = true
	}
	for _, c := range newRoot(all.Games()).Commands() {
		if !known[c.Name()] {
			t.Errorf("clade %s stands neither in lines, of what can last, nor in brief of this test",
				c.Name())
		}
	}
	for i, line := range lines {
		sent, want := signalOf(i)
		t.Run(strings.Fields(line)[0]+" "+fmt.Sprint(i), func(t *testing.T) {
			heeded(t, sent)
			t.Parallel()
			c, out, said := start(t, dir, line)
			untilItWorks(c)
			if i == 0 {
				waitFor(t, dir+"/going/generations.jsonl")
			}
			proof.OK(t, c.Process.Signal(sent))
			err := c.Wait()
			var exit *exec.ExitError
			if strings.Contains(line, "stuck") && strings.Contains(said.String(), "no regular file") {
				return // it is refused at once
			}
			if err == nil && (strings.HasPrefix(line, "replay") || strings.HasPrefix(line, "show")) {
				t.Skip("it was over before the signal came")
			}
			if !errors.As(err, &exit) || shellStatus(exit) != want {
				t.Errorf("%v; want exit status %d\n%s", err, want, said)
			}
			if i > 0 {
				return
			}
			var answer bredRun
			if err := json.Unmarshal([]byte(out.String()), &answer); err != nil ||
				!answer.Stopped || answer.Run != "going" || answer.Fingerprint != nil {
				t.Errorf("%+v, %v", answer, err)
			}
		})
	}
}

// untilItWorks waits until a process has computed for 0.3 s, or for 2 s: some wait for something.
func untilItWorks(c *exec.Cmd) {
	for range 100 {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.Process.Pid))
		if fields := strings.Fields(string(stat)); len(fields) > 14 {
			user, _ := strconv.Atoi(fields[13]) // in hundredths of a second
			system, _ := strconv.Atoi(fields[14])
			if user+system >= 30 {
				return
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// signalOf returns one signal after the other, with the exit status that stands for it in a shell.
func signalOf(i int) (syscall.Signal, int) {
	switch i % 3 {
	case 1:
		return syscall.SIGINT, 130
	case 2:
		return syscall.SIGHUP, 129
	}
	return syscall.SIGTERM, 143
}

// heeded skips a test whose programs would be started with a signal ignored, as nohup and the
// background of a script start theirs, and so go on.
func heeded(t *testing.T, sent os.Signal) {
	t.Helper()
	if signal.Ignored(sent) {
		t.Skipf("%v is ignored by what started this test, so that programs which it starts ignore it too",
			sent)
	}
}

// A command that does not end by itself is left after the time that the signal grants, also by what
// saves itself. The limits are those that users of terminals and batch systems were told; the clock
// is one of the test's own, which no load slows down.
func TestGrace(t *testing.T) {
	for _, c := range []struct {
		signal  syscall.Signal
		command string
		limit   time.Duration
	}{{syscall.SIGTERM, "run", time.Second}, {syscall.SIGHUP, "run", time.Second},
		{syscall.SIGINT, "run", 2 * time.Second}, {syscall.SIGTERM, "worker", 10 * time.Second}} {
		for _, rest := range []time.Duration{0, forRest} {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancelCause(t.Context())
				stop(stopSignal{c.signal})
				never := make(chan struct{})
				defer close(never)
				began := time.Now()
				_, ended := await(ctx, c.command, rest, func() error { <-never; return nil })
				if took := time.Since(began); ended || took > c.limit-rest {
					t.Errorf("%+v: %v, after %s", c, ended, took)
				}
			})
		}
	}
}

// TestNohup: what nohup of this system starts outlives its terminal.
func TestNohup(t *testing.T) {
	proof.Costly(t)
	if _, err := exec.LookPath("nohup"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	write(t, dir, "game = \"antwars\"\n[measure]\nfinal = 0\n[evolve]\npopulation = 20\n"+
		"generations = 300\ntournament = 2\n[evolve.probes]\ngames = 0\n"+oneFigure)
	self := proof.Must(os.Executable())(t)
	c := exec.Command("nohup", self, "run", "s.toml", "--out", "r")
	c.Dir, c.Env = dir, append(os.Environ(), asProgram+"=1")
	proof.OK(t, c.Start())
	waitFor(t, dir+"/r/"+rundir.LogFile)
	proof.OK(t, c.Process.Signal(syscall.SIGHUP))
	if err := c.Wait(); err != nil {
		t.Errorf("it ended: %v", err)
	}
}

// TestSignalsStuckDisk sends signals to what saves itself, where the last checkpoint does not reach
// the disk: a pipe that nobody reads stands in the place of each file that it could be written to.
func TestSignalsStuckDisk(t *testing.T) {
	proof.Costly(t)
	dir := t.TempDir()
	write(t, dir, "game = \"antwars\"\n[measure]\nfinal = 2\n[evolve]\npopulation = 6000\n"+
		"generations = 1000\ntournament = 3\nboards = 1\ncheckpoint = 1000\n")
	study, err := os.ReadFile(dir + "/s.toml")
	if err == nil {
		err = os.WriteFile(dir+"/sweep.toml", append(study, "[sweep]\nseeds = [1]\n"...), 0o666)
	}
	proof.OK(t, err)
	offer, _, said := start(t, dir, "sweep sweep.toml --out offered --nats here")
	t.Cleanup(func() { _, _ = offer.Process.Kill(), offer.Wait() })
	waitFor(t, dir+"/offered/nats.json")
	half, _, _ := start(t, dir, "run s.toml --out half")
	waitFor(t, dir+"/half/"+rundir.LogFile)
	proof.OK(t, half.Process.Kill())
	_ = half.Wait()
	// its one checkpoint is of generation 0, and the log grows again
	proof.OK(t, os.Truncate(dir+"/half/"+rundir.LogFile, 0))
	for i, c := range []struct{ line, run, says string }{
		{"run s.toml --out run --json", "run", "that of generation 0 stands"},
		{"resume half", "half", "stands"},
		{"sweep sweep.toml --out swept", "swept/*", "last checkpoints"},
		{"sweep sweep.toml --out tasks --tasks 1 --task 0", "tasks/*", "last checkpoints"},
		{"worker --nats offered/nats.json --scratch scratch", "scratch/*/*", "not handed over"},
	} {
		sent, want := signalOf(i)
		if strings.Contains(c.line, "--tasks") {
			want = 75
		}
		t.Run(strings.Fields(c.line)[0], func(t *testing.T) {
			heeded(t, sent)
			p, out, said := start(t, dir, c.line)
			checkpoints := ""
			for range 3000 {
				found, _ := filepath.Glob(filepath.Join(dir, c.run, rundir.LogFile))
				if len(found) > 0 {
					if info, err := os.Stat(found[0]); err == nil && info.Size() > 0 {
						checkpoints = filepath.Join(filepath.Dir(found[0]), rundir.StateFolder)
						break
					}
				}
				time.Sleep(20 * time.Millisecond)
			}
			if checkpoints == "" {
				t.Fatalf("nothing is bred\n%s", said)
			}
			var stuck []string
			for g := range 400 {
				name := filepath.Base(rundir.CheckpointFile(g)) + durable.Part
				stuck = append(stuck, filepath.Join(checkpoints, name))
			}
			proof.OK(t, exec.Command("mkfifo", stuck...).Run())
			proof.OK(t, p.Process.Signal(sent))
			err := p.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || shellStatus(exit) != want {
				t.Errorf("%v; want exit status %d", err, want)
			}
			proof.Holds(t, said.String(), c.says)
			var answer bredRun
			if strings.Contains(c.line, "--json") && (json.Unmarshal([]byte(out.String()),
				&answer) != nil || !answer.Stopped || answer.Generations != 0) {
				t.Errorf("it prints %s", out)
			}
		})
	}
	if t.Failed() {
		t.Logf("the sweep says:\n%s", said)
	}
}

// shellStatus returns the exit status that a shell tells: a program that a signal ends has none.
func shellStatus(exit *exec.ExitError) int {
	if s := exit.Sys().(syscall.WaitStatus); s.Signaled() {
		return 128 + int(s.Signal())
	}
	return exit.ExitCode()
}

// waitFor waits until a file has something in it.
func waitFor(t *testing.T, path string) {
	t.Helper()
	for range 3000 {
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s does not come", path)
}

// TestMemoryEnds starts what needs more memory than it may have, within limits that the shell and
// the kernel know: it ends in a sentence, and what it has begun can be gone on with.
func TestMemoryEnds(t *testing.T) {
	proof.Costly(t)
	if runtime.GOOS != "linux" {
		t.Skip("limits are known on Linux only")
	}
	dir := t.TempDir()
	write(t, dir, "game = \"antwars\"\n[measure]\nfinal = 0\n[evolve]\npopulation = 1000000\n"+
		"generations = 3\ntournament = 2\nboards = 1\n")
	group := "/sys/fs/cgroup/memory/clade-test"
	limit := "/memory.limit_in_bytes"
	if _, err := os.Stat("/sys/fs/cgroup/memory"); err != nil { // version 2
		group, limit = "/sys/fs/cgroup/clade-test", "/memory.max"
	}
	err := os.MkdirAll(group, 0o777)
	if err == nil {
		t.Cleanup(func() { _ = os.Remove(group) })
		err = os.WriteFile(group+limit, []byte(fmt.Sprint(400<<20)), 0o666)
	}
	inGroup := "echo $$ > " + group + "/cgroup.procs && "
	for _, c := range []struct{ name, before, says string }{
		// with less Go itself may find no room, before it comes to this program
		{"little address space", "ulimit -v 2000000; ", "limit on address space is 1953 MB (ulimit -v)"},
		{"address space", "export GOGC=off GOMEMLIMIT=off; ulimit -v 3200000; ",
			"limit on address space (ulimit -v) of 3125 MB is reached"},
		{"cgroup", inGroup, "limit on memory (of its cgroup) of 400 MB is reached"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.before == inGroup && err != nil {
				t.Skipf("no cgroup with a limit on memory can be made here: %v", err)
			}
			p := exec.Command("sh", "-c", c.before+"exec "+os.Args[0]+" run s.toml --out "+
				strings.Fields(c.name)[0])
			p.Dir, p.Env = dir, append(os.Environ(), asProgram+"=1")
			said, err := p.CombinedOutput()
			if p.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), c.says) ||
				strings.Contains(string(said), "goroutine ") {
				t.Errorf("%v\n%.2000s", err, said)
			}
		})
	}
}

// TestExitCodes holds the page of the workbench and the help to the table.
func TestExitCodes(t *testing.T) {
	page := proof.Must(os.ReadFile("../docs/workbench.md"))(t)
	proof.Holds(t, proof.Must(clade("--help"))(t), exitCodes)
	proof.Holds(t, string(page), exitCodes)
}

// TestOutputIsLost prints to a device that is always full, as a process: a command that prints
// tables, text, JSON or help does not end well if nobody can read it.
func TestOutputIsLost(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("the system has no /dev/full")
	}
	defer full.Close()
	for _, line := range []string{"games", "players antwars --json", "help run", "version",
		"match antwars random greedy --games 2", "completion bash"} {
		c := exec.Command(os.Args[0], strings.Fields(line)...)
		var said strings.Builder
		c.Env, c.Stdout, c.Stderr = append(os.Environ(), asProgram+"=1"), full, &said
		if err := c.Run(); c.ProcessState.ExitCode() != 1 ||
			!strings.Contains(said.String(), "no space left") {
			t.Errorf("clade %s: %v\n%s", line, err, &said)
		}
	}
}
