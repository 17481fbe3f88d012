package cli

import (
	"io"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/match"
	"clade/experiments/player"
	"clade/experiments/study"
)

func newPlayers(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use: "players GAME", Short: "List the players that a game comes with", Args: cobra.ExactArgs(1),
		Example: "  clade players antwars",
		Long: `Lists the built-in players of a game, weakest first where an order is known, and
the bred species that are kept with this program, with the settings that their
file names. Species files, champions of runs and programs can play, too.`,
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
			for _, name := range player.Kept(args[0]) {
				claim, err := match.ReadClaim(*scope, name, name)
				if err != nil {
					return err
				}
				about := "a kept species"
				if len(claim.Settings) > 0 {
					about += ", of a game with " + match.ListSettings(claim.Settings)
				}
				players = append(players, entry{name, about})
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
	o.add(c, help{"form": "", "json": ""})
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
