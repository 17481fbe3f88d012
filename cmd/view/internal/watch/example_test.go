package watch_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing/fstest"

	"clade/cmd/view/internal/watch"
	"clade/cmd/view/site"
	"clade/engine"
	"clade/engine/games/antwars"
	"clade/experiments/player"
)

// A game is looked at: who won it, and how many scenes its film has.
func Example() {
	web := fstest.MapFS{"index.html": {Data: []byte(`<script type="importmap">{}</script>`)}}
	s, err := site.New(site.Options{
		Scope: player.Scope{Games: []engine.Game{antwars.New()}}}, web)
	if err != nil {
		panic(err)
	}
	watch.Add(s)
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, httptest.NewRequest("GET",
		"http://localhost/api/game?game=antwars&players=hyper&players=random&seed=1", nil))
	var game struct {
		Players []string `json:"players"`
		Winner  int      `json:"winner"`
		Scenes  int      `json:"scenes"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &game); err != nil {
		panic(err)
	}
	fmt.Println(game.Players[game.Winner], "wins in", game.Scenes, "scenes")
	// Output: hyper wins in 49 scenes
}
