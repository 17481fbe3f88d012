package rundir

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestReadLines(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := func(what, want string) {
		t.Helper()
		if have, err := ReadLines(dir, "lines"); err != nil || string(have) != want {
			t.Errorf("%s: %q, %v; want %q", what, have, err, want)
		}
	}
	write(ManifestFile, "{}")
	read("no file", "")
	write("lines", "1\n2\nto")
	read("no checksums", "1\n2\n")
	if err := Record(dir); err != nil {
		t.Fatal(err)
	}
	read("nothing recorded", "")
	write("lines", "1\n2\n")
	if err := Record(dir, "lines"); err != nil {
		t.Fatal(err)
	}
	write("lines", "1\n2\n3\nto")
	read("more than recorded", "1\n2\n")
	write("lines", "1\n3\n")
	if _, err := ReadLines(dir, "lines"); !errors.Is(err, ErrChanged) {
		t.Errorf("a changed line: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "lines")); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLines(dir, "lines"); !errors.Is(err, ErrChanged) {
		t.Errorf("a missing file: %v", err)
	}
	if err := Record(dir, "lines"); err != nil {
		t.Fatal(err)
	}
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
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		sums, err := ReadChecksums(dir)
		if err != nil {
			if !errors.Is(err, ErrChanged) || sums != nil {
				t.Fatal(sums, err)
			}
			return
		}
		if err := sums.write(dir); err != nil {
			t.Fatal(err)
		}
		again, err := os.ReadFile(path)
		if err != nil || string(again) != content {
			t.Fatalf("%q was read and written as %q, %v", content, again, err)
		}
		if back, err := ReadChecksums(dir); err != nil || !maps.Equal(back, sums) {
			t.Fatal(back, err)
		}
	})
}
