package rundir

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
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
	body := Checksums{"lines": {1}, "champions/0000001.species": {2}}.body()
	f.Add(string(body) + trailer(body))
	f.Add(string(body))
	f.Add(trailer(nil))
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
		proof.OK(t, sums.write(dir))
		again, err := os.ReadFile(path)
		if err != nil || string(again) != content {
			t.Fatalf("%q was read and written as %q, %v", content, again, err)
		}
		if back, err := ReadChecksums(dir); err != nil || !maps.Equal(back, sums) {
			t.Fatal(back, err)
		}
	})
}
