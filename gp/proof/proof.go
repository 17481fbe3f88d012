// Package proof holds what the tests of all packages share: how much of a proof is carried out, and
// how a test ends at an error.
package proof

import (
	"math"
	"os"
	"strings"
	"testing"
)

// Full tells whether everything is proved, which takes minutes: CLADE_FULL=1 is in the environment,
// as in .ci/run. Else some proofs are carried out in part.
func Full() bool { return os.Getenv("CLADE_FULL") != "" }

// Long skips a test that takes a second or more of a processor where go test -short has a quick
// look, unless everything is proved.
func Long(tb testing.TB) {
	tb.Helper()
	if testing.Short() && !Full() {
		tb.Skip("takes a second or more")
	}
}

// ending is the part of a testing.TB, or of a test of rapid, that ends a test.
type ending interface {
	Helper()
	Fatal(args ...any)
}

// OK ends a test at once where there is an error.
func OK(t ending, err error) {
	if err != nil {
		t.Helper() // only here, since it takes a microsecond
		t.Fatal(err)
	}
}

// Must returns the value of a call, or ends a test at once where it came with an error:
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

// Says reports an error that is missing, or that does not hold all of some texts.
func Says(tb testing.TB, err error, texts ...string) {
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			tb.Helper()
			tb.Errorf("error %v, want %q in it", err, text)
		}
	}
}

// Fails is Says for the error of a call that also has a value:
//
//	proof.Fails(os.ReadFile(path))(t, "no such file")
func Fails[T any](_ T, err error) func(tb testing.TB, texts ...string) {
	return func(tb testing.TB, texts ...string) {
		tb.Helper()
		Says(tb, err, texts...)
	}
}

// Holds reports texts that are missing in one.
func Holds(tb testing.TB, text string, parts ...string) {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			tb.Helper()
			tb.Errorf("no %q in\n%.4000s", part, text)
		}
	}
}

// Near reports a number that is farther than a tolerance from what it should be, or none.
func Near(tb testing.TB, what string, got, want, tolerance float64) {
	if !(math.Abs(got-want) <= tolerance) {
		tb.Helper()
		tb.Errorf("%s is %.8g, want %.8g", what, got, want)
	}
}
