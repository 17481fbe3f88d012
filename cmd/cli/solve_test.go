package cli

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"clade/gp/proof"
)

// TestSolveFindsOut carries out the workbench page's example: it must bound the value to a few
// hundredths, and leave one move of several.
func TestSolveFindsOut(t *testing.T) {
	proof.Long(t)
	page := proof.Must(os.ReadFile("../docs/workbench.md"))(t)
	found := regexp.MustCompile(`(?m)^clade (solve .*) "(.*)"`).FindSubmatch(page)
	if found == nil {
		t.Fatal("workbench.md shows no position")
	}
	out, err := clade(append(strings.Fields(string(found[1])), string(found[2]), "--json")...)
	var answer struct {
		Low, High float64
		Rolls     []struct {
			Legal int
			Best  []any
		}
	}
	if err == nil {
		err = json.Unmarshal([]byte(out), &answer)
	}
	if err != nil || answer.High-answer.Low > 0.05 || len(answer.Rolls) != 1 ||
		len(answer.Rolls[0].Best) != 1 || answer.Rolls[0].Legal < 3 {
		t.Errorf("%v, %+v\n%s", err, answer, out)
	}
}
