package claims

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"clade/gp/proof"
)

var (
	update = flag.Bool("update", false, "run every study and write the results anew")
	every  = flag.Bool("every", false, "run every study, not only the quick ones")
)

const command = "go test ./results/amoeboid/claims -run 'TestResults|TestFigures' -update"

// TestResults makes the published results again and compares them byte by byte: the data of the
// quick studies, or, with -every, all and the page.
func TestResults(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "results", "amoeboid")
	files := map[string]string{}
	claims := quick()
	if *update || *every {
		claims = all()
		files["claims.md"] = report(claims, command)
	}
	for _, c := range claims {
		if len(c.Table.Rows) > 0 {
			files[c.Table.Name+".csv"] = c.Table.CSV()
		}
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if *update {
			proof.OK(t, os.WriteFile(path, []byte(text), 0o666))
			continue
		}
		if old, err := os.ReadFile(path); err != nil || string(old) != text {
			t.Errorf("%s is not what the studies give (%v); run %s", path, err, command)
		}
	}
}

func Example() {
	c := symmetry()
	fmt.Println(c.Verdict)
	// Output: true after equal numbers of rolls only
}
