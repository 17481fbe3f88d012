package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"clade/engine/system/terminal"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/version"
	"clade/results/repro"
)

// repeated is the result of a step of clade repro.
type repeated struct {
	Folder      string   `json:"folder"`
	Step        string   `json:"step"`
	Seconds     float64  `json:"seconds"` // by the clock
	Differences []string `json:"differences"`
	Lacks       string   `json:"lacks,omitempty"` // what it needs is not here: it is left out
}

func newRepro(scope *player.Scope) *cobra.Command {
	again := repetition{flags: flags{scope: scope}}
	var logFile string
	c := &cobra.Command{
		Use:   "repro FOLDER...|all",
		Short: "Repeat published results, and compare them",
		Long: `Carries out the commands that made a folder of results, as its repro.toml lists
them, and compares what they say and write with what is published there: runs
with their fingerprints, matches game by game, figures and species byte by byte.
"all" stands for every such folder below results. Work in the project's folder.
With --out, what was bred is kept there, and the same command continues it. With
--log, every step is noted in a file, and steps that came out as published are
not done again, so that hours of work can be done in pieces. A step that needs
files of an original, such as its maps, is left out where they are missing.`,
		Example: `  clade repro all --quick              what takes seconds, of all results
  clade repro results/antwars          everything of one page
  clade repro results/darwin --only runner-game,runner-film
  clade repro results/darwin --only loops-1 --update publish it anew
  clade repro all --log results/log.jsonl            what was not made again yet`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			folders, err := resultFolders(args)
			if err != nil {
				return usageError{err}
			}
			if logFile != "" {
				if again.log, err = repro.OpenLog(logFile); err != nil {
					return usageError{err}
				}
				defer again.log.Close()
			}
			var all []repeated
			for _, dir := range folders {
				steps, err := again.folder(c, dir)
				all = append(all, steps...)
				if err != nil {
					return err
				}
			}
			differ, made := 0, 0
			for _, r := range all {
				if r.Lacks == "" {
					made++
				}
				if len(r.Differences) > 0 {
					differ++
				}
			}
			err = again.print(c, all, func(w io.Writer) {
				fmt.Fprintf(w, "%d of %d steps are as published\n", made-differ, made)
			})
			if err == nil && differ > 0 && !again.update {
				err = fmt.Errorf("%d of %d steps differ from what is published", differ, made)
			}
			return err
		},
	}
	again.add(c, help{"out": "folder to work in, which is kept (default: one that is removed)",
		"json": ""})
	f := c.Flags()
	f.BoolVar(&again.quick, "quick", false, "only the steps that take seconds")
	f.BoolVar(&again.update, "update", false, "publish the results: numbers, files and the page")
	f.StringSliceVar(&again.only, "only", nil, "names of `steps`, with commas between them, and what "+
		"they use")
	f.StringVar(&logFile, "log", "", "`file` that records the result of each step; those that it "+
		"has as published are left out")
	c.MarkFlagsMutuallyExclusive("only", "quick")
	c.MarkFlagsMutuallyExclusive("update", "log")
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

// repetition is what is made again, and how.
type repetition struct {
	flags
	quick, update bool
	only          []string   // names of steps
	log           *repro.Log // nil for none
}

// folder makes a folder's results again.
func (o *repetition) folder(c *cobra.Command, dir string) ([]repeated, error) {
	m, err := repro.Read(dir)
	if err != nil {
		return nil, usageError{err}
	}
	steps, err := m.Select(o.only, o.quick)
	if err != nil {
		return nil, usageError{err}
	}
	published, err := repro.ReadNumbers(dir)
	if err != nil {
		return nil, err
	}
	said := terminal.Plain(c.OutOrStdout())
	if o.asJSON {
		said = io.Discard
	}
	if o.log != nil {
		if steps, err = o.missing(said, m, steps, published); err != nil || len(steps) == 0 {
			return nil, err
		}
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
	seconds := 0.0
	for _, s := range steps {
		seconds += s.Seconds
	}
	fmt.Fprintf(said, "%s: %d of %d steps, about %s of processor time\n", dir, len(steps),
		len(m.Steps), time.Duration(seconds+1)*time.Second)
	var all []repeated
	for _, s := range steps {
		if s.Lacks() {
			fmt.Fprintf(said, "  %-28s left out: needs %s, which is not here\n", s.Name, s.Needs)
			all = append(all, repeated{Folder: dir, Step: s.Name, Differences: []string{}, Lacks: s.Needs})
			continue
		}
		began := time.Now()
		one, err := s.Make(c.Context(), o.again, work)
		if err != nil {
			return all, fmt.Errorf("%s, step %s: %w", dir, s.Name, err)
		}
		r := repeated{Folder: dir, Step: s.Name, Seconds: time.Since(began).Seconds()}
		if r.Differences, err = m.Differences(s, one, published); err != nil {
			return all, err
		}
		all = append(all, r)
		if o.update {
			if err := m.Publish(s, one); err != nil {
				return all, err
			}
		}
		if o.log != nil {
			if err := o.note(m, s, published, r); err != nil {
				return all, err
			}
		}
		verdict := "same"
		if len(r.Differences) > 0 {
			verdict = "differs"
		}
		fmt.Fprintf(said, "  %-28s %-8s %7.1f s\n", s.Name, verdict, r.Seconds)
		for _, d := range r.Differences {
			fmt.Fprintf(said, "    %s\n", d)
		}
	}
	if o.update {
		err = m.WritePage()
	}
	return all, err
}

// missing returns those of the steps that the log does not have as published, and the steps that
// they use.
func (o *repetition) missing(said io.Writer, m *repro.Manifest, steps []*repro.Step,
	published repro.Numbers) ([]*repro.Step, error) {
	var names []string
	for _, s := range steps {
		hash, err := m.Published(s, published)
		if err != nil {
			return nil, err
		}
		if !o.log.Same(filepath.ToSlash(m.Dir), s.Name, hash) {
			names = append(names, s.Name)
		}
	}
	if n := len(steps) - len(names); n > 0 {
		fmt.Fprintf(said, "%s: %d steps stand in the log as published\n", m.Dir, n)
	}
	if len(names) == 0 {
		return nil, nil
	}
	return m.Select(names, false)
}

// note logs a step.
func (o *repetition) note(m *repro.Manifest, s *repro.Step, published repro.Numbers,
	r repeated) error {
	hash, err := m.Published(s, published)
	if err != nil {
		return err
	}
	return o.log.Add(repro.Logged{Folder: filepath.ToSlash(m.Dir), Step: s.Name, Published: hash,
		Program: version.This().Name(), Seconds: math.Round(10*r.Seconds) / 10,
		Differences: r.Differences})
}

// again runs a clade command. A run that exists already is resumed.
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
