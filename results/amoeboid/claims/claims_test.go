package claims

import (
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"clade/gp/proof"
)

var every = flag.Bool("every", false, "run every study, not only the quick ones")

const command = "CLADE_UPDATE=1 go test ./results/amoeboid/claims -run 'TestResults|TestFigures'"

// TestResults makes the published results again and compares them byte by byte: the data of the
// quick studies, or, with -every, all and the page.
func TestResults(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "results", "amoeboid")
	files := map[string]string{}
	claims := quick()
	if proof.Update() || *every {
		claims = all()
		files["claims.md"] = report(claims, command)
	}
	for _, c := range claims {
		if len(c.Table.Rows) > 0 {
			files[c.Table.Name+".csv"] = c.Table.CSV()
		}
	}
	for name, text := range files {
		proof.Golden(t, filepath.Join(folder, name), text)
	}
}

func Example() {
	c := symmetry()
	fmt.Println(c.Verdict)
	// Output: true after equal numbers of rolls only
}
