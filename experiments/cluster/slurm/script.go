package slurm

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"text/template"

	"clade/engine/system/shell"
	"clade/experiments/sweep"
)

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
	template.FuncMap{"quote": shell.Quote, "value": value}).Parse(
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
	if s == shell.Quote(s) {
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
func (s *Submission) script(dir, base, name string, site *Site) ([]byte, error) {
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
