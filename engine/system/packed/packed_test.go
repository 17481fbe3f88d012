package packed

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"
)

// The input is a pack of one file and what damage makes of it; the standard library says where its
// content lies.
func TestDamage(t *testing.T) {
	dir, key := t.TempDir(), "0123456789abcdef"
	name := filepath.Join(dir, key, "file")
	if err := os.Mkdir(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("its content"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, []string{key}, func(string) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(name)); err != nil {
		t.Fatal(err)
	}
	if content, err := ReadFile(name); err != nil || string(content) != "its content" {
		t.Errorf("%q, %v", content, err)
	}
	for _, none := range []string{name + "0", filepath.Join(dir, "0123456789abcdee", "file")} {
		if _, err := ReadFile(none); !os.IsNotExist(err) {
			t.Errorf("%s: %v", none, err)
		}
	}
	path := filepath.Join(dir, File)
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	at, err := z.File[0].DataOffset()
	if err != nil {
		t.Fatal(err)
	}
	_ = z.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, damaged := range map[string][]byte{"torn": whole[:len(whole)-1], "empty": nil,
		"a file": append(append(whole[:at:at], whole[at]^8), whole[at+1:]...)} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if content, err := ReadFile(name); err == nil || os.IsNotExist(err) {
			t.Errorf("%s: %q, %v", what, content, err)
		}
	}
}
