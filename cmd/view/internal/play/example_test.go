package play_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing/fstest"

	"clade/cmd/view/internal/play"
	"clade/cmd/view/site"
	"clade/engine"
	"clade/engine/games/antwars"
	"clade/experiments/player"
)

// A person sits down at a game, and is asked for the first move.
func Example() {
	web := fstest.MapFS{"index.html": {Data: []byte(`<script type="importmap">{}</script>`)}}
	s, err := site.New(site.Options{
		Scope: player.Scope{Games: []engine.Game{antwars.New()}}}, web)
	if err != nil {
		panic(err)
	}
	play.Add(s)
	server := httptest.NewServer(s)
	defer server.Close()
	answer, err := http.Get(server.URL + "/api/play?game=antwars&players=greedy")
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		event, ok := strings.CutPrefix(lines.Text(), "event: ")
		if ok {
			fmt.Println(event)
		}
		if event == "turn" {
			break
		}
	}
	// Output:
	// begin
	// turn
}
