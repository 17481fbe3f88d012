package durable_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clade/engine/system/durable"
	"clade/gp/proof"
)

// TestReadFile reads what a name may lead to, as the system makes it: files, folders, devices. None
// keeps the reader waiting.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	proof.OK(t, os.WriteFile(path, []byte("four"), 0o666))
	for _, c := range []struct {
		path string
		most int64
		want string // of the content, or of the error
	}{
		{path, 4, "four"}, {path, 3, "longer than the 3 bytes"},
		{dir, 9, "is a directory"},
		{filepath.Join(dir, "none"), 9, "no such file"}, {os.DevNull, 9, "no regular file"},
		{"/dev/zero", 9, "no regular file"}, {"/proc/self/mem", 9, ""},
		{"/proc/self/maps", 9, "longer than the 9 bytes"},
	} {
		if strings.HasPrefix(c.path, "/proc") || strings.HasPrefix(c.path, "/dev/") {
			if _, err := os.Stat(c.path); err != nil {
				continue
			}
		}
		began := time.Now()
		content, err := durable.ReadFile(c.path, c.most)
		said := string(content)
		if err != nil {
			said = err.Error()
		}
		if !strings.Contains(said, c.want) || time.Since(began) > 10*time.Second {
			t.Errorf("%s: %.99q", c.path, said)
		}
	}
}
