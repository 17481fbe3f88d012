package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/figure"
	"clade/engine/system/packed"
	"clade/engine/system/terminal"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/report"
	"clade/experiments/sweep"
)

// flags are the flags that several commands share. The value of a field before add is its default.
type flags struct {
	scope          *player.Scope // what files may name
	asJSON         bool
	form           string // of tables: text, markdown or csv
	set            []string
	seed           uint64
	games, workers int
	out            string
	formats        []figure.Format
	editable       bool         // and SVG with letters
	width          figure.Width // of the figures; "" is their own
	control        bool         // groups are tested against the first one only
	against        []string     // built-in players that count
	measure        report.Measure
}

// help maps names of flags to their help texts; "" stands for the usual text.
type help map[string]string

// typed returns the scope of names that a person typed, who may also start programs.
func (o *flags) typed() player.Scope {
	return player.Scope{Games: o.scope.Games, Trust: player.Programs, Programs: o.scope.Programs}
}

// add adds shared flags to a command.
func (o *flags) add(c *cobra.Command, flags help) {
	f := c.Flags()
	for name, text := range flags {
		switch name {
		case "json":
			f.BoolVar(&o.asJSON, name, false, cmp.Or(text, "print JSON"))
		case "form":
			o.form = "text"
			addForm(c, &o.form, "of the tables", figure.TableForms()[:3])
		case "set":
			f.StringArrayVar(&o.set, name, nil,
				cmp.Or(text, "a setting of the game, KEY=VALUE; may be repeated"))
		case "seed":
			f.Uint64Var(&o.seed, name, o.seed, cmp.Or(text, "seed of the boards"))
		case "games":
			f.IntVar(&o.games, name, o.games, text)
		case "workers":
			f.IntVar(&o.workers, name, 0, cmp.Or(text, "goroutines that play (default: one a processor)"))
		case "out":
			f.StringVar(&o.out, name, o.out,
				cmp.Or(text, "also draw figures into this directory, with their data"))
		case "as":
			f.BoolVar(&o.editable, "text", false, "also NAME.text.svg, whose letters an editor can "+
				"change")
			f.Func(name, cmp.Or(text, "`forms` of the figures: png, svg, pdf, tex (default: all)"),
				o.addFormats)
		case "width":
			f.Func(name, "of figures: column (85 mm), page (175 mm), or `mm` (default: what they need)",
				func(text string) error {
					o.width = figure.Width(text)
					return o.width.Check()
				})
		default:
			panic("clade: there is no shared flag " + name)
		}
	}
}

// addFormats reads names of figure formats with commas between them.
func (o *flags) addFormats(names string) error {
	for name := range strings.SplitSeq(names, ",") {
		if !slices.Contains(figure.AllFormats(), figure.Format(name)) {
			return fmt.Errorf("there is no form %q; there are png, svg, pdf and tex", name)
		}
		o.formats = append(o.formats, figure.Format(name))
	}
	return nil
}

// forms returns the formats that figures are saved in, none for all.
func (o *flags) forms() []figure.Format {
	if !o.editable {
		return o.formats
	}
	if len(o.formats) == 0 {
		return append(figure.AllFormats(), figure.EditableSVG)
	}
	return append(slices.Clone(o.formats), figure.EditableSVG)
}

// print prints a result as a line of JSON if the user asks for it, else as text. Neither lets
// foreign names or messages control the terminal.
func (o *flags) print(c *cobra.Command, v any, text func(w io.Writer)) error {
	return o.printTo(plain(c), v, text)
}

func (o *flags) printTo(out io.Writer, v any, text func(w io.Writer)) error {
	if o.asJSON {
		return json.NewEncoder(out).Encode(v)
	}
	text(figure.TableWriter(out, o.form))
	return nil
}

// plain returns standard output for text that may hold foreign names or messages.
func plain(c *cobra.Command) io.Writer { return terminal.Plain(c.OutOrStdout()) }

// printPaths prints the paths of files that were written, a line each.
func (o *flags) printPaths(c *cobra.Command, paths []string) error {
	return o.print(c, paths, func(w io.Writer) { fmt.Fprintln(w, strings.Join(paths, "\n")) })
}

// save saves figures at the requested width and returns the paths of their files.
func (o *flags) save(figures ...*figure.Figure) ([]string, error) {
	figures = slices.Clone(figures)
	for i, f := range figures {
		var err error
		if figures[i], err = f.Fit(o.width); err != nil {
			return nil, misuse("--width: %s: %w", f.Name, err)
		}
	}
	return figure.SaveAll(figures, o.out, o.forms())
}

// drawn reports on standard error how many files of figures a command has written.
func (o *flags) drawn(paths []string) { complain(fmt.Sprintf("%d files in %s", len(paths), o.out)) }

// findRuns finds run directories, and warns of runs that cannot be checked or are not audited.
func findRuns(args []string) ([]string, error) {
	dirs, err := report.FindRuns(args)
	if err != nil {
		return nil, usageError{err}
	}
	if len(dirs) > 100 {
		spareMemory()
	}
	unchecked, unaudited := 0, 0
	for _, dir := range dirs {
		if origin, err := sweep.Unaudited(dir); err != nil {
			return nil, err
		} else if origin != nil {
			unaudited++
		}
		_, notOver := packed.Stat(filepath.Join(dir, rundir.DoneFile))
		_, unlisted := packed.Stat(filepath.Join(dir, rundir.ChecksumFile))
		if notOver == nil && errors.Is(unlisted, fs.ErrNotExist) {
			unchecked++
		}
	}
	if unchecked > 0 {
		slog.Warn("an earlier version of clade, which kept no checksums, bred some runs: they are "+
			"read unchecked; clade verify --mend gives them checksums", "runs", unchecked)
	}
	if unaudited > 0 {
		slog.Warn("workers have handed in some of the runs, and they are not compared yet: clade sweep "+
			"on their study breeds them again", "runs", unaudited)
	}
	return dirs, nil
}

// runs finds the directories of runs. What is written about one goes by default into a folder of
// its directory.
func (o *flags) runs(args []string, folder string) ([]string, error) {
	dirs, err := findRuns(args)
	if err != nil {
		return nil, err
	}
	if o.out == "" {
		if len(dirs) > 1 {
			return nil, misuse("several runs: name the directory of the %s with --out", folder)
		}
	}
	return dirs, o.writeTo(filepath.Join(dirs[0], folder))
}

// writeTo sets the output folder of a command without --out; the default may lie in a run that is
// read-only.
func (o *flags) writeTo(folder string) error {
	if o.out != "" {
		return nil
	}
	o.out = folder
	if err := checkFolder(folder); err != nil {
		return misuse("%w; name another directory with --out", err)
	}
	return nil
}

// evenGames checks the number of games of a pair, which play every board in either seat.
func (o *flags) evenGames() error {
	if o.games < 2 || o.games%2 != 0 || o.games > 1<<30 {
		return misuse("--games must be even and in 2..%d, not %d", 1<<30, o.games)
	}
	return nil
}

// need refuses flags that have an effect only with another flag, where that is missing.
func need(c *cobra.Command, other string, flags ...string) error {
	for _, f := range flags {
		if c.Flags().Changed(f) && !c.Flags().Changed(other) {
			return misuse("--%s is for --%s, which is missing", f, other)
		}
	}
	return nil
}

// exclude refuses flags that have no effect beside another flag.
func exclude(c *cobra.Command, by string, flags ...string) error {
	for _, f := range flags {
		if c.Flags().Changed(f) && c.Flags().Changed(by) {
			return misuse("--%s is not for --%s; leave one of them out", f, by)
		}
	}
	return nil
}
