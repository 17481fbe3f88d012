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

// Lists with a right seal that no run has written, by hand: each is one step from the first, which
// one has.
func TestReadChecksums(t *testing.T) {
	a, b := strings.Repeat("0a", 32)+"  a\n", strings.Repeat("0b", 32)+"  b\n"
	for body, whole := range map[string]bool{a + b: true, b + a: false, a + a: false,
		strings.ToUpper(a): false, a + strings.TrimSuffix(b, "\n"): false, "0a  a\n": false,
		strings.Repeat("0a", 32) + "  ../a\n": false, strings.Repeat("0a", 32) + " a\n": false} {
		dir := t.TempDir()
		proof.OK(t, os.WriteFile(filepath.Join(dir, ChecksumFile), []byte(body+trailer([]byte(body))),
			0o666))
		if sums, err := ReadChecksums(dir); whole != (err == nil) || !whole && sums != nil {
			t.Errorf("%q is read as %v, %v", body, sums, err)
		}
	}
}

// FuzzReadChecksums holds that of lines with a right seal only those are read that are written so.
func FuzzReadChecksums(f *testing.F) {
	whole := string(Checksums{"lines": {1}, "champions/0000001.species": {2}}.encode())
	f.Add(whole[:strings.Index(whole, "# ")])
	f.Add("")
	f.Add(strings.Repeat("00", 32) + "  ../out\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, body string) {
		path, content := filepath.Join(dir, ChecksumFile), body+trailer([]byte(body))
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
