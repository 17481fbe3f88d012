// Package proof holds what the tests of all packages share: how much of a proof is carried out, and
// how a test ends at an error.
package proof

import (
	"os"
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

// OK ends a test at once where there is an error.
func OK(t interface {
	Helper()
	Fatal(args ...any)
}, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
