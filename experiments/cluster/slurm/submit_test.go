package slurm

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/gp/proof"
)

// standIn is a Slurm whose commands are lines of shell.
type standIn struct {
	t    *testing.T
	dir  string // of the commands
	out  string // of the sweep
	grid *study.Grid
}

func newStandIn(t *testing.T) *standIn {
	t.Helper()
	s := &standIn{t: t, dir: t.TempDir(), out: filepath.Join(t.TempDir(), "sweep")}
	t.Setenv("PATH", s.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	s.does("scontrol", `echo "MaxArraySize = 1001"`)
	var err error
	if s.grid, err = runnertest.Parse(t,
		runnertest.Study(3, "[sweep]\nseeds = [1, 2]\n")).Grid(); err != nil {
		t.Fatal(err)
	}
	return s
}

// does puts a command into the path, and forgets its calls.
func (s *standIn) does(command, line string) {
	s.t.Helper()
	path := filepath.Join(s.dir, command)
	text := "#!/bin/sh\necho x >>" + path + ".calls\n" + line + "\n"
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		s.t.Fatal(err)
	}
	_ = os.Remove(path + ".calls")
}

// calls returns how often a command was called.
func (s *standIn) calls(command string) int {
	text, _ := os.ReadFile(filepath.Join(s.dir, command+".calls"))
	return strings.Count(string(text), "x")
}

func (s *standIn) submit() (*submission, error) {
	return Submit(s.t.Context(), s.out, s.grid, &Site{})
}

// heading is the first line of squeue, of Slurm 24.
const heading = `echo "ARRAY_JOB_ID|ARRAY_TASK_ID|STATE|NODELIST(REASON)|COMMAND"` + "\n"

// Numbers are told as sbatch tells them, with and without --parsable, behind what public reports
// show of sites.
func TestJobNumber(t *testing.T) {
	for text, want := range map[string][2]string{
		"4243\n": {"4243"}, "4243;north\n": {"4243", "north"}, "NOTE: no QOS\n4243\n": {"4243"},
		"Submitted batch job 77\n":                       {"77"},
		"Submitted batch job 77 on cluster north\n":      {"77", "north"},
		"12 jobs are yours\n 4243 \r\nsee the motd\n\n":  {"4243"},
		"--> Checking allocation (TG 2024)...OK\n4243\n": {"4243"},
		"": {}, "\n": {}, "sbatch: queued": {}, "-4": {}, "42a": {},
	} {
		if job, cluster := jobNumber(text); job != want[0] || cluster != want[1] {
			t.Errorf("%q is job %q of %q, want %q", text, job, cluster, want)
		}
	}
}

// FuzzJobNumber looks for numbers that are none.
func FuzzJobNumber(f *testing.F) {
	f.Add("NOTE\n4243;north\n")
	f.Fuzz(func(t *testing.T, text string) {
		if job, _ := jobNumber(text); strings.Trim(job, "0123456789") != "" {
			t.Errorf("%q of %q", job, text)
		}
	})
}

// A job is known by its number behind a site's lines, as reports show them, and is not doubled
// while it waits, whatever the queue says besides.
func TestSubmitKnowsItsJob(t *testing.T) {
	proof.Slow(t)
	s := newStandIn(t)
	s.does("sbatch", `printf -- '--------\n    Welcome to Example 3\n--------\n\n4243;north\n'`)
	s.does("squeue", `case "$*" in *--clusters=north*) echo "CLUSTER: north"
		`+heading+`echo "4242|1|RUNNING|n1|/x"; echo "4243|0-1|PENDING|(Priority)|/y";; esac
		echo "squeue: warning: the plugin is old" >&2; echo Welcome >&2`)
	if got, err := s.submit(); err != nil || got.Job != "4243" || got.Cluster != "north" {
		t.Fatalf("%+v, %v", got, err)
	}
	queue, err := Queue(t.Context(), s.out)
	if err != nil || len(queue) != 1 || queue[0].Job != "4243" || queue[0].Task != "0-1" {
		t.Errorf("%+v, %v", queue, err)
	}
	if _, err := s.submit(); err == nil || !strings.Contains(err.Error(),
		"`scancel --clusters=north 4243`") || s.calls("sbatch") != 1 {
		t.Errorf("a second job: %v", err)
	}
	s.does("squeue", heading)
	s.does("sbatch", "echo 5000")
	proof.Is(t, proof.Must(s.submit())(t).Job, "5000", "the job after its end")
}

// A queue that does not answer, in the words of users' reports, is asked again, and is then no
// empty one.
func TestQueueThatDoesNotAnswer(t *testing.T) {
	proof.Costly(t)
	s := newStandIn(t)
	s.does("sbatch", "echo 4243")
	proof.Must(s.submit())(t)
	for _, trouble := range []string{
		`echo "slurm_load_jobs error: Socket timed out on send/recv operation" >&2; exit 0`,
		`echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1`,
		`echo "Connection refused by the gateway" >&2; exit 0`,
		`echo "4000|0|RUNNING|n1"; echo "squeue: error: cluster south does not answer" >&2; exit 0`,
	} {
		s.does("squeue", `if [ $(wc -l <"$0.calls") -gt 1 ]; then
			echo "4243|0-1|PENDING|(Priority)"; exit; fi
			`+trouble)
		if queue, err := Queue(t.Context(), s.out); err != nil || len(queue) != 1 ||
			s.calls("squeue") != 2 {
			t.Errorf("%s, then an answer: %+v, %v", trouble, queue, err)
		}
	}
	if proof.Quick() {
		return // it waits seven seconds
	}
	s.does("squeue", `echo "slurm_load_jobs error: Socket timed out on send/recv operation" >&2`)
	if _, err := s.submit(); err == nil || s.calls("sbatch") != 1 || s.calls("squeue") != mostAsked ||
		!strings.Contains(err.Error(), "Socket timed out") ||
		!strings.Contains(err.Error(), "nothing was submitted") {
		t.Errorf("%v after %d calls", err, s.calls("squeue"))
	}
}

// The waits are measured from outside, by the clock.
func TestAgainWaitsLonger(t *testing.T) {
	var calls []time.Time
	_, err := again(t.Context(), 20*time.Millisecond, func() (string, error) {
		calls = append(calls, time.Now())
		return "", errors.New("no answer")
	})
	if err == nil || !strings.Contains(err.Error(), "no answer (asked 4 times)") || len(calls) != 4 {
		t.Fatalf("%d calls, %v", len(calls), err)
	}
	for i, least := range []time.Duration{20, 40, 80} {
		if waited := calls[i+1].Sub(calls[i]); waited < least*time.Millisecond {
			t.Errorf("wait %d is %v", i, waited)
		}
	}
	calls = nil
	if _, err := again(t.Context(), time.Hour, func() (string, error) {
		calls = append(calls, time.Now())
		return "", errNoSlurm
	}); err == nil || len(calls) != 1 {
		t.Errorf("a command that is not there is called %d times", len(calls))
	}
}

// What sbatch says, and does not say, is that of reports: a job that is queued all the same is
// found by its script, by either submission, and is not doubled.
func TestJobsWithoutNumber(t *testing.T) {
	proof.Costly(t)
	const failed = `echo "sbatch: error: Batch job submission failed: `
	const timedOut = failed + `Socket timed out on send/recv operation" >&2; exit 1`
	const queued = heading + `echo "77|0-1|PENDING|(None)|$SCRIPT"`
	for name, c := range map[string]struct {
		sbatch, squeue string
		job            string // of the first submission
		told           string // by its error
		then           string // what squeue says later
		again          string // what the second one says; "" for a second job
	}{
		"nothing is told, and it is queued": {"", queued, "77", "", queued,
			"job 77 of this sweep is in the"},
		"it timed out, and is queued": {timedOut, queued, "77", "", queued,
			"job 77 of this sweep is in"},
		"it timed out, and is queued later": {timedOut, heading, "", "Socket timed out", queued,
			"job 77 of this sweep is in"},
		"a greeting alone": {"echo Welcome", heading, "", `no job number: "Welcome"`, heading, ""},
		"it timed out, and nothing is known": {timedOut, "exit 1", "", "the queue is not known",
			queued, "job 77 of this sweep is in"},
		"it is refused": {failed + `Invalid account or account/partition combination specified" >&2
			exit 1`, heading, "", "Invalid account", heading, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if proof.Quick() && c.squeue == "exit 1" {
				t.Skip("it waits seven seconds")
			}
			s := newStandIn(t)
			t.Setenv("SCRIPT", filepath.Join(s.out, folder, "001.sh"))
			s.does("sbatch", c.sbatch)
			s.does("squeue", c.squeue)
			got, err := s.submit()
			if c.told == "" && (err != nil || got.Job != c.job) ||
				c.told != "" && (err == nil || !strings.Contains(err.Error(), c.told)) {
				t.Fatalf("%+v, %v", got, err)
			}
			s.does("sbatch", "echo 99")
			s.does("squeue", c.then)
			got, err = s.submit()
			if c.again == "" && (err != nil || got.Job != "99") ||
				c.again != "" && (err == nil || !strings.Contains(err.Error(), c.again)) {
				t.Errorf("the second time: %+v, %v", got, err)
			}
		})
	}
}

// sbatchWords returns what sbatch reads of the options of a script. Words are split and quoted as
// Slurm's manual and source describe it, not as this package writes them.
func sbatchWords(t *testing.T, script string) map[string]string {
	t.Helper()
	options := map[string]string{}
	for line := range strings.Lines(script) {
		text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "#SBATCH ")
		if !ok {
			continue
		}
		var word strings.Builder
		quote, escaped, words := byte(0), false, 1
		for _, c := range []byte(text) {
			switch {
			case escaped:
				word.WriteByte(c)
				escaped = false
			case c == '\\':
				escaped = true
			case quote == 0 && (c == '\'' || c == '"'):
				quote = c
			case c == quote && quote != 0:
				quote = 0
			case quote == 0 && (c == ' ' || c == '\t'):
				words++
			default:
				word.WriteByte(c)
			}
		}
		if words > 1 || quote != 0 || escaped {
			t.Errorf("sbatch reads %d words of %s", words, line)
		}
		name, value, _ := strings.Cut(word.String(), "=")
		options[name] = value
	}
	return options
}

// Folders and names are those of users' reports.
func TestScriptsQuote(t *testing.T) {
	for _, dir := range []string{"/scratch/my runs/a", "/scratch/kim's", "/s/50%j", "/s/a(1)",
		"/s/$HOME", "/s/`id`", `/s/"a"`, "/s/#a", "/s/a;b&c", "/s/ä", "/s/[a]*"} {
		s := &submission{Tasks: 2, Cells: []string{"a", "b", "c"}}
		site := &Site{Partition: "a b", Account: "it's", Time: "1:00:00",
			Container: []string{"env", "a b's"}}
		text := proof.Must(s.script(dir, dir+"/slurm/001", "kim's \"study\" #1", site))(t)
		got := sbatchWords(t, string(text))
		for option, want := range map[string]string{"--partition": "a b", "--account": "it's",
			"--output":   strings.ReplaceAll(dir, "%", "%%") + "/slurm/001-%a.log",
			"--job-name": "clade-kim's \"study\" #1", "--time": "1:00:00"} {
			proof.Is(t, got[option], want, "%s: %s", dir, option)
		}
		_, body, _ := strings.Cut(string(text), "limit=\n")
		call, _, _ := strings.Cut(body, " &\n")
		out, err := exec.Command("sh", "-c", "for w in "+call+`; do echo "$w"; done`).Output()
		if err != nil || !strings.HasPrefix(string(out), "env\na b's\n"+dir+
			"/slurm/001.clade\nsweep\n"+dir+"/study.toml\n--out\n"+dir+"\n") {
			t.Errorf("the script calls %s, %v", out, err)
		}
	}
	for _, dir := range []string{`/s/a\b`, "/s/a\nb"} {
		if _, err := (&submission{Tasks: 1}).script(dir, dir+"/slurm/001", "a", &Site{}); err == nil {
			t.Errorf("%q is taken", dir)
		}
	}
}

// TestArrayLimit asks a Slurm that shows no MaxArraySize, one that allows no arrays, and one that
// does.
func TestArrayLimit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for line, want := range map[string]string{"ClusterName = x": "shows no MaxArraySize; give the",
		"MaxArraySize = 0": "allows no arrays", "MaxArraySize            = 1001": ""} {
		script := "#!/bin/sh\necho '" + line + "'\n"
		proof.OK(t, os.WriteFile(filepath.Join(dir, "scontrol"), []byte(script), 0o755))
		n, err := arrayLimit(t.Context())
		if (err == nil) != (want == "") || err == nil && n != 1001 ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d, %v", line, n, err)
		}
	}
}
