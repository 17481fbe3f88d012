package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"clade/engine/enginetest"
	"clade/gp/proof"
)

// refusals are what an error says for each reason that the name of an invalid file gives.
var refusals = map[string]string{
	"ancestor_list-syntax":                         "is not a list",
	"duplicate-id":                                 "stands twice",
	"negative-id":                                  "is not a whole number from 0",
	"missing-ancestor_list-column":                 "the columns id and ancestor_list are needed",
	"nonexistant-ancestor_list-id":                 "is not in the file",
	"nonexistant-ancestor_id-id":                   "is not in the file",
	"mismatched-ancestor_id-ancestor_list-columns": "it is not what ancestor_list tells",
}

// The files are the tests of phyloframe, alife-std-dev-python, phylotrackpy and Empirical for their
// own readers of the ALife data standard; a name that says invalid gives the reason.
func TestConformancePhylogenies(t *testing.T) {
	proof.Long(t)
	invalid := regexp.MustCompile(`--invalid-(.*?)[0-9]*\.`)
	for _, path := range enginetest.Recorded(t, "phylogeny", "*.[cj]s*") {
		name := filepath.Base(path)
		out, err := clade("phylogeny", path, "--as", "svg,newick", "--json", "--out", t.TempDir())
		if reason := invalid.FindStringSubmatch(name); reason != nil {
			want, known := refusals[reason[1]]
			proof.Says(t, err, want, name+":")
			if !known {
				t.Errorf("%s: no test says how %s is told", name, reason[1])
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var said struct {
			Taxa    int
			By      string
			Figures []string
		}
		proof.OK(t, json.Unmarshal([]byte(out), &said))
		text := proof.Must(os.ReadFile(path))(t)
		by := "depth"
		if bytes.Contains(text, []byte("origin_time")) {
			by = "time"
		}
		rows := bytes.Count(bytes.TrimSpace(text), []byte("\n"))
		if strings.HasSuffix(name, ".csv") && said.Taxa != rows || said.By != by {
			t.Errorf("%s: %+v, want %d taxa by %s", name, said, rows, by)
		}
		readByDendropy(t, said.Figures[len(said.Figures)-1], said.Taxa)
	}
}

// dendropy reads Newick trees and writes how many nodes they have.
const dendropy = `
import sys, dendropy
trees = dendropy.TreeList.get(path=sys.argv[1], schema="newick")
print(sum(len(t.nodes()) for t in trees))`

// readByDendropy holds that DendroPy, where it is installed, finds every taxon in a Newick file.
func readByDendropy(t *testing.T, path string, taxa int) {
	t.Helper()
	if exec.Command("python3", "-c", "import dendropy").Run() != nil {
		return
	}
	out, err := exec.Command("python3", "-c", dendropy, path).CombinedOutput()
	var nodes int
	if err != nil || json.Unmarshal(out, &nodes) != nil || nodes != taxa {
		t.Errorf("%s: DendroPy finds %s, want %d taxa (%v)", path, out, taxa, err)
	}
}
