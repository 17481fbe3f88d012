package casefour_test

import (
	"fmt"

	"clade/results/amoeboid/internal/casefour"
)

// A claim of the document is proved or refuted with its evidence.
func Example() {
	c := casefour.Misprints()
	fmt.Println(c.Name, len(c.Evidence) > 0)
	// Output: Case IV: the printed boards true
}
