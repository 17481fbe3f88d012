package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
	var trees []string
	var taxa []int
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
		trees, taxa = append(trees, said.Figures[len(said.Figures)-1]), append(taxa, said.Taxa)
	}
	readByDendropy(t, trees, taxa)
}

// dendropy reads files of Newick trees and writes how many nodes each has.
const dendropy = `
import sys, dendropy
for path in sys.argv[1:]:
    trees = dendropy.TreeList.get(path=path, schema="newick")
    print(sum(len(t.nodes()) for t in trees))`

// readByDendropy holds that DendroPy, where it is installed, finds every taxon in Newick files.
func readByDendropy(t *testing.T, paths []string, taxa []int) {
	t.Helper()
	pythons := []string{proof.Python(), "/usr/bin/python3"} // Debian's, for which it is packaged
	i := slices.IndexFunc(pythons, func(python string) bool {
		return exec.Command(python, "-c", "import dendropy").Run() == nil
	})
	if i < 0 {
		t.Log("no DendroPy here: nobody else reads the Newick files")
		return
	}
	script := exec.Command(pythons[i], append([]string{"-c", dendropy}, paths...)...)
	nodes := strings.Fields(string(proof.Must(script.CombinedOutput())(t)))
	proof.Are(t, nodes, strings.Fields(strings.Trim(fmt.Sprint(taxa), "[]")),
		"DendroPy's taxa of %s", paths)
}
