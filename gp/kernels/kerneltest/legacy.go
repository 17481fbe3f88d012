// Package kerneltest holds what every package with assembly kernels tests of them. It is for tests
// only.
package kerneltest

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"clade/gp/proof"
)

// NoLegacySSE reports every legacy SSE instruction of a file in the directory of the package under
// test, since one among AVX code costs a change of state of the whole register file, every register
// that only AVX-512 has in a function with AVX2 in its name, and whether there are fewer
// instructions on vector registers than expected.
func NoLegacySSE(t *testing.T, file string, least int) {
	t.Helper()
	legacy, n := legacySSE(string(proof.Must(os.ReadFile(file))(t)))
	for _, line := range legacy {
		t.Errorf("%s: legacy SSE or a register of AVX-512: %s", file, line)
	}
	if n < least {
		t.Errorf("%s has %d instructions on vector registers, not %d or more", file, n, least)
	}
}

var (
	vectorRegister = regexp.MustCompile(`\b[XYZ]([12]?[0-9]|3[01])\b`)
	beyondAVX2     = regexp.MustCompile(`\b(Z[0-9]+|[XY](1[6-9]|2[0-9]|3[01]))\b`)
)

// legacySSE returns the lines of an assembly text with legacy SSE instructions or registers that
// AVX2 lacks, and the number of all instructions on vector registers. Go's assembler writes those
// with VEX or EVEX whose names begin with V, and no others.
func legacySSE(text string) (lines []string, n int) {
	avx2 := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "TEXT") {
			avx2 = strings.Contains(line, "AVX2")
		}
		line, _, _ = strings.Cut(line, "//")
		if line = strings.TrimSpace(line); !vectorRegister.MatchString(line) {
			continue
		}
		if n++; line[0] != 'V' || avx2 && beyondAVX2.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return lines, n
}
