package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/report"
	"clade/experiments/runner"
	"clade/experiments/sweep"
)

// verified is the output of clade verify for a run.
type verified struct {
	Run string `json:"run"`
	*rundir.Verified
	Mended []rundir.Fault `json:"mended"` // faults that were repaired
}

func newVerify(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	var mend bool
	c := &cobra.Command{
		Use:   "verify RUN...",
		Short: "Check the integrity of runs, and mend them",
		Long: `Recomputes the fingerprint of runs and the checksums of their files, and names
damaged files. Without --mend nothing is played or changed; --mend restores what
it can: lineage and champions from the last checkpoint, the log by breeding on
from the newest checkpoint before the damage, measurements by playing, figures
by drawing. Of a staged run it checks those of its stages, too. An argument may
also be a folder of runs and sweeps.`,
		Example: `  clade verify runs/quick
  clade verify runs --mend
  cd runs/quick && sha256sum -c checksums.sha256   the same without clade`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dirs, err := report.FindAllRuns(args)
			if err != nil {
				return usageError{err}
			}
			all := make([]verified, len(dirs))
			err = parallel.Each(c.Context(), len(dirs), 0, func(_, i int) (err error) {
				all[i] = verified{Run: dirs[i], Mended: []rundir.Fault{}}
				if all[i].Verified, err = o.verify(dirs[i]); err != nil {
					return err
				}
				origin, err := sweep.Unaudited(dirs[i])
				if origin != nil {
					all[i].Unchecked = append(all[i].Unchecked, origin.String()+" has handed it in, "+
						"and it is not compared yet; clade sweep on its study breeds it again")
				}
				return err
			})
			if err != nil {
				return err
			}
			damaged := 0
			for i := range all {
				if mend {
					if err := o.mend(c, &all[i]); err != nil {
						return err
					}
				}
				if len(all[i].Faults) > 0 {
					damaged++
				}
			}
			if err := o.print(c, all, func(w io.Writer) { printVerified(w, all) }); err != nil {
				return err
			}
			switch {
			case damaged > 0 && mend:
				return fmt.Errorf("%d of %d runs could not be mended", damaged, len(all))
			case damaged > 0:
				return fmt.Errorf("%d of %d runs are damaged; --mend makes again what it can",
					damaged, len(all))
			}
			return nil
		},
	}
	o.add(c, help{"workers": "", "json": ""})
	c.Flags().BoolVar(&mend, "mend", false, "make again what is damaged, as far as it can be made")
	return c
}

// verify checks a run, and that the study of a staged one is there.
func (o *flags) verify(dir string) (*rundir.Verified, error) {
	v, err := runner.Verify(*o.scope, dir)
	if err != nil || !sweep.IsStaged(dir) {
		return v, err
	}
	if _, err := sweep.OpenStaged(*o.scope, dir); err != nil {
		v.Faults = append(v.Faults, rundir.Fault{File: sweep.StudyFile,
			What: "cannot be read: " + err.Error()})
	}
	return v, nil
}

// mend repairs a run, and writes its checksums if it has none.
func (o *flags) mend(c *cobra.Command, v *verified) error {
	sums, err := rundir.ReadChecksums(v.Run)
	if len(v.Faults) == 0 && err == nil && sums != nil {
		return nil
	}
	r, err := runner.Open(*o.scope, v.Run)
	var config *evolve.Config
	if err == nil {
		config = &r.Study.Evolve
	}
	p := newProgress(config)
	_, err = runner.Mend(c.Context(), *o.scope, v.Run, v.Verified, p.options(o.workers))
	p.close()
	if err != nil {
		return err
	}
	before := v.Faults
	if v.Verified, err = o.verify(v.Run); err != nil {
		return err
	}
	for _, f := range before {
		if !v.Faulty(f.File) {
			v.Mended = append(v.Mended, f)
		}
	}
	return nil
}

func printVerified(w io.Writer, all []verified) {
	for _, v := range all {
		if len(v.Faults)+len(v.Unchecked) == 0 {
			fmt.Fprintf(w, "%s: whole, fingerprint %s\n", v.Run, v.Fingerprint)
		}
		for _, f := range v.Mended {
			fmt.Fprintf(w, "%s: %s %s; it was made again\n", v.Run, f.File, f.What)
		}
		for _, f := range v.Faults {
			fmt.Fprintf(w, "%s: %s %s\n", v.Run, f.File, f.What)
		}
		for _, what := range v.Unchecked {
			fmt.Fprintf(w, "%s: not checked: %s\n", v.Run, what)
		}
	}
}
