package input_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"clade/gp/input"
	"clade/gp/proof"
)

func TestNearest(t *testing.T) {
	known := []string{"n", "population", "generations", "tournament", "isFood"} // by hand
	for word, want := range map[string]string{
		"populaton": "population", "isfood": "isFood", "tournamnet": "tournament", "zzz": "",
		"5": "", "N": "n", "nn": "n", "": "", "generation": "generations",
	} {
		proof.Is(t, input.Nearest(word, known), want, "Nearest(%q)", word)
	}
}

// Of very many names a message has a screen. By hand.
func TestUnknown(t *testing.T) {
	text := input.Unknown("step", "nonsense", slices.Repeat([]string{"a-1"}, 379))
	if !strings.HasSuffix(text, ", a-1 and 279 more") || len(text) > 600 {
		t.Error(text)
	}
}

func ExampleUnknown() {
	fmt.Println(input.Unknown("player", "hypr", []string{"hyper", "super"}))
	// Output: unknown player "hypr", did you mean "hyper"?
}
