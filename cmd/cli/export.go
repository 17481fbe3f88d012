package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/experiments/player"
	"clade/gp/export"
	"clade/gp/suggest"
)

func newExport(scope *player.Scope) *cobra.Command {
	var o flags
	var to string
	c := &cobra.Command{
		Use:   "export SPECIES --to LANGUAGE",
		Short: "Write a species as a program of its own",
		Long: `Writes a species file, or run:RUN or run:RUN@GENERATION, as a program in
c, go, java, javascript or python: one readable file that needs nothing else
and decides as the species does here, bit for bit. Its first lines say what
it reads and what it answers. Some games have the form of their original as
well. What cannot be written is an error.`,
		Example: `  clade export results/antwars/brilliant.species --to python > brilliant.py
  clade export run:runs/quick --to contest --out ant.c
  clade export results/amoebas/duel32-seed1.species --to java --set world-size=32`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			game, species, err := findSpecies(scope, args[0], o.set...)
			if err != nil {
				return err
			}
			exporter, ok := game.(engine.SpeciesExporter)
			if !ok {
				return misuse("species of %s cannot be written as programs", species.Game)
			}
			target, err := findTarget(exporter, species.Game, to)
			if err != nil {
				return err
			}
			by := export.Origin{Name: speciesName(args[0], o.out),
				Lines: append([]string{fmt.Sprintf(
					"It plays %s, version %d of the rules.", game.Info().Title, species.Version)},
					species.Origin...)}
			source, err := exporter.Export(species.Genome, by, target.Name)
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%d nodes, %d bytes of %s", species.Genome.Size(), len(source),
				target.About)
			if target.Limit > 0 {
				fmt.Fprintf(os.Stderr, "; the original allowed %d", target.Limit)
			}
			fmt.Fprintln(os.Stderr)
			if o.out != "" {
				return os.WriteFile(o.out, []byte(source), 0o666)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), source)
			return err
		},
	}
	c.Flags().StringVar(&to, "to", "", "`language` to write, or form of the game's original")
	o.add(c, help{"out": "file to write (default: standard output)", "set": ""})
	return c
}

// findTarget finds a form in which species of a game can be written.
func findTarget(e engine.SpeciesExporter, game, name string) (export.Target, error) {
	var names []string
	for _, t := range e.Targets() {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	if name == "" {
		return export.Target{}, misuse("--to is missing; species of %s can be written as %s", game,
			strings.Join(names, ", "))
	}
	return export.Target{}, usageError{errors.New(suggest.Unknown("form of "+game, name, names))}
}

// speciesName names a species as its exported file, or else as its own.
func speciesName(path, out string) string {
	if out != "" {
		path = out
	}
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}
