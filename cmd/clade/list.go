package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/all"
	"clade/experiments/study"
)

func newGames() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "games", Short: "List the games", Args: cobra.NoArgs, Example: "  clade games",
		RunE: func(c *cobra.Command, _ []string) error {
			var infos []engine.Info
			for _, g := range all.Games() {
				infos = append(infos, g.Info())
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(infos)
			}
			for _, i := range infos {
				fmt.Fprintf(c.OutOrStdout(), "%-12s %s: %s\n", i.Name, i.Title, i.About)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func newPlayers() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "players GAME", Short: "List the players of a game", Args: cobra.ExactArgs(1),
		Example: "  clade players antwars",
		Long: "Lists the players of the house, weakest first where an order is known. Besides " +
			"them, every species file, champion of a run and, in games with a protocol for it, " +
			"program can play.",
		RunE: func(c *cobra.Command, args []string) error {
			g, err := study.NewGame(args[0])
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
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(players)
			}
			for _, p := range players {
				fmt.Fprintf(c.OutOrStdout(), "%-24s %s\n", p.Name, p.About)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
