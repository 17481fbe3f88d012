// Package kerneltest holds what every package with assembly kernels tests of them. It is for tests
// only.
package kerneltest

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"clade/gp/proof"
)

// NoLegacySSE reads what the assembler makes of a file in the directory of the package under test.
// It reports every legacy SSE instruction, since one among AVX code costs a change of state of the
// whole register file, and whether there are fewer instructions than expected.
//
// It asks the assembler and not the disassembler, which knows neither VEX nor EVEX and loses its
// way among them.
func NoLegacySSE(t *testing.T, file string, least int) {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	include := filepath.Join(strings.TrimSpace(string(root)), "pkg", "include")
	asm := exec.Command("go", "tool", "asm", "-S", "-p", "kernel", "-I", include, "-o",
		filepath.Join(t.TempDir(), "kernel.o"), file)
	asm.Env = append(os.Environ(), "GOARCH=amd64")
	out, err := asm.CombinedOutput()
	if err != nil {
		t.Fatalf("go tool asm: %v\n%.400s", err, out)
	}
	all := proof.Must(listing(string(out)))(t)
	for _, in := range all {
		if isLegacySSE(in.bytes) {
			t.Errorf("%s: legacy SSE instruction %x: %s", file, in.bytes, in.text)
		}
	}
	if len(all) < least {
		t.Errorf("the listing has %d instructions of %s, not %d or more", len(all), file, least)
	}
}

// instruction is one of a listing.
type instruction struct {
	text  string // with its position in the source
	bytes []byte
}

// listing reads what the assembler prints with -S: for each function its instructions with their
// offsets, then all of its bytes.
func listing(text string) (all []instruction, err error) {
	var function []byte
	var starts []int
	var texts []string
	finish := func() error {
		for i, start := range starts {
			end := len(function)
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			if end > len(function) || start > end {
				return fmt.Errorf("kerneltest: %q stands at %d of %d bytes", texts[i], start, len(function))
			}
			if start < end { // directives have none
				all = append(all, instruction{texts[i], function[start:end]})
			}
		}
		function, starts, texts = nil, nil, nil
		return nil
	}
	for line := range strings.Lines(text) {
		rest, indented := strings.CutPrefix(line, "\t0x")
		if !indented {
			if !strings.HasPrefix(line, "\t") {
				if err := finish(); err != nil {
					return nil, err
				}
			}
			continue
		}
		offset, rest, _ := strings.Cut(rest, " ")
		start, err := strconv.ParseInt(offset, 16, 32)
		if err != nil {
			return nil, fmt.Errorf("kerneltest: listing: %w", err)
		}
		if len(rest) > 7 && rest[5:7] == " (" { // behind the offset once more, in decimal
			starts, texts = append(starts, int(start)), append(texts, strings.TrimSpace(rest[6:]))
			continue
		}
		dump, _, _ := strings.Cut(rest, "  ")
		bytes, err := hex.DecodeString(strings.ReplaceAll(dump, " ", ""))
		if err != nil {
			return nil, fmt.Errorf("kerneltest: listing: %w", err)
		}
		function = append(function, bytes...)
	}
	return all, finish()
}

// isLegacySSE tells whether an instruction works on vector registers without a VEX or EVEX prefix.
func isLegacySSE(b []byte) bool {
	scalar := false // POPCNT, TZCNT and LZCNT carry the prefix of scalar SSE
	for len(b) > 0 && (b[0] == 0x66 || b[0] == 0xf2 || b[0] == 0xf3 || b[0]&0xf0 == 0x40) {
		scalar = scalar || b[0] == 0xf3
		b = b[1:]
	}
	if len(b) < 2 || b[0] != 0x0f {
		return false
	}
	op := b[1]
	if scalar && (op == 0xb8 || op == 0xbc || op == 0xbd) {
		return false
	}
	return op >= 0x10 && op <= 0x17 || op >= 0x28 && op <= 0x2f || op >= 0x50 && op <= 0x7f ||
		op == 0xc2 || op >= 0xc4 && op <= 0xc6 ||
		op >= 0xd0 || op == 0x38 || op == 0x3a
}
