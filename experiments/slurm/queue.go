package slurm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// folder holds in a sweep's directory what was submitted: job scripts, lists of runs, logs.
const folder = "slurm"

// Submission is an array job that was submitted for a sweep: slurm/NNN.json.
type Submission struct {
	Job   string   `json:"job"` // Slurm's number
	Tasks int      `json:"tasks"`
	Cells []string `json:"cells"` // keys of the runs; task i has those of index i, i+Tasks, …
}

// submissions reads what was submitted for a sweep, oldest first.
func submissions(dir string) ([]Submission, error) {
	paths, err := filepath.Glob(filepath.Join(dir, folder, "[0-9]*.json"))
	if err != nil {
		return nil, err
	}
	var all []Submission
	for _, p := range paths {
		content, err := os.ReadFile(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var s Submission
		if err == nil {
			err = json.Unmarshal(content, &s)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// Queued is a task, or a bundle of waiting ones, of a sweep's job in Slurm's queue.
type Queued struct {
	Job    string `json:"job"`
	Task   string `json:"task"` // index, or a range of them
	State  string `json:"state"`
	Reason string `json:"reason"` // or the node
}

// Queue lists what Slurm's queue holds of a sweep. A sweep that was never submitted needs no Slurm.
func Queue(ctx context.Context, dir string) ([]Queued, error) {
	all, err := submissions(dir)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	// Slurm refuses a job's number that it has forgotten, and says so in words only.
	out, err := command(ctx, "squeue", "--noheader", "--format=%F|%K|%T|%R")
	if err != nil {
		return nil, err
	}
	var queue []Queued
	for line := range strings.Lines(out) {
		f := strings.SplitN(strings.TrimSpace(line), "|", 4)
		if len(f) == 4 &&
			slices.ContainsFunc(all, func(s Submission) bool { return s.Job == f[0] }) {
			queue = append(queue, Queued{f[0], f[1], f[2], f[3]})
		}
	}
	return queue, nil
}

var maxArray = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// arrayLimit returns how many tasks an array may have here: indexes must be less than MaxArraySize.
func arrayLimit(ctx context.Context) (int, error) {
	out, err := command(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	m := maxArray.FindStringSubmatch(out)
	if m == nil {
		return 0, errors.New("`scontrol show config` tells no MaxArraySize; give the " +
			"number of tasks in a site file")
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n < 1 {
		return 0, fmt.Errorf("this Slurm allows no arrays (MaxArraySize %s)", m[1])
	}
	return n, nil
}

// command runs one of Slurm's commands.
func command(ctx context.Context, name string, args ...string) (string, error) {
	var out, fault bytes.Buffer
	c := exec.CommandContext(ctx, name, args...)
	c.Stdout, c.Stderr = &out, &fault
	if err := c.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return "", fmt.Errorf(
				"there is no command %s of Slurm here; it is on the nodes of the cluster", name)
		}
		return "", fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(fault.String()))
	}
	return out.String(), nil
}
