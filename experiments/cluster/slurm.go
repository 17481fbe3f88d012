package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/template"

	"github.com/google/renameio/v2"
	"github.com/pelletier/go-toml/v2"

	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/suggest"
)

// Site says what to ask a site's Slurm for. A site file is its TOML form; options of the command
// line override it. What is left empty is left to Slurm's own defaults.
type Site struct {
	Partition string `toml:"partition"`
	Account   string `toml:"account"`
	QOS       string `toml:"qos"`
	// limit of a task, as Slurm writes it, such as "8:00:00"; a task that reaches it saves its
	// runs, waits in the queue again and goes on
	Time   string `toml:"time"`
	Memory string `toml:"memory"` // of a task, such as "4G"
	CPUs   int    `toml:"cpus"`   // of a task; default 1
	// most tasks in the array; 0 means one a run, up to the site's MaxArraySize
	Tasks    int `toml:"tasks"`
	Parallel int `toml:"parallel"` // most tasks that run at a time; 0 means no limit
	// seconds before the time limit at which a task saves its runs and steps down; default 120
	Grace   int      `toml:"grace"`
	Options []string `toml:"options"` // further options of sbatch, such as "--constraint=avx512"
	// lines of shell that every task begins with, such as "module load go"
	Setup []string `toml:"setup"`
}

// ReadSite reads a site file. Errors name the file, line and column.
func ReadSite(path string) (*Site, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseSite(path, text)
}

// parseSite reads the text of a site file. The name stands in errors.
func parseSite(name string, text []byte) (*Site, error) {
	s := &Site{}
	d := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	err := d.Decode(s)
	var missing *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case err == nil:
		return s, nil
	case errors.As(err, &missing):
		var known []string
		for _, f := range reflect.VisibleFields(reflect.TypeFor[Site]()) {
			known = append(known, f.Tag.Get("toml"))
		}
		var faults []error
		for _, e := range missing.Errors {
			line, column := e.Position()
			faults = append(faults, fmt.Errorf("%s:%d:%d: %s", name, line, column,
				suggest.Unknown("key", strings.Join(e.Key(), "."), known)))
		}
		return nil, errors.Join(faults...)
	case errors.As(err, &wrong):
		line, column := wrong.Position()
		return nil, fmt.Errorf("%s:%d:%d: %s", name, line, column,
			strings.TrimPrefix(wrong.Error(), "toml: "))
	default:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
}

// check refuses what could change the meaning of the job script, which holds these values.
func (s *Site) check() error {
	for _, f := range []struct{ key, value string }{
		{"partition", s.Partition}, {"account", s.Account}, {"qos", s.QOS}, {"time", s.Time},
		{"memory", s.Memory}, {"options", strings.Join(s.Options, " ")},
	} {
		if strings.ContainsAny(f.value, "\n\r") {
			return fmt.Errorf("%s must be of one line, not %q", f.key, f.value)
		}
	}
	for _, n := range []struct {
		key   string
		value int
	}{{"cpus", s.CPUs}, {"tasks", s.Tasks}, {"parallel", s.Parallel}, {"grace", s.Grace}} {
		if n.value < 0 {
			return fmt.Errorf("%s must not be negative, and is %d", n.key, n.value)
		}
	}
	return nil
}

// slurmFolder holds in a sweep's directory what was submitted: job scripts, lists of runs, logs.
const slurmFolder = "slurm"

// Submission is an array job that was submitted for a sweep: slurm/NNN.json.
type Submission struct {
	Job   string   `json:"job"` // Slurm's number
	Tasks int      `json:"tasks"`
	Cells []string `json:"cells"` // keys of the runs; task i has those of index i, i+Tasks, …
}

// script is the batch script of an array task. Slurm tells it of the coming time limit by USR1, and
// of everything else that ends it (scancel, scontrol requeue, preemption) by TERM: only after the
// first does it put itself into the queue again.
var script = template.Must(template.New("job").Funcs(template.FuncMap{"quote": quote}).Parse(
	`#!/bin/bash
#SBATCH --job-name={{.Name}}
#SBATCH --array=0-{{.Last}}{{if .Site.Parallel}}%{{.Site.Parallel}}{{end}}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.CPUs}}
#SBATCH --output={{.Log}}
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@{{.Grace}}
{{- with .Site.Partition}}
#SBATCH --partition={{.}}{{end}}
{{- with .Site.Account}}
#SBATCH --account={{.}}{{end}}
{{- with .Site.QOS}}
#SBATCH --qos={{.}}{{end}}
{{- with .Site.Time}}
#SBATCH --time={{.}}{{end}}
{{- with .Site.Memory}}
#SBATCH --mem={{.}}{{end}}
{{- range .Site.Options}}
#SBATCH {{.}}{{end}}
{{range .Site.Setup}}{{.}}
{{end}}
echo "task $SLURM_ARRAY_TASK_ID of job $SLURM_ARRAY_JOB_ID on $(hostname), restart ${SLURM_RESTART_COUNT:-0}"
export GOMAXPROCS={{.CPUs}}
limit=
{{quote .Program}} sweep {{quote .Study}} --out {{quote .Out}} --cells {{quote .List}} --tasks {{.Tasks}} --task "$SLURM_ARRAY_TASK_ID" --workers {{.Workers}} &
child=$!
trap 'limit=1; kill -TERM $child' USR1
trap 'kill -TERM $child' TERM INT
wait $child; status=$?
while kill -0 $child 2>/dev/null; do wait $child; status=$?; done
if [ "$limit" ]; then
	echo "the time limit is near: saved, and into the queue again"
	scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
	sleep 30 # Slurm ends this script
fi
exit $status
`))

// quote writes a text as one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Submit writes an array job for the runs of a sweep that are missing and hands it to Slurm. The
// program, a copy of the one that runs now, the study and everything else lies in the sweep's
// directory, which all nodes must see. While an earlier job of the sweep is in the queue, none is
// added.
func Submit(ctx context.Context, dir string, g *study.Grid, site *Site) (*Submission, error) {
	if err := site.check(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if queued, err := Queue(ctx, dir); err != nil {
		return nil, err
	} else if len(queued) > 0 {
		return nil, fmt.Errorf("job %s of this sweep is in the queue; watch it with "+
			"`clade status %s`, or end it with `scancel %s`", queued[0].Job, dir, queued[0].Job)
	}
	missing, err := sweep.Missing(g, dir)
	if err != nil {
		return nil, err
	}
	if len(missing) == 0 {
		return nil, nil
	}
	limit, err := arrayLimit(ctx)
	if err != nil {
		return nil, err
	}
	if site.Tasks > 0 {
		limit = min(limit, site.Tasks)
	}
	s := &Submission{Tasks: min(limit, len(missing))}
	for i := range missing {
		s.Cells = append(s.Cells, missing[i].Key)
	}
	path, err := s.write(dir, g.Name, site)
	if err != nil {
		return nil, err
	}
	out, err := slurm(ctx, "sbatch", "--parsable", path)
	if err != nil {
		return nil, err
	}
	s.Job, _, _ = strings.Cut(strings.TrimSpace(out), ";")
	content, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		err = renameio.WriteFile(strings.TrimSuffix(path, ".sh")+".json", content, 0o666)
	}
	if err != nil {
		return nil, fmt.Errorf("job %s is submitted, and cannot be noted: %w", s.Job, err)
	}
	return s, nil
}

// write writes the job script and what it needs, and returns the script's path.
func (s *Submission) write(dir, name string, site *Site) (string, error) {
	folder := filepath.Join(dir, slurmFolder)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	before, err := submissions(dir)
	if err != nil {
		return "", err
	}
	base := filepath.Join(folder, fmt.Sprintf("%03d", len(before)+1))
	if err := copyProgram(base + ".clade"); err != nil {
		return "", err
	}
	text, err := s.script(dir, base, name, site)
	if err != nil {
		return "", err
	}
	if err := renameio.WriteFile(base+".cells", []byte(strings.Join(s.Cells, "\n")+"\n"),
		0o666); err != nil {
		return "", err
	}
	if err := renameio.WriteFile(base+".sh", text, 0o777); err != nil {
		return "", err
	}
	return base + ".sh", nil
}

// script returns the text of the job script. The names of what belongs to it begin with base.
func (s *Submission) script(dir, base, name string, site *Site) ([]byte, error) {
	cpus, grace := max(1, site.CPUs), site.Grace
	if grace == 0 {
		grace = 120
	}
	var text bytes.Buffer
	err := script.Execute(&text, map[string]any{
		"Name": "clade-" + name, "Last": s.Tasks - 1, "Tasks": s.Tasks, "Site": site, "CPUs": cpus,
		"Grace": grace, "Log": base + "-%a.log",
		"Program": base + ".clade", "Study": filepath.Join(dir, sweep.StudyFile), "Out": dir,
		"List": base + ".cells", "Workers": min(cpus, (len(s.Cells)+s.Tasks-1)/s.Tasks),
	})
	if err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// copyProgram puts the program where all nodes see it, and where no later build changes it.
func copyProgram(to string) error {
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program: %w", err)
	}
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := renameio.NewPendingFile(to, renameio.WithPermissions(0o777))
	if err != nil {
		return err
	}
	defer out.Cleanup()
	if _, err := io.Copy(out, in); err != nil {
		return fmt.Errorf("cannot copy this program to the sweep's directory: %w", err)
	}
	if err := out.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("cannot copy this program to the sweep's directory: %w", err)
	}
	return nil
}

// submissions reads what was submitted for a sweep, oldest first.
func submissions(dir string) ([]Submission, error) {
	paths, err := filepath.Glob(filepath.Join(dir, slurmFolder, "[0-9]*.json"))
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
	if err != nil {
		return nil, err
	}
	var queue []Queued
	for _, s := range all {
		out, err := slurm(ctx, "squeue", "--noheader", "--jobs="+s.Job, "--format=%F|%K|%T|%R")
		if err != nil {
			if strings.Contains(err.Error(), "Invalid job id") {
				continue // it is over for so long that Slurm has forgotten it
			}
			return nil, err
		}
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			if f := strings.SplitN(line, "|", 4); len(f) == 4 {
				queue = append(queue, Queued{f[0], f[1], f[2], f[3]})
			}
		}
	}
	return queue, nil
}

var maxArray = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// arrayLimit returns how many tasks an array may have here: indexes must be less than MaxArraySize.
func arrayLimit(ctx context.Context) (int, error) {
	out, err := slurm(ctx, "scontrol", "show", "config")
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
		return 0, fmt.Errorf("Slurm allows no arrays here (MaxArraySize %s)", m[1])
	}
	return n, nil
}

// slurm runs one of Slurm's commands.
func slurm(ctx context.Context, name string, args ...string) (string, error) {
	var out, fault bytes.Buffer
	c := exec.CommandContext(ctx, name, args...)
	c.Stdout, c.Stderr = &out, &fault
	if err := c.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return "", fmt.Errorf(
				"Slurm's command %s is not here; it is on the nodes of the cluster", name)
		}
		return "", fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(fault.String()))
	}
	return out.String(), nil
}
