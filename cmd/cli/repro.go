package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"clade/engine/terminal"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/repro"
)

// repeated is what clade repro says of a step.
type repeated struct {
	Folder      string   `json:"folder"`
	Step        string   `json:"step"`
	Seconds     float64  `json:"seconds"` // by the clock
	Differences []string `json:"differences"`
}

func newRepro(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	var quick, update bool
	var only []string
	c := &cobra.Command{
		Use:   "repro FOLDER...|all",
		Short: "Make published results again, and compare them",
		Long: `Carries out the commands that made a folder of results, as its repro.toml lists
them, and compares what they say and write with what is published there: runs
with their fingerprints, matches game by game, figures and species byte by byte.
"all" stands for every such folder below results. Work in the project's folder.
With --out, what was bred is kept there, and the same command goes on where it
was stopped.`,
		Example: `  clade repro all --quick              what takes seconds, of all results
  clade repro results/antwars          everything of one page
  clade repro results/darwin --only runner,loops
  clade repro results/darwin --only loops --update   publish it anew`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			folders, err := resultFolders(args)
			if err != nil {
				return usageError{err}
			}
			var all []repeated
			for _, dir := range folders {
				steps, err := o.repeat(c, dir, only, quick, update)
				all = append(all, steps...)
				if err != nil {
					return err
				}
			}
			differ := 0
			for _, r := range all {
				if len(r.Differences) > 0 {
					differ++
				}
			}
			err = o.print(c, all, func(w io.Writer) {
				fmt.Fprintf(w, "%d of %d steps are as published\n", len(all)-differ, len(all))
			})
			if err == nil && differ > 0 && !update {
				err = fmt.Errorf("%d of %d steps differ from what is published", differ, len(all))
			}
			return err
		},
	}
	o.add(c, help{"out": "folder to work in, which is kept (default: one that is removed)",
		"json": ""})
	f := c.Flags()
	f.BoolVar(&quick, "quick", false, "only the steps that take seconds")
	f.BoolVar(&update, "update", false, "publish what comes out: numbers, files and the page")
	f.StringSliceVar(&only, "only", nil, "names of `steps`, with commas between them, and what "+
		"they use")
	c.MarkFlagsMutuallyExclusive("only", "quick")
	return c
}

// resultFolders returns the folders that are meant.
func resultFolders(args []string) ([]string, error) {
	if len(args) != 1 || args[0] != "all" {
		return args, nil
	}
	var folders []string
	err := filepath.WalkDir("results", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == repro.ManifestFile {
			folders = append(folders, filepath.Dir(path))
		}
		return err
	})
	if err == nil && len(folders) == 0 {
		err = fmt.Errorf("no folder below results has a %s", repro.ManifestFile)
	}
	if err != nil {
		err = fmt.Errorf("%w; work in the project's folder", err)
	}
	return folders, err
}

// repeat makes a folder's results again.
func (o *flags) repeat(c *cobra.Command, dir string, only []string, quick, update bool) (
	[]repeated, error) {
	m, err := repro.Read(dir)
	if err != nil {
		return nil, usageError{err}
	}
	steps, err := m.Select(only, quick)
	if err != nil {
		return nil, usageError{err}
	}
	published, err := repro.ReadNumbers(dir)
	if err != nil {
		return nil, err
	}
	work := filepath.Join(o.out, filepath.Base(dir))
	if filepath.IsLocal(dir) {
		work = filepath.Join(o.out, dir) // folders inside two others may have one name
	}
	if o.out == "" {
		if work, err = os.MkdirTemp("", "clade-repro-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(work)
	}
	said := terminal.Plain(c.OutOrStdout())
	if o.asJSON {
		said = io.Discard
	}
	seconds := 0.0
	for _, s := range steps {
		seconds += s.Seconds
	}
	fmt.Fprintf(said, "%s: %d of %d steps, about %s of processor time\n", dir, len(steps),
		len(m.Steps), time.Duration(seconds+1)*time.Second)
	var all []repeated
	made := map[string]*repro.Made{}
	for _, s := range steps {
		began := time.Now()
		one, err := s.Make(c.Context(), o.again, work)
		if err != nil {
			return all, fmt.Errorf("%s, step %s: %w", dir, s.Name, err)
		}
		made[s.Name] = one
		r := repeated{Folder: dir, Step: s.Name, Seconds: time.Since(began).Seconds()}
		if r.Differences, err = m.Differences(s, one, published); err != nil {
			return all, err
		}
		all = append(all, r)
		verdict := "same"
		if len(r.Differences) > 0 {
			verdict = "differs"
		}
		fmt.Fprintf(said, "  %-28s %-8s %7.1f s\n", s.Name, verdict, r.Seconds)
		for _, d := range r.Differences {
			fmt.Fprintf(said, "    %s\n", d)
		}
	}
	if update {
		err = m.Publish(made)
	}
	return all, err
}

// again calls clade. A run that is there already goes on.
func (o *flags) again(ctx context.Context, words []string, out io.Writer) error {
	if at := slices.Index(words, "--out"); words[0] == "run" && at > 0 {
		dir := words[at+1]
		if _, err := os.Stat(filepath.Join(dir, rundir.ManifestFile)); err == nil {
			words = []string{"resume", dir, "--json"}
		}
	}
	root := newCommand(o.scope.Games, func(error) {})
	root.SetArgs(words)
	root.SetOut(out)
	return root.ExecuteContext(ctx)
}
