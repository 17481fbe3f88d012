package durable_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clade/engine/system/durable"
	"clade/gp/proof"
)

// A writer of lines died in the middle of one; the next one goes on behind the last whole line.
func Example() {
	dir, err := os.MkdirTemp("", "durable")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "scores.jsonl")
	if err := durable.WriteFile(path, []byte("1\n2\n3"), 0o666); err != nil {
		panic(err)
	}
	show := func(n *int) bool { fmt.Println(*n); return true }
	length, err := durable.EachLine(path, show)
	if err != nil {
		panic(err)
	}
	file, err := durable.Append(path, length)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(file, 4)
	file.Close()
	durable.EachLine(path, show)
	// Output:
	// 1
	// 2
	// 1
	// 2
	// 4
}

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, sync := range []bool{false, true} {
		proof.OK(t, durable.Replace(path, sync, func(w io.Writer) error {
			_, err := fmt.Fprint(w, sync)
			return err
		}))
		full := errors.New("full")
		if err := durable.Replace(path, sync, func(w io.Writer) error {
			fmt.Fprint(w, "half")
			return full
		}); !errors.Is(err, full) {
			t.Error(err)
		}
		proof.Is(t, string(proof.Must(os.ReadFile(path))(t)), fmt.Sprint(sync), "the file")
		if _, err := os.Stat(path + durable.Part); err == nil {
			t.Error("a half written file was left")
		}
	}
}

// TestSweep kills a writer, in effect, and looks at what is swept and what stays.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	long := time.Now().Add(-time.Hour)
	for name, at := range map[string]time.Time{".a.csv1234567890123456789": long,
		".b.csv1234567890123456789": time.Now(), ".lock": long, "a.csv": long, ".2024": long} {
		path := filepath.Join(dir, name)
		proof.OK(t, errors.Join(os.WriteFile(path, nil, 0o666), os.Chtimes(path, at, at)))
	}
	stay := func(age time.Duration, want string) {
		t.Helper()
		proof.OK(t, durable.Sweep(dir, age))
		var names []string
		for _, e := range proof.Must(os.ReadDir(dir))(t) {
			names = append(names, e.Name())
		}
		proof.Is(t, strings.Join(names, " "), want, "what is there")
	}
	stay(time.Minute, ".2024 .b.csv1234567890123456789 .lock a.csv")
	stay(0, ".2024 .lock a.csv")
	proof.OK(t, durable.Sweep(filepath.Join(dir, "none"), 0))
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	lock := proof.Must(durable.Lock(path))(t)
	if _, err := durable.Lock(path); !errors.Is(err, durable.ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	if !durable.Locked(path) {
		t.Error("the lock does not show")
	}
	proof.OK(t, lock.Close())
	proof.Is(t, durable.Locked(path), false, "the lock shows")
	lock = proof.Must(durable.Lock(path))(t)
	lock.Close()
}

func TestEachLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	for _, c := range []struct {
		content string
		values  string
		length  int64
		fault   int // line of the error, 0 for none
	}{
		{"", "", 0, 0},
		{"1", "", 0, 0},
		{"1\n2\n", "1 2 ", 4, 0},
		{"1\n2\n\x00\x00", "1 2 ", 4, 0},
		{"1\nx\n3\n", "1 ", 2, 2},
		{"1\n7\n3\n", "1 ", 2, 0}, // 7 stops
	} {
		proof.OK(t, os.WriteFile(path, []byte(c.content), 0o666))
		var values strings.Builder
		length, err := durable.EachLine(path, func(n *int) bool {
			if *n == 7 {
				return false
			}
			fmt.Fprint(&values, *n, " ")
			return true
		})
		var fault *durable.LineError
		if errors.As(err, &fault) != (c.fault > 0) || fault != nil && fault.Line != c.fault ||
			length != c.length || values.String() != c.values {
			t.Errorf("%q: %q, %d, %v", c.content, values.String(), length, err)
		}
	}
	proof.Is(t, proof.Must(durable.EachLine(path+"-", func(*int) bool { return true }))(t), 0,
		"lines of no file")
}

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
