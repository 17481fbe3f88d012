package kerneltest

import (
	"slices"
	"testing"
)

// The text is written here, with the legacy instructions that one forgets: moves, and a register
// that the generator chose for AVX2.
func TestLegacySSE(t *testing.T) {
	const text = "TEXT f(SB), $0\n\t// MOVUPS X0, X1\n\tVMOVDQU (AX), Y31\n\tMOVOU X0, (AX) // out\n" +
		"\tMOVQ AX, X15\n\tADDQ AX, BX\n\tVPADDD Z1, Z2, K1, Z3\n\tMOVQ runX0(SB), AX\n\tRET\n" +
		"TEXT gAVX2(SB), $0\n\tVPADDD Y15, Y1, Y2\n\tVPADDD Y4, Y16, Y1\n"
	lines, n := legacySSE(text)
	want := []string{"MOVOU X0, (AX)", "MOVQ AX, X15", "VPADDD Y4, Y16, Y1"}
	if !slices.Equal(lines, want) || n != 6 {
		t.Errorf("%q of %d instructions, want %q of 6", lines, n, want)
	}
}
