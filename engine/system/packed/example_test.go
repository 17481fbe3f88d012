package packed_test

import (
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/system/packed"
)

// Two folders of a directory are packed and removed; their files are read as before.
func Example() {
	dir, err := os.MkdirTemp("", "packed")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	folders := []string{"00000000000000ab", "00000000000000cd"}
	for _, name := range folders {
		_ = os.MkdirAll(filepath.Join(dir, name, "champions"), 0o777)
		_ = os.WriteFile(filepath.Join(dir, name, "champions", "1"), []byte("of "+name), 0o666)
	}
	if err := packed.Write(dir, folders, func(string) bool { return false }); err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range folders {
		_ = os.RemoveAll(filepath.Join(dir, name))
	}
	entries, err := packed.ReadDir(dir)
	for _, e := range entries {
		fmt.Println(e.Name(), e.IsDir())
	}
	content, err2 := packed.ReadFile(filepath.Join(dir, folders[1], "champions", "1"))
	names, err3 := packed.Glob(filepath.Join(dir, folders[0]), "champions", "*")
	_, err4 := packed.Stat(filepath.Join(dir, folders[0], "figures"))
	fmt.Println(string(content), names, err, err2, err3, os.IsNotExist(err4))
	// Output:
	// 00000000000000ab true
	// 00000000000000cd true
	// runs.zip false
	// of 00000000000000cd [champions/1] <nil> <nil> <nil> true
}
