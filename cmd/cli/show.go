package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/figure"
	"clade/engine"
	"clade/experiments/league"
	"clade/experiments/match"
	"clade/experiments/player"
	"clade/gp"
	"clade/gp/input"
)

// showForms are the forms in which a species is shown.
var showForms = [...]string{"text", "json", "svg", "png", "pdf", "tex"}

func newShow(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, out: "."}
	var decisions int
	var as string
	c := &cobra.Command{
		Use:   "show SPECIES",
		Short: "Show the trees of a species",
		Long: `Shows the trees of a species file, or of run:RUN or run:RUN@GENERATION, with
their sizes, and marks with ~ the subtrees that never changed a decision in
recorded situations. With --as it writes them as a figure. The game has the
settings in the species file, which --set changes. clade export writes a species
as a program.`,
		Example: `  clade show runs/quick/champion.species
  clade show run:runs/quick@100 --as svg --out trees`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if o.asJSON && !c.Flags().Changed("as") {
				as = "json"
			}
			if !slices.Contains(showForms[:], as) {
				return usageError{errors.New(input.Unknown("form", as, showForms[:]))}
			}
			if decisions < 1 {
				return misuse("--situations must be at least 1, not %d", decisions)
			}
			game, species, err := findSpecies(scope, args[0], o.set...)
			if err != nil {
				return err
			}
			p := newProgress(nil)
			introns, played, err := league.Introns(c.Context(), game, species.Genome,
				decisions, engine.Seed(1).Name("show"), p.stageOf("testing subtrees"))
			p.close()
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			g := game.Grammar()
			switch as {
			case "text":
				showText(plain(c), g, species, introns, played)
			case "json":
				return showJSON(plain(c), g, species, introns, played)
			default:
				paths, err := figure.Genome("genome", g,
					figure.Programs(g, species.Genome, introns), "never changed a decision").
					Save(o.out, figure.Format(as))
				if err != nil {
					return err
				}
				return o.printPaths(c, paths)
			}
			return nil
		},
	}
	c.Flags().IntVar(&decisions, "situations", 1000, "decisions in which a subtree must have mattered")
	c.Flags().StringVar(&as, "as", "text", "form: text, json, svg, png, pdf or tex")
	o.add(c, help{"set": "", "out": "directory of a figure", "json": "the same as --as json; with " +
		"--as, print the figure's path as JSON"})
	return c
}

// findSpecies reads a species of any game, and finds its game with the settings in the species
// file, overridden by those of the form key=value.
func findSpecies(scope *player.Scope, name string, settings ...string) (engine.Game, *gp.Species,
	error) {
	path := name
	if run, ok := strings.CutPrefix(name, "run:"); ok {
		var err error
		if path, err = player.ChampionPath(run); err != nil {
			return nil, nil, usageError{err}
		}
	}
	claim, err := match.ReadClaim(*scope, name, path)
	if unread := (*fs.PathError)(nil); errors.As(err, &unread) {
		err = fmt.Errorf("%w; name a species file, run:RUN, run:RUN@GENERATION or kept:GAME/NAME", err)
	} else if err != nil && strings.HasPrefix(path, player.KeptPrefix) { // there is no such species
		err = usageError{err}
	}
	if err != nil {
		return nil, nil, err
	}
	if _, err := scope.Game(claim.Game); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	game, err := match.Own(*scope, claim, settings...)
	if err != nil {
		return nil, nil, usageError{err}
	}
	species, err := player.ReadSpecies(game, path)
	return game, species, err
}

// showJSON prints sizes, depths and introns of each tree, and its text, as one line.
func showJSON(w io.Writer, g *gp.Grammar, s *gp.Species, introns [][]bool, played int) error {
	type tree struct {
		Slot    string `json:"slot"`
		Nodes   int    `json:"nodes"`
		Depth   int    `json:"depth"`
		Introns []int  `json:"introns"` // indices of nodes, in prefix order
		Text    string `json:"text"`
	}
	var trees []tree
	for _, p := range figure.Programs(g, s.Genome, introns) {
		trees = append(trees, tree{p.Slot, len(p.Tree), g.Depth(p.Tree), append([]int{}, p.Dead...),
			g.PrintTree(p.Tree)})
	}
	var texts []string
	for _, setting := range s.Settings {
		texts = append(texts, setting.String())
	}
	return json.NewEncoder(w).Encode(struct {
		Game      string   `json:"game"`
		Version   int      `json:"version"`
		Origin    []string `json:"origin"`
		Settings  []string `json:"settings,omitempty"` // of its game, key = value
		Decisions int      `json:"decisions"`          // in which introns changed nothing
		Trees     []tree   `json:"trees"`
	}{s.Game, s.Version, s.Origin, texts, played, trees})
}

func showText(w io.Writer, g *gp.Grammar, s *gp.Species, introns [][]bool, played int) {
	fmt.Fprintf(w, "a species of %s\n", s.Game)
	for _, line := range s.Origin {
		fmt.Fprintf(w, "  %s\n", line)
	}
	for _, setting := range s.Settings {
		fmt.Fprintf(w, "  %s\n", setting)
	}
	for slot, p := range figure.Programs(g, s.Genome, introns) {
		fmt.Fprintf(w, "\n%s: %d nodes, depth %d; %d nodes (~) changed nothing in %d decisions\n",
			p.Slot, len(p.Tree), g.Depth(p.Tree), len(p.Dead), played)
		printMarked(w, g, p.Tree, introns[slot], 0)
	}
}

// printMarked prints a tree, a node a line.
func printMarked(w io.Writer, g *gp.Grammar, t gp.Tree, inert []bool, depth int) {
	mark := ' '
	if inert[0] {
		mark = '~'
	}
	end := 1
	text := g.Operators[t[0].Op].Name
	if small := g.PrintTree(t); len(t) <= 2 {
		text, end = small, len(t)
	}
	fmt.Fprintf(w, "%c %s%s\n", mark, strings.Repeat("  ", depth), text)
	for end < len(t) {
		next := g.End(t, end)
		printMarked(w, g, t[end:next], inert[end:next], depth+1)
		end = next
	}
}
