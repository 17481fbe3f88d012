package kerneltest

import (
	"slices"
	"testing"
)

// The text is written here, with the legacy instructions that one forgets: moves.
func TestLegacySSE(t *testing.T) {
	const text = "TEXT f(SB), $0\n\t// MOVUPS X0, X1\n\tVMOVDQU (AX), Y31\n\tMOVOU X0, (AX) // out\n" +
		"\tMOVQ AX, X15\n\tADDQ AX, BX\n\tVPADDD Z1, Z2, K1, Z3\n\tMOVQ runX0(SB), AX\n\tRET\n"
	lines, n := legacySSE(text)
	if want := []string{"MOVOU X0, (AX)", "MOVQ AX, X15"}; !slices.Equal(lines, want) || n != 4 {
		t.Errorf("%q of %d instructions, want %q of 4", lines, n, want)
	}
}
