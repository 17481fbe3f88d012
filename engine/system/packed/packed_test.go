package packed

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"clade/gp/proof"
)

// The input is a pack of one file and what damage makes of it; the standard library says where its
// content lies.
func TestDamage(t *testing.T) {
	dir, key := t.TempDir(), "0123456789abcdef"
	name := filepath.Join(dir, key, "file")
	proof.OK(t, os.Mkdir(filepath.Dir(name), 0o777))
	proof.OK(t, os.WriteFile(name, []byte("its content"), 0o666))
	proof.OK(t, Write(dir, []string{key}, func(string) bool { return false }))
	proof.OK(t, os.RemoveAll(filepath.Dir(name)))
	proof.Is(t, string(proof.Must(ReadFile(name))(t)), "its content", "the file")
	for _, none := range []string{name + "0", filepath.Join(dir, "0123456789abcdee", "file")} {
		if _, err := ReadFile(none); !os.IsNotExist(err) {
			t.Errorf("%s: %v", none, err)
		}
	}
	path := filepath.Join(dir, File)
	z := proof.Must(zip.OpenReader(path))(t)
	at := proof.Must(z.File[0].DataOffset())(t)
	// without one, unzip and Python's zipfile read "1980-00-00"
	proof.Is(t, z.File[0].Modified.UTC().Format(time.DateTime), "1980-01-01 00:00:00", "its date")
	_ = z.Close()
	whole := proof.Must(os.ReadFile(path))(t)
	for what, damaged := range map[string][]byte{"torn": whole[:len(whole)-1], "empty": nil,
		"a file": append(append(whole[:at:at], whole[at]^8), whole[at+1:]...)} {
		proof.OK(t, os.Remove(path))
		proof.OK(t, os.WriteFile(path, damaged, 0o666))
		if content, err := ReadFile(name); err == nil || os.IsNotExist(err) {
			t.Errorf("%s: %q, %v", what, content, err)
		}
	}
}
