package claim_test

import (
	"fmt"

	"clade/results/amoeboid/internal/claim"
)

// The numbers behind a claim are a table, a row an observation.
func Example() {
	t := claim.Table{Name: "corners", Columns: []string{"seat", "wins"}}
	t.Add("A", 0.75)
	t.Add("B", 0.25)
	fmt.Print(t.CSV())
	// Output:
	// seat,wins
	// A,0.750000
	// B,0.250000
}
