package cli

import (
	"io"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/player"
	"clade/experiments/study"
)

// gameLine is what clade games tells of a game.
type gameLine struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	About    string   `json:"about"`
	Rules    int      `json:"rules"` // their version
	MinSeats int      `json:"min_seats"`
	MaxSeats int      `json:"max_seats"`
	Chance   bool     `json:"chance"` // the seed changes outcomes
	Hidden   bool     `json:"hidden"` // players do not see everything
	Marks    []string `json:"marks"`
}

func newGames(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use: "games", Short: "List the games", Args: cobra.NoArgs, Example: "  clade games",
		RunE: func(c *cobra.Command, _ []string) error {
			var all []gameLine
			for _, g := range scope.Games {
				i := g.Info()
				all = append(all, gameLine{i.Name, i.Title, i.About, i.Version, i.MinSeats,
					i.MaxSeats,
					i.Chance, i.Hidden, append([]string{}, i.Marks...)})
			}
			return o.print(c, all, func(w io.Writer) {
				rows := make([][2]string, len(all))
				for i, g := range all {
					rows[i] = [2]string{g.Name, g.Title + ": " + g.About}
				}
				terminal.List(w, rows)
			})
		},
	}
	o.add(c, help{"json": ""})
	return c
}

func newPlayers(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use: "players GAME", Short: "List the built-in players of a game", Args: cobra.ExactArgs(1),
		Example: "  clade players antwars",
		Long: `Lists the built-in players of a game, weakest first where an order is known.
Besides them, every species file, champion of a run and, in games with a
protocol for it, program can play.`,
		RunE: func(c *cobra.Command, args []string) error {
			g, err := study.NewGame(*o.scope, args[0])
			if err != nil {
				return usageError{err}
			}
			type entry struct {
				Name  string `json:"name"`
				About string `json:"about"`
			}
			players := []entry{}
			for _, e := range player.BuiltIn(g) {
				players = append(players, entry{e.Name, e.About})
			}
			return o.print(c, players, func(w io.Writer) {
				rows := make([][2]string, len(players))
				for i, p := range players {
					rows[i] = [2]string{p.Name, p.About}
				}
				terminal.List(w, rows)
			})
		},
	}
	o.add(c, help{"json": ""})
	return c
}

// gamesThat names the games that can do something.
func gamesThat(scope *player.Scope, able func(engine.Game) bool) []string {
	var names []string
	for _, g := range scope.Games {
		if able(g) {
			names = append(names, g.Info().Name)
		}
	}
	return names
}
