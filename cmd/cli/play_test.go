package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine/games/all"
	"clade/gp/proof"
)

// sit plays with a person who says what is given.
func sit(says string, args ...string) (out, screen string, err error) {
	root := newRoot(all.Games())
	var stdout, stderr bytes.Buffer
	root.SetIn(strings.NewReader(says))
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	root.SetArgs(append([]string{"play"}, args...))
	err = root.ExecuteContext(context.Background())
	return stdout.String(), stderr.String(), err
}

func TestPlay(t *testing.T) {
	dir := t.TempDir()
	history, record := filepath.Join(dir, "games.jsonl"), filepath.Join(dir, "game.record")
	for _, c := range []struct {
		says string
		args []string
		want []string
	}{
		{strings.Repeat("6\n", 35), []string{"antwars"},
			[]string{"player 1 of 2, against hyper, seed 1", "move 1 of 35", "hyper 1", "1 game,"}},
		{"9\nresign\n", []string{"antwars", "random", "--record", record},
			[]string{"player 2 of 2, against random, seed 2", "this game: loss", "0 won, 1 lost"}},
		{"9\nresign", []string{"antwars", "random", "--seed", "9", "--seat", "2"},
			[]string{"player 2 of 2, against random, seed 9", "2 games, 0 won, 2 lost"}},
		{"resign\n", []string{"amoeboid", "--set", "die=2"},
			[]string{"against expectimax, seed 4", "rolls a", "this game: loss"}},
		{"undo\na9 b1\na1 b1\nundo\na1 b1\nresign\n",
			[]string{"amoeboid", "greedy", "--seat", "1"},
			[]string{"legal moves", "nothing to take back", "there is no cell a9", "ply 2,",
				"1 game, 0 won", "1 with moves taken back"}},
	} {
		out, _, err := sit(c.says, append(c.args, "--history", history)...)
		proof.OK(t, err)
		proof.Holds(t, out, c.want...)
	}
	proof.Holds(t, proof.Must(clade("replay", record))(t), "ended as recorded")
	out, screen, err := sit("resign\n", "antwars", "random", "--history", history, "--json")
	var said struct {
		Result string
		Tally  struct{ Games int }
	}
	if err != nil || json.Unmarshal([]byte(out), &said) != nil || said.Result != "loss" ||
		said.Tally.Games != 3 || !strings.Contains(screen, "move 1 of 35") {
		t.Errorf("%v: %s\n%s", err, out, screen)
	}
}

func TestPlayRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"antwors"}, "antwars"},
		{[]string{"santafe"}, "cannot be played by a person; games that can: "},
		{[]string{"antwars", "hipper"}, "hyper"},
		{[]string{"antwars", "--seat", "3"}, "--seat must be 1 to 2"},
		{[]string{"antwars", "hyper", "smart"}, "antwars has 2 seats"},
	} {
		_, _, err := sit("", append(c.args, "--history", filepath.Join(t.TempDir(), "h"))...)
		refused(t, err, 2, c.want, strings.Join(c.args, " "))
	}
}

func TestSolve(t *testing.T) {
	proof.Slow(t)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--set", "size=2"},
			[]string{"value for A: 1.0000", "proved best: [a1 b2 1,0] 1.0000",
				"line: 1:[a1 b2 1,0]"}},
		{[]string{"A5", ".", ".", ".", "/", "0,4", "9,0", ".", "/", "0,4", ".", ".", "--budget",
			"300000"}, []string{"roll 5:", "106 moves"}},
		{[]string{"--set", "size=2", "--json"}, []string{`"low":1,"high":1`, `"proved":true`,
			`"line":[{"roll":1,"move":"a1 b2 1,0"}]`}},
	} {
		out := proof.Must(clade(append([]string{"solve", "amoeboid"}, c.args...)...))(t)
		proof.Holds(t, out, c.want...)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"antwars"}, "games that can: amoeboid"},
		{[]string{"amoeboid", "A x"}, `cell "x"`},
		{[]string{"amoeboid", "--budget", "0"}, "--budget must be"},
	} {
		_, err := clade(append([]string{"solve"}, c.args...)...)
		refused(t, err, 2, c.want, strings.Join(c.args, " "))
	}
}

// The other worlds have a person, too, who sees what a program would and may answer as it does.
func TestPlayWorlds(t *testing.T) {
	proof.Slow(t)
	for _, c := range []struct {
		says string
		args []string
		want []string
	}{
		{"glider 5 9 2\nglidr 5 9\n{\"action\":\"pass\"}\n40 pass\n",
			[]string{"life", "grower", "--set", "height=32", "--set", "width=48", "--set",
				"generations=40"}, []string{"5 cells are yours", `unknown action "glidr"`,
				"1 game,"}},
		{"observe\n2\n9999 delay\n9999 delay\n9999 delay\nresign\n", []string{"darwin", "rover"},
			[]string{"facing", "X another species", "last delay: done", "1 game,"}},
		{"move s\nas nobody\nas slightlybrainy(10,70,most-energy)\n",
			[]string{"amoebas", "mindless", "--set", "rounds=30"},
			[]string{"an amoeba of yours", "there is no species", "this game: win"}},
	} {
		out, _, err := sit(c.says, append(c.args, "--seat", "1", "--history",
			filepath.Join(t.TempDir(), "games.jsonl"))...)
		proof.OK(t, err)
		proof.Holds(t, out, c.want...)
	}
}

// A game whose input ends is stopped: it is not a loss, and nothing is kept of it.
// A line without an end is no answer, either. By hand.
func TestPlayInputEnds(t *testing.T) {
	for game, says := range map[string]string{"antwars": "", "amoeboid": "",
		"life": strings.Repeat("a", 1<<17)} {
		history := filepath.Join(t.TempDir(), "games.jsonl")
		out, _, err := sit(says, game, "--history", history)
		if !errors.Is(err, errInputEnded) || status(t.Context(), err) != 130 ||
			strings.Contains(out, "loss") {
			t.Errorf("%s: %v, status %d\n%s", game, err, status(t.Context(), err), out)
		}
		if _, err := os.Stat(history); !os.IsNotExist(err) {
			t.Errorf("%s: something is kept: %v", game, err)
		}
	}
}
