package kernels_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/gp/proof"
)

// No assembly of the project has a legacy SSE instruction: one among AVX code costs a change of
// state of the whole register file. No function with AVX2 in its name has a register that only
// AVX-512 has. Each file has at least so many instructions on vector registers.
func TestNoLegacySSE(t *testing.T) {
	least := map[string]int{
		"gp/lockstep_amd64.s": 3500, "gp/native_linux_amd64.s": 1,
		"engine/games/amoebas/kernel_amd64.s": 60, "engine/games/antwars/routine_amd64.s": 2000,
		"engine/games/life/internal/kernel/kernel_amd64.s": 500,
		"engine/games/multiplexer/kernel_amd64.s":          50,
	}
	root := os.DirFS(filepath.Join("..", ".."))
	proof.OK(t, fs.WalkDir(root, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_amd64.s") {
			return err
		}
		legacy, n := legacySSE(string(proof.Must(fs.ReadFile(root, file))(t)))
		for _, line := range legacy {
			t.Errorf("%s: legacy SSE or a register of AVX-512: %s", file, line)
		}
		if n < max(1, least[file]) {
			t.Errorf("%s has %d instructions on vector registers, not %d or more", file, n,
				least[file])
		}
		delete(least, file)
		return nil
	}))
	proof.Is(t, len(least), 0, "files of %v that are not there", least)
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
