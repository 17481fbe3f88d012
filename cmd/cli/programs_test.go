package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"clade/engine/external"
	"clade/engine/games/all"
	"clade/gp/proof"
)

// nonsense is a player that answers every turn with what is not an answer.
const nonsense = `persist:sh -c 'while read -r l; do case $l in *turn*) echo hello;; esac; done'`

func TestStrictEndsWithTheFirstForfeit(t *testing.T) {
	for _, strict := range []bool{false, true} {
		var cause error
		root := newCommand(all.Games(), func(err error) { cause = err })
		root.SetOut(io.Discard)
		args := []string{"match", "antwars", nonsense, "greedy", "--games", "2"}
		if strict {
			args = append(args, "--strict")
		}
		root.SetArgs(args)
		proof.OK(t, root.Execute())
		var forfeit *external.Forfeit
		if errors.As(cause, &forfeit) != strict {
			t.Fatalf("strict %v: stopped because %v", strict, cause)
		}
		if strict && (forfeit.Turn != 0 || !strings.Contains(cause.Error(), "no JSON object")) {
			t.Errorf("stopped because %v", cause)
		}
	}
}

// TestTextsControlNoTerminal holds the door through which every command prints its text: names,
// failures and records may come from elsewhere.
func TestTextsControlNoTerminal(t *testing.T) {
	var out strings.Builder
	c := &cobra.Command{}
	c.SetOut(&out)
	proof.OK(t, new(flags).print(c, nil,
		func(w io.Writer) { fmt.Fprint(w, "failed: \x1b]0;owned\a\n") }))
	proof.Is(t, out.String(), `failed: \u001b]0;owned\u0007`+"\n", "what is printed")
}

// TestFaultsOfTheMachineEndCommands gives commands a player whose script is not there, as users
// have: they fail, and print and keep no result of it.
func TestFaultsOfTheMachineEndCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	study := "game = \"antwars\"\n[measure]\nagainst = [\"exec:sh nope.sh\"]\ngames = 4\nevery = 1\n" +
		"[evolve]\npopulation = 8\ngenerations = 2\ntournament = 2\n[evolve.champion]\n" +
		"candidates = 2\ngames = 8\n"
	proof.OK(t, os.WriteFile("s.toml", []byte(study), 0o666))
	for _, args := range [][]string{
		{"match", "antwars", "persist:sh nope.sh", "greedy", "--games", "2", "--record", "kept"},
		{"league", "antwars", "exec:sh nope.sh", "greedy", "--games", "2", "--csv", "kept"},
		{"match", "antwars", "greedy", "persist:sh -u bots/nope.sh", "--games", "2", "--json"},
		{"run", "s.toml", "--out", "r", "--allow-programs"},
	} {
		if status := run(t.Context(), all.Games(), args); status == 0 {
			t.Errorf("%q ends well", args)
		}
		if _, err := os.Stat("kept"); err == nil {
			t.Errorf("%q leaves a result", args)
		}
	}
	if text, _ := os.ReadFile("r/measures.jsonl"); len(text) > 0 {
		t.Errorf("measured: %s", text)
	}
}
