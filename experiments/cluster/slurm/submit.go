// Package slurm submits the runs of a sweep to Slurm as one array job and reads Slurm's queue. It
// runs nothing itself: each task of the array carries out its share of the sweep.
package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"clade/engine/system/durable"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/input"
)

// Submit writes an array job for the runs of a sweep that are missing and hands it to Slurm. The
// program, a copy of the one that runs now, the study and everything else lies in the sweep's
// directory, which all nodes must see. While an earlier job of the sweep is in the queue, none is
// added. The site must pass its Check.
func Submit(ctx context.Context, dir string, g *study.Grid, site *Site) (*submission, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	missing, err := sweep.Missing(g, dir)
	if err != nil || len(missing) == 0 {
		return nil, err
	}
	queued, err := Queue(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("%w; nothing was submitted, since jobs of this sweep may be in it: "+
			"try again when Slurm answers", err)
	}
	if len(queued) > 0 {
		return nil, inQueue(&queued[0])
	}
	limit := int(site.Tasks)
	if limit == 0 {
		if limit, err = arrayLimit(ctx); err != nil {
			return nil, err
		}
	}
	s := &submission{Tasks: min(limit, len(missing))}
	for i := range missing {
		s.Cells = append(s.Cells, missing[i].Key)
	}
	if err := s.submit(ctx, dir, g.Name, site); err != nil {
		return nil, err
	}
	return s, nil
}

// inQueue is the error for a sweep that has a job in the queue.
func inQueue(q *Queued) error {
	end := []string{"scancel", q.Job}
	if q.cluster != "" {
		end = []string{"scancel", "--clusters=" + q.cluster, q.Job}
	}
	return fmt.Errorf("slurm: job %s of this sweep is in the queue; wait for its end, or end it with "+
		"`%s`", q.Job, input.Quote(end...))
}

// submit writes the job script and what it needs, and hands it to Slurm.
func (s *submission) submit(ctx context.Context, dir, name string, site *Site) error {
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
		return err
	}
	before, err := submissions(dir)
	if err != nil {
		return err
	}
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program: %w", err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("cannot read this program: %w", err)
	}
	for _, b := range before {
		s.number = max(s.number, b.number)
	}
	s.number++
	base := filepath.Join(dir, folder, fmt.Sprintf("%03d", s.number))
	text, err := s.script(dir, base, name, site)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		ending  string
		content []byte
		perm    fs.FileMode
	}{
		{programEnding, program, 0o777}, // where all nodes see it and no later build changes it
		{cellsEnding, []byte(strings.Join(s.Cells, "\n") + "\n"), 0o666},
		{scriptEnding, text, 0o777},
	} {
		if err := durable.WriteFile(base+f.ending, f.content, f.perm); err != nil {
			return err
		}
	}
	out, said, failed := command(ctx, "sbatch", "--parsable", base+scriptEnding)
	s.Job, s.Cluster = jobNumber(out)
	if s.Job == "" && failed == nil {
		failed = fmt.Errorf("sbatch succeeded but printed no job number: %q",
			strings.TrimSpace(out+said))
	}
	if failed != nil { // a controller that was too busy to answer may have taken the job all the same
		queue, err := Queue(context.WithoutCancel(ctx), dir)
		if err != nil || len(queue) == 0 {
			return errors.Join(fmt.Errorf("%w; if the job is queued all the same, the same command "+
				"finds it and submits no other", failed), err)
		}
		s.Job, s.Cluster = queue[0].Job, queue[0].cluster
	}
	if err = durable.WriteJSON(base+".json", s, 0o666); err != nil {
		err = fmt.Errorf("job %s is submitted, and cannot be recorded: %w", s.Job, err)
	}
	return err
}

// Endings of the files that a job script needs.
const (
	programEnding = ".clade"
	cellsEnding   = ".cells"
	scriptEnding  = ".sh"
)

// script is the batch script of an array task. Slurm announces the time limit by USR1, and all else
// that ends the task (scancel, scontrol requeue, preemption) by TERM. Only after USR1 the script
// puts its task into the queue again.
var script = template.Must(template.New("job").Funcs(
	template.FuncMap{"quote": input.Quote, "value": value}).Parse(
	`#!/bin/bash
#SBATCH --job-name={{value .Name}}
#SBATCH --array=0-{{.Last}}{{if .Site.Parallel}}%{{.Site.Parallel}}{{end}}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.CPUs}}
#SBATCH --output={{value .Log}}
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@{{.Grace}}
{{- with .Site.Partition}}
#SBATCH --partition={{value .}}{{end}}
{{- with .Site.Account}}
#SBATCH --account={{value .}}{{end}}
{{- with .Site.QOS}}
#SBATCH --qos={{value .}}{{end}}
{{- with .Site.Time}}
#SBATCH --time={{value .}}{{end}}
{{- with .Site.Memory}}
#SBATCH --mem={{value .}}{{end}}
{{- range .Site.Options}}
#SBATCH {{.}}{{end}}
{{range .Site.Setup}}{{.}}
{{end}}
echo "task $SLURM_ARRAY_TASK_ID of job $SLURM_ARRAY_JOB_ID on ${SLURMD_NODENAME:-$(hostname)}, restart ${SLURM_RESTART_COUNT:-0}"
export GOMAXPROCS={{.CPUs}}
limit=
{{range .Site.Container}}{{quote .}} {{end}}{{quote .Program}} sweep {{quote .Study}} --out {{quote .Out}} --cells {{quote .List}} --tasks {{.Tasks}} --task "$SLURM_ARRAY_TASK_ID" --workers {{.Workers}} &
child=$!
stop() { if kill -0 $child 2>/dev/null; then kill -TERM $child; fi; }
trap 'limit=1; stop' USR1
trap stop TERM INT
wait $child; status=$?
while kill -0 $child 2>/dev/null; do wait $child; status=$?; done
trap '' USR1 TERM INT
if [ "$limit" ]; then
	echo "the time limit is near: saved, and into the queue again"
	scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
	sleep 30 # Slurm ends this script
fi
exit $status
`))

// value quotes the value of an option for sbatch, which has its own rules for its lines.
func value(s string) string {
	if s == input.Quote(s) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// logs returns the pattern of the names of logs, in which Slurm replaces percent signs. Slurm has
// no escape for a backslash there except one that disables all replacements.
func logs(base string) (string, error) {
	if strings.ContainsAny(base, "\\\n\r") {
		return "", fmt.Errorf("slurm: no log can be written below %q: Slurm takes no backslash and no "+
			"line end in its name; choose another directory", filepath.Dir(base))
	}
	return strings.ReplaceAll(base, "%", "%%") + "-%a.log", nil
}

// script returns the text of the job script. The names of its files begin with base.
func (s *submission) script(dir, base, name string, site *Site) ([]byte, error) {
	cpus := int(max(1, site.CPUs))
	log, err := logs(base)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = script.Execute(&text, map[string]any{
		"Name": "clade-" + name, "Last": s.Tasks - 1, "Tasks": s.Tasks, "Site": site, "CPUs": cpus,
		"Grace": site.grace(), "Log": log,
		"Program": base + programEnding, "Study": filepath.Join(dir, sweep.StudyFile), "Out": dir,
		"List": base + cellsEnding, "Workers": min(cpus, (len(s.Cells)+s.Tasks-1)/s.Tasks),
	})
	return text.Bytes(), err
}
