package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"clade/engine/system/durable"
)

// folder holds, in a sweep's directory, the files of submitted jobs: scripts, lists of runs, logs.
const folder = "slurm"

// submission is an array job that was submitted for a sweep: slurm/NNN.json, beside its script.
type submission struct {
	Job     string   `json:"job"`               // Slurm's number
	Cluster string   `json:"cluster,omitempty"` // if sbatch names it: one of several
	Tasks   int      `json:"tasks"`
	Cells   []string `json:"cells"` // keys of the runs; task i has those of index i, i+Tasks, …

	number int // NNN
}

// submissions lists the scripts that were submitted for a sweep, with what is known of them.
func submissions(dir string) ([]submission, error) {
	entries, err := os.ReadDir(filepath.Join(dir, folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []submission
	for _, e := range entries {
		number, found := strings.CutSuffix(e.Name(), scriptEnding)
		n, err := strconv.Atoi(number)
		if !found || err != nil {
			continue
		}
		s := submission{number: n}
		if _, err := durable.ReadJSON(filepath.Join(dir, folder, number+".json"), &s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// jobLine matches sbatch's output of a job's number, with and without --parsable.
var jobLine = regexp.MustCompile(
	`^(?:Submitted batch job )?([0-9]+)(?:;([^;\s]+)| on cluster (\S+))?$`)

// jobNumber finds the number of a job, and of which cluster it is, in what sbatch printed. Sites
// put lines of their own before it. The number is "" where there is none.
func jobNumber(text string) (job, cluster string) {
	for line := range strings.Lines(text) {
		if m := jobLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			job, cluster = m[1], m[2]+m[3]
		}
	}
	return job, cluster
}

// Queued is a task, or a bundle of waiting ones, of a sweep's job in Slurm's queue.
type Queued struct {
	Job    string `json:"job"`
	Task   string `json:"task"` // index, or a range of them
	State  string `json:"state"`
	Reason string `json:"reason"` // or the node

	cluster string
}

// Queue lists what Slurm's queue holds of a sweep: jobs of its numbers, and those with one of its
// scripts, of which sbatch may have told no number. A sweep that was never submitted needs no
// Slurm. An error says that the queue is not known, which does not mean that it is empty.
func Queue(ctx context.Context, dir string) ([]Queued, error) {
	all, err := submissions(dir)
	if err != nil {
		return nil, err
	}
	scripts, err := filepath.Abs(filepath.Join(dir, folder))
	if err != nil {
		return nil, err
	}
	jobs := map[string][]string{} // by cluster
	for i := range all {
		jobs[all[i].Cluster] = append(jobs[all[i].Cluster], all[i].Job)
	}
	var queue []Queued
	for _, cluster := range slices.Sorted(maps.Keys(jobs)) {
		// Lines of job, task, state, reason and script; the heading tells an empty queue from none.
		// All jobs are asked for: Slurm refuses a number that it has forgotten, in words only.
		args := []string{"--format=%F|%K|%T|%R|%o"}
		if cluster != "" {
			args = append(args, "--clusters="+cluster)
		}
		out, err := ask(ctx, "squeue", args...)
		if err != nil {
			return nil, fmt.Errorf("slurm: the queue is not known: %w", err)
		}
		for line := range strings.Lines(out) {
			f := append(strings.SplitN(strings.TrimSpace(line), "|", 5), "")
			if len(f) >= 5 && (slices.Contains(jobs[cluster], f[0]) || filepath.Dir(f[4]) == scripts) {
				queue = append(queue, Queued{f[0], f[1], f[2], f[3], cluster})
			}
		}
	}
	return queue, nil
}

var maxArray = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// arrayLimit returns how many tasks an array may have here: indexes must be less than MaxArraySize.
func arrayLimit(ctx context.Context) (int, error) {
	out, err := ask(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	m := maxArray.FindStringSubmatch(out)
	if m == nil {
		return 0, errors.New("`scontrol show config` shows no MaxArraySize; give the " +
			"number of tasks in a site file")
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n < 1 {
		return 0, fmt.Errorf("this Slurm allows no arrays (MaxArraySize %s)", m[1])
	}
	return n, nil
}

// Slurm's controller may be busy, or away for a moment.
const (
	firstWait = time.Second // before it is asked again; then twice as long each time
	mostAsked = 4
	forAnswer = time.Minute
)

// ask runs one of Slurm's commands that only read, and repeats it if there is no answer.
func ask(ctx context.Context, name string, args ...string) (string, error) {
	return again(ctx, firstWait, func() (string, error) {
		limited, stop := context.WithTimeout(ctx, forAnswer)
		defer stop()
		out, said, err := command(limited, name, args...)
		switch {
		case err != nil:
			return "", err
		case troubled.MatchString(said) || said != "" && strings.TrimSpace(out) == "":
			return "", fmt.Errorf("%s: %s", name, said) // it ends with status 0 all the same
		}
		return out, nil
	})
}

// troubled finds the words with which Slurm's commands report a failure.
var troubled = regexp.MustCompile(`(?i)\b(error|fatal|failed|failure|timed out|timeout|unable|` +
	`cannot|refused|unreachable)\b`)

// again calls a function until it succeeds, and waits before each further call, twice as long each
// time.
func again(ctx context.Context, wait time.Duration, call func() (string, error)) (string, error) {
	for asked := 1; ; asked++ {
		out, err := call()
		switch {
		case err == nil || ctx.Err() != nil || errors.Is(err, errNoSlurm):
			return out, err
		case asked == mostAsked:
			return "", fmt.Errorf("%w (asked %d times)", err, asked)
		}
		select {
		case <-ctx.Done():
			return "", err
		case <-time.After(wait):
		}
		wait *= 2
	}
}

var errNoSlurm = errors.New("it is on the nodes of the cluster")

// command runs one of Slurm's commands, and returns its standard output and error.
func command(ctx context.Context, name string, args ...string) (out, said string, err error) {
	var text, fault bytes.Buffer
	c := exec.CommandContext(ctx, name, args...)
	c.Stdout, c.Stderr, c.WaitDelay = &text, &fault, time.Second
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "SQUEUE_") // which hide jobs
	})
	err = c.Run()
	said = strings.TrimSpace(fault.String())
	switch {
	case err == nil:
	case errors.Is(err, exec.ErrNotFound):
		err = fmt.Errorf("there is no command %s of Slurm here; %w", name, errNoSlurm)
	case ctx.Err() == context.DeadlineExceeded:
		err = fmt.Errorf("%s: no answer for %v", name, forAnswer)
	default:
		err = fmt.Errorf("%s: %w: %s", name, err, said)
	}
	return text.String(), said, err
}
