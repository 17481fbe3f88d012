package packed

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The input is 65,600 files, more than a zip's short directory may list, and what damage makes of
// their archive; the standard library counts them.
func TestLongDirectory(t *testing.T) {
	dir, key := t.TempDir(), "0123456789abcdef"
	if err := os.Mkdir(filepath.Join(dir, key), 0o777); err != nil {
		t.Fatal(err)
	}
	const files = 65_600
	name := func(i int) string { return filepath.Join(dir, key, fmt.Sprintf("%06d", i)) }
	for i := range files {
		if err := os.WriteFile(name(i), fmt.Append(nil, i), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(dir, []string{key}, func(string) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, key)); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(dir, File))
	if err != nil || len(z.File) != files {
		t.Fatal(err)
	}
	_ = z.Close()
	for _, i := range []int{0, 1, 32_767, 65_535, 65_536, files - 1} {
		if content, err := ReadFile(name(i)); err != nil || string(content) != fmt.Sprint(i) {
			t.Errorf("%d: %q, %v", i, content, err)
		}
	}
	for _, none := range []string{name(files), name(0) + "0", filepath.Join(dir, key, "-")} {
		if _, err := ReadFile(none); !os.IsNotExist(err) {
			t.Errorf("%s: %v", none, err)
		}
	}
	if all, err := ReadDir(filepath.Join(dir, key)); err != nil || len(all) != files {
		t.Errorf("%d, %v", len(all), err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	at := localLength + slot - entryLength + 1 // name and extra field are as long in both places
	for what, damaged := range map[string][]byte{"torn": whole[:len(whole)-1], "empty": nil,
		"a file": append(append(whole[:at:at], whole[at]^8), whole[at+1:]...)} {
		if err := os.WriteFile(filepath.Join(dir, File), damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if content, err := ReadFile(name(0)); err == nil || os.IsNotExist(err) {
			t.Errorf("%s: %q, %v", what, content, err)
		}
	}
}
