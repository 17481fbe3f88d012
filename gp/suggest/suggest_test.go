package suggest_test

import (
	"fmt"
	"testing"

	"clade/gp/suggest"
)

func TestNearest(t *testing.T) {
	known := []string{"population", "generations", "tournament", "isFood"}
	for word, want := range map[string]string{
		"populaton": "population", "isfood": "isFood", "tournamnet": "tournament", "zzz": "",
		"": "", "generation": "generations",
	} {
		if got := suggest.Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func ExampleUnknown() {
	fmt.Println(suggest.Unknown("player", "hypr", []string{"hyper", "super"}))
	// Output: unknown player "hypr", did you mean "hyper"?
}
