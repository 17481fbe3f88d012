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

	"clade/gp/proof"
)

// Recorded returns the files of what an original program did, below the folder of a game, that
// match a pattern of filepath.Match; sorted, every one there is. The data are not part of the
// project: they stand under the folder that CLADE_CONFORMANCE names, or in shared/conformance
// beside the repository. Where nothing matches, the test is skipped.
//
// It must be called from the tests of a package two folders below the repository's root, as
// engine/<game> is.
func Recorded(t testing.TB, game, pattern string) []string {
	t.Helper()
	root := os.Getenv("CLADE_CONFORMANCE")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "conformance")
	}
	files := proof.Must(filepath.Glob(filepath.Join(root, game, pattern)))(t)
	if len(files) == 0 {
		t.Skipf("no recorded data: nothing matches %s in %s; set CLADE_CONFORMANCE to the folder "+
			"that holds %s", pattern, filepath.Join(root, game), game)
	}
	return files
}

// EachRecord decodes every line of a file of JSON lines, compressed where its name ends in .gz, and
// calls check with it and with where it stands, as file:line. It ends the test at the first line
// that fails, and where the file holds none.
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
