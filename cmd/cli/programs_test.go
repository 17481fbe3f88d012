package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"clade/engine/all"
	"clade/engine/external"
)

// nonsense is a player that answers every line with what is not an answer.
const nonsense = `persist:sh -c 'while read -r l; do echo hello; done'`

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
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		var forfeit *external.Forfeit
		if errors.As(cause, &forfeit) != strict {
			t.Errorf("strict %v: stopped because %v", strict, cause)
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
	err := new(flags).print(c, nil, func(w io.Writer) { fmt.Fprint(w, "failed: \x1b]0;owned\a\n") })
	if want := `failed: \u001b]0;owned\u0007` + "\n"; err != nil || out.String() != want {
		t.Errorf("printed %q, %v; want %q", out.String(), err, want)
	}
}
