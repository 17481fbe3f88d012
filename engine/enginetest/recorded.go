package enginetest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// Recorded returns the recordings of an original program, sorted: all files in the folder of a game
// that match a pattern of filepath.Match. The data are not part of the project: they are in the
// folder that CLADE_CONFORMANCE names, by default in shared/conformance beside the repository. If
// nothing matches, the test is skipped.
func Recorded(t testing.TB, game, pattern string) []string {
	t.Helper()
	root := os.Getenv("CLADE_CONFORMANCE")
	if root == "" {
		root = proof.Must(exporttest.Above("../shared/conformance"))(t)
	}
	files := proof.Must(filepath.Glob(filepath.Join(root, game, pattern)))(t)
	if len(files) == 0 {
		t.Skipf("no recorded data: nothing matches %s in %s; set CLADE_CONFORMANCE to the folder "+
			"that holds %s", pattern, filepath.Join(root, game), game)
	}
	return files
}

// EachRecord decodes every line of a file of JSON lines, compressed where its name ends in .gz, and
// calls check with it and its place, file:line. It ends the test at the first line that fails, and
// if the file has none.
func EachRecord[T any](t *testing.T, path string, check func(where string, record *T)) {
	t.Helper()
	file := proof.Must(os.Open(path))(t)
	defer file.Close()
	var text io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		text = proof.Must(gzip.NewReader(file))(t)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<26)
	records := 0
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		where := fmt.Sprintf("%s:%d", filepath.Base(path), n)
		record := new(T)
		if err := json.Unmarshal(lines.Bytes(), record); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		if check(where, record); t.Failed() {
			t.Fatalf("stopped at %s", where)
		}
		records++
	}
	if lines.Err() != nil || records == 0 {
		t.Fatalf("%s: %d records, %v", path, records, lines.Err())
	}
}
