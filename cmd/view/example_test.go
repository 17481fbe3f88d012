package view_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"clade/cmd/view"
	"clade/cmd/view/site"
	"clade/engine/games/all"
	"clade/experiments/player"
)

// The page of a folder is asked for a game between two built-in players.
func Example() {
	dir, err := os.MkdirTemp("", "view")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	pages, err := view.New(site.Options{Paths: []string{dir}, Scope: player.Scope{Games: all.Games()}})
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(pages)
	defer server.Close()
	const at = "/api/game?game=antwars&players=hyper&players=random&seed=1"
	answer, err := http.Get(server.URL + at)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	var game struct {
		Players        []string
		Winner, Scenes int
	}
	if err := json.NewDecoder(answer.Body).Decode(&game); err != nil {
		panic(err)
	}
	fmt.Println(game.Players[game.Winner], "wins in", game.Scenes, "scenes")
	stream, err := http.Get(server.URL + "/api/play?game=antwars&players=greedy")
	if err != nil {
		panic(err)
	}
	defer stream.Body.Close()
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		event, ok := strings.CutPrefix(lines.Text(), "event: ")
		if ok {
			fmt.Println(event)
		}
		if event == "turn" {
			break
		}
	}
	// Output:
	// hyper wins in 49 scenes
	// begin
	// turn
}
