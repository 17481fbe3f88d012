// Package slurm submits the runs of a sweep to Slurm as one array job and reads Slurm's queue. It
// runs nothing itself: each task of the array is `clade sweep` with its share of the runs.
package slurm

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"clade/engine/durable"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

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
	limit := site.Tasks
	if limit == 0 {
		if limit, err = arrayLimit(ctx); err != nil {
			return nil, err
		}
	}
	s := &Submission{Tasks: min(limit, len(missing))}
	for i := range missing {
		s.Cells = append(s.Cells, missing[i].Key)
	}
	if err := s.submit(ctx, dir, g.Name, site); err != nil {
		return nil, err
	}
	return s, nil
}

// submit writes the job script and what it needs, and hands it to Slurm.
func (s *Submission) submit(ctx context.Context, dir, name string, site *Site) error {
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
	base := filepath.Join(dir, folder, fmt.Sprintf("%03d", len(before)+1))
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
		{".sh", text, 0o777},
	} {
		if err := durable.WriteFile(base+f.ending, f.content, f.perm); err != nil {
			return err
		}
	}
	out, err := command(ctx, "sbatch", "--parsable", base+".sh")
	if err != nil {
		return err
	}
	s.Job, _, _ = strings.Cut(strings.TrimSpace(out), ";")
	content, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		err = durable.WriteFile(base+".json", content, 0o666)
	}
	if err != nil {
		return fmt.Errorf("job %s is submitted, and cannot be recorded: %w", s.Job, err)
	}
	return nil
}
