package rundir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/gp/proof"
)

func TestReadLines(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		proof.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
	}
	read := func(what, want string) {
		t.Helper()
		proof.Is(t, string(proof.Must(ReadLines(dir, "lines"))(t)), want, "%s", what)
	}
	write(ManifestFile, "{}")
	read("no file", "")
	write("lines", "1\n2\nto")
	read("no checksums", "1\n2\n")
	proof.OK(t, Record(dir))
	read("nothing recorded", "")
	write("lines", "1\n2\n")
	proof.OK(t, Record(dir, "lines"))
	write("lines", "1\n2\n3\nto")
	read("more than recorded", "1\n2\n")
	write("lines", "1\n3\n")
	if _, err := ReadLines(dir, "lines"); !errors.Is(err, ErrChanged) {
		t.Errorf("a changed line: %v", err)
	}
	proof.OK(t, os.Remove(filepath.Join(dir, "lines")))
	if _, err := ReadLines(dir, "lines"); !errors.Is(err, ErrChanged) {
		t.Errorf("a missing file: %v", err)
	}
	proof.OK(t, Record(dir, "lines"))
	read("forgotten", "")
}

// FuzzReadChecksums holds that nothing is read as checksums but what is written for them.
func FuzzReadChecksums(f *testing.F) {
	whole := string(Checksums{"lines": {1}, "champions/0000001.species": {2}}.encode())
	f.Add(whole)
	f.Add(whole[:strings.Index(whole, "# ")])
	f.Add(trailer(nil))
	out := strings.Repeat("00", 32) + "  ../out\n"
	f.Add(out + trailer([]byte(out)))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content string) {
		path := filepath.Join(dir, ChecksumFile)
		proof.OK(t, os.WriteFile(path, []byte(content), 0o666))
		sums, err := ReadChecksums(dir)
		if err != nil {
			if !errors.Is(err, ErrChanged) || sums != nil {
				t.Fatal(sums, err)
			}
			return
		}
		if again := string(sums.encode()); again != content {
			t.Fatalf("%q was read and written as %q", content, again)
		}
	})
}
