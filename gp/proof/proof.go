// Package proof holds helpers of all packages' tests: how thorough they are, and how they report
// errors.
package proof

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Full tells whether tests check everything, which takes minutes: whether CLADE_FULL is set in the
// environment, as in .ci/run. Else some tests check a part, and some are skipped.
func Full() bool { return os.Getenv("CLADE_FULL") != "" }

// Alone skips what starts no goroutine, or does no more with them than another test, where the race
// detector watches go test -short: there it takes ten times as long.
func Alone(tb testing.TB) {
	tb.Helper()
	if testing.Short() && !Full() && raced {
		tb.Skip("nothing that the race detector could find")
	}
}

// Long skips a test that takes a second or more of processor time under go test -short, unless
// Full.
func Long(tb testing.TB) {
	tb.Helper()
	if testing.Short() && !Full() {
		tb.Skip("takes a second or more")
	}
}

// Slow skips a test that takes a quarter of a second or more of processor time under go test -short,
// unless Full. The race detector, which .ci/run uses with -short, has it all the same.
func Slow(tb testing.TB) {
	tb.Helper()
	if testing.Short() && !Full() && !raced {
		tb.Skip("takes a quarter of a second or more")
	}
}

// Quick tells whether tests that take two seconds or more of processor time, or wait as long, are
// left out: unless Full, or unless go test -run chose tests by name.
func Quick() bool {
	return !Full() && (testing.Short() || flag.Lookup("test.run").Value.String() == "")
}

// Costly skips a test that takes two seconds or more, if Quick.
func Costly(tb testing.TB) {
	tb.Helper()
	if Quick() {
		tb.Skip("takes two seconds or more: set CLADE_FULL=1, or name it with -run")
	}
}

// Update tells whether tests write golden files, tables and pages anew in place of comparing them:
// whether CLADE_UPDATE is set in the environment.
func Update() bool { return os.Getenv("CLADE_UPDATE") != "" }

// Golden fails a test if a file holds another text. If Update, it writes the file.
func Golden(tb testing.TB, path, text string) {
	tb.Helper()
	if Update() {
		OK(tb, os.WriteFile(path, []byte(text), 0o666))
	} else if was, err := os.ReadFile(path); err != nil || string(was) != text {
		tb.Errorf("%s is not what is made today (%v); CLADE_UPDATE=1 writes it anew:\n%.4000s", path, err,
			text)
	}
}

// Python returns the interpreter that python3 starts, or that name where there is none. A script
// under it which chooses among versions, as pyenv's does, takes ten times as long to start.
var Python = sync.OnceValue(func() string {
	path, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return "python3"
	}
	return strings.TrimSpace(string(path))
})

// Chromium returns a Chromium that shows no window. One that can show some takes half as much again.
func Chromium() (path string, err error) {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser",
		"google-chrome"} {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	return path, err
}

// ending is the methods of a testing.TB, or of a test of rapid, that end a test.
type ending interface {
	Helper()
	Fatal(args ...any)
}

// OK ends a test at once if there is an error.
func OK(t ending, err error) {
	if err != nil {
		t.Helper() // only here, since it takes a microsecond
		t.Fatal(err)
	}
}

// Must returns the value of a call, or ends a test at once if it came with an error:
//
//	text := proof.Must(os.ReadFile(path))(t)
func Must[T any](value T, err error) func(ending) T {
	return func(t ending) T {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
		return value
	}
}

// Ran runs a command and returns what it says, or ends a test at once with that if it fails.
func Ran(tb testing.TB, c *exec.Cmd) string {
	said, err := c.CombinedOutput()
	if err != nil {
		tb.Helper()
		tb.Fatalf("%s: %v\n%s", c, err, said)
	}
	return string(said)
}

// Says fails a test if there is no error, or if its text lacks one of some texts.
func Says(tb testing.TB, err error, texts ...string) {
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			tb.Helper()
			tb.Errorf("error %v, want %q in it", err, text)
		}
	}
}

// Fails is Says for a call that also returns a value:
//
//	proof.Fails(os.ReadFile(path))(t, "no such file")
func Fails[T any](_ T, err error) func(tb testing.TB, texts ...string) {
	return func(tb testing.TB, texts ...string) {
		tb.Helper()
		Says(tb, err, texts...)
	}
}

// Holds fails a test if a text lacks one of some parts.
func Holds(tb testing.TB, text string, parts ...string) {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			tb.Helper()
			tb.Errorf("no %q in\n%.4000s", part, text)
		}
	}
}

// Is fails a test if a value is not another. What the value is comes with arguments for its verbs.
func Is[T comparable](tb testing.TB, got, want T, what string, args ...any) {
	if got != want {
		tb.Helper()
		tb.Errorf("%s: %+v, want %+v", fmt.Sprintf(what, args...), got, want)
	}
}

// Are is Is for lists.
func Are[T comparable](tb testing.TB, got, want []T, what string, args ...any) {
	if !slices.Equal(got, want) {
		tb.Helper()
		tb.Errorf("%s: %+v, want %+v", fmt.Sprintf(what, args...), got, want)
	}
}

// Panics fails a test if a call returns. What it does comes with arguments for its verbs.
func Panics(tb testing.TB, call func(), what string, args ...any) {
	tb.Helper()
	defer func() {
		tb.Helper()
		if recover() == nil {
			tb.Errorf("%s: no panic", fmt.Sprintf(what, args...))
		}
	}()
	call()
}

// Near fails a test if a number is NaN or differs from another by more than a tolerance.
func Near(tb testing.TB, what string, got, want, tolerance float64) {
	if !(math.Abs(got-want) <= tolerance) {
		tb.Helper()
		tb.Errorf("%s is %.8g, want %.8g", what, got, want)
	}
}
