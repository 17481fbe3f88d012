package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/experiments/player"
	"clade/experiments/study"
)

func newGames(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use: "games", Short: "List the games", Args: cobra.NoArgs, Example: "  clade games",
		RunE: func(c *cobra.Command, _ []string) error {
			var infos []engine.Info
			for _, g := range scope.Games {
				infos = append(infos, g.Info())
			}
			return o.print(c, infos, func(w io.Writer) {
				for _, i := range infos {
					fmt.Fprintf(w, "%-12s %s: %s\n", i.Name, i.Title, i.About)
				}
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
			type player struct {
				Name  string `json:"name"`
				About string `json:"about"`
			}
			players := []player{}
			if r, ok := g.(engine.Roster); ok {
				for _, e := range r.Players() {
					players = append(players, player{e.Name, e.About})
				}
			}
			return o.print(c, players, func(w io.Writer) {
				for _, p := range players {
					fmt.Fprintf(w, "%-24s %s\n", p.Name, p.About)
				}
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
