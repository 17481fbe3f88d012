package cli

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"clade/experiments/cluster/slurm"
	"clade/experiments/study"
	"clade/gp/input"
)

// slurmFlags are those flags of `clade sweep` that are for Slurm.
type slurmFlags struct {
	on   bool
	file string
	site slurm.Site
}

// slurmOptions are the names of those flags that say what to ask for.
var slurmOptions = []string{"site", "partition", "account", "time", "memory", "cpus"}

func (f *slurmFlags) register(c *cobra.Command) {
	s := c.Flags()
	s.BoolVar(&f.on, "slurm", false, "submit an array job to Slurm instead of running here")
	s.StringVar(&f.file, "site", "",
		"with --slurm: TOML file that says what to ask this site for; the options below override it")
	s.StringVar(&f.site.Partition, "partition", "", "with --slurm: partition")
	s.StringVar(&f.site.Account, "account", "", "with --slurm: account")
	s.StringVar(&f.site.Time, "time", "",
		"with --slurm: time limit of a task, such as 8:00:00; what is not done by then is saved "+
			"and queued again")
	s.StringVar(&f.site.Memory, "memory", "", "with --slurm: memory of a task, such as 4G")
	s.Uint64Var(&f.site.CPUs, "cpus", 0, "with --slurm: processors of a task (default 1)")
}

// check reads the site file, if there is one, and refuses what Slurm would.
func (f *slurmFlags) check(c *cobra.Command) error {
	if f.on && c.Flags().Changed("cpus") {
		if err := within("cpus", int(min(f.site.CPUs, 4096)), 1, math.MaxInt); err != nil {
			return err
		}
	}
	if f.file != "" {
		given := map[string]string{}
		c.Flags().Visit(func(flag *pflag.Flag) {
			if slices.Contains(slurmOptions[1:], flag.Name) {
				given[flag.Name] = flag.Value.String()
			}
		})
		site, err := slurm.ReadSite(f.file)
		if err != nil {
			return usageError{err}
		}
		f.site = *site
		for name, value := range given {
			if err := c.Flags().Set(name, value); err != nil {
				return usageError{err}
			}
		}
	}
	if err := f.site.Check(); err != nil {
		return usageError{err}
	}
	return nil
}

// submit hands the missing runs to Slurm.
func (f *slurmFlags) submit(c *cobra.Command, dir string, grid *study.Grid) error {
	s, err := slurm.Submit(c.Context(), dir, grid, &f.site)
	if err != nil {
		return err
	}
	if s == nil {
		fmt.Fprintf(plain(c), "nothing is missing in %s\n", dir)
		return nil
	}
	dir = input.Quote(dir)
	fmt.Fprintf(plain(c),
		"submitted job %s: %d runs in %d tasks\nprogress: clade status %s\nwhen it is over: clade "+
			"collect %s\n", s.Job, len(s.Cells), s.Tasks, dir, dir)
	return nil
}

// printQueue prints what Slurm's queue holds.
func printQueue(w io.Writer, queue []slurm.Queued) {
	if len(queue) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-12s %-12s %-12s %s\n", "job", "task", "state", "node or reason")
	for _, q := range queue {
		fmt.Fprintf(w, "%-12s %-12s %-12s %s\n", q.Job, q.Task, q.State, q.Reason)
	}
}
