package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/stat"
	"clade/engine"
	"clade/experiments/league"
	"clade/experiments/match"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/input"
)

func newExport(scope *player.Scope) *cobra.Command {
	var o flags
	var to string
	var asBred, introns bool
	var situations int
	o.games = 10000
	c := &cobra.Command{
		Use:   "export SPECIES --to LANGUAGE",
		Short: "Export a species as a program",
		Long: `Writes a species file, or run:RUN or run:RUN@GENERATION, as a program in c, go,
java, javascript or python: one readable file that needs nothing else and
decides as the species does here, bit for bit, under the settings in the species
file. Trees are simplified where that changes no value for any input; --as-bred
leaves them as they are. The program's first lines say what it reads and what it
answers. Some games have the form of their original as well. What cannot be
written is an error.`,
		Example: `  clade export results/antwars/whole-run.species --to python > ant.py
  clade export run:runs/quick --to contest --out ant.c
  clade export results/amoebas/duel32-seed1.species --to java`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := need(c, "introns", "situations", "games"); err != nil {
				return err
			}
			if err := cmp.Or(within("situations", situations, 1, math.MaxInt),
				within("games", o.games, 1, 1<<30), exclude(c, "as-bred", "introns")); err != nil {
				return err
			}
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
			said, err := study.Said(*scope, game)
			if err != nil {
				return err
			}
			plays := fmt.Sprintf("It plays %s, version %d of the rules", game.Info().Title, species.Version)
			if len(said) > 0 {
				plays += ", under " + match.ListSettings(said)
			}
			by := export.Origin{Name: speciesName(args[0], o.out),
				Lines: append([]string{plays + "."}, species.Origin...)}
			bred := species.Genome.Size()
			by.Nodes = bred
			if !asBred {
				if species.Genome, err = game.Grammar().Simplify(species.Genome); err != nil {
					return err
				}
			}
			fmt.Fprintf(c.ErrOrStderr(), "%d nodes, %d after exact rewriting\n", bred, species.Genome.Size())
			if introns {
				if err := prune(c, game, species, situations, o.games); err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
			}
			source, err := exporter.Export(species.Genome, by, target.Name)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.ErrOrStderr(), "%d bytes of %s", len(source), target.About)
			if target.Limit > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "; the original allowed %d", target.Limit)
			}
			fmt.Fprintln(c.ErrOrStderr())
			if o.out != "" {
				return os.WriteFile(o.out, []byte(source), 0o666)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), source)
			return err
		},
	}
	c.Flags().StringVar(&to, "to", "", "`language` to write, or form of the game's original")
	c.Flags().BoolVar(&asBred, "as-bred", false, "do not simplify the trees")
	c.Flags().BoolVar(&introns, "introns", false, "also remove what never changed a decision, and "+
		"compare games with and without")
	c.Flags().IntVar(&situations, "situations", 1000,
		"with --introns: decisions in which a subtree must have mattered")
	o.add(c, help{"games": "with --introns: games to compare",
		"out": "file to write (default: standard output)", "set": ""})
	return c
}

// prune removes the subtrees of a species that never mattered, and reports on standard error what
// that changed.
func prune(c *cobra.Command, game engine.Game, s *gp.Species, situations, games int) error {
	ctx := c.Context()
	seed := engine.Seed(1).Name("export")
	pruned, decisions, err := league.Prune(ctx, game, s.Genome, situations, seed.Name("prune"))
	if err != nil {
		return err
	}
	if pruned, err = game.Grammar().Simplify(pruned); err != nil {
		return err
	}
	alike, err := league.Alike(ctx, game, s.Genome, pruned, games, seed.Name("check"))
	if err != nil {
		return err
	}
	i := stat.Wilson(float64(alike), float64(games), 0.95)
	fmt.Fprintf(c.ErrOrStderr(), "%d nodes without what never mattered in %d decisions; %d of %d "+
		"other games are the same, decision for decision (95 %% interval %.2f to %.2f %%)\n",
		pruned.Size(), decisions, alike, games, 100*i.Low, 100*i.High)
	s.Genome = pruned
	return nil
}

// findTarget returns the format of a name in which species of a game can be written.
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
	return export.Target{}, usageError{errors.New(input.Unknown("form of "+game, name, names))}
}

// speciesName returns the name of a species in its program: that of the file that is written, or
// else of its own.
func speciesName(path, out string) string {
	if out != "" {
		path = out
	}
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}
