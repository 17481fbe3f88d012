package view_test

import (
	"fmt"
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
	answer := httptest.NewRecorder()
	pages.ServeHTTP(answer, httptest.NewRequest("GET",
		"http://localhost/api/game?game=antwars&players=hyper&players=greedy&seed=1", nil))
	fmt.Println(answer.Code, strings.Contains(answer.Body.String(), `"players":["hyper","greedy"]`))
	// Output: 200 true
}
