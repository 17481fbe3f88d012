package kernel

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	if k, err := Choose("scalar"); err != nil || k.Name != "scalar" {
		t.Errorf("Choose(scalar) = %q, %v", k.Name, err)
	}
	if _, err := Choose("mmx"); err == nil || !strings.Contains(err.Error(), "scalar") {
		t.Errorf("Choose(mmx) = %v, want an error that lists the kernels", err)
	}
	if k, err := Choose(""); err != nil || k.Name != Available()[len(Available())-1].Name {
		t.Errorf("Choose() = %q, %v, want the fastest", k.Name, err)
	}
}

// Example moves a blinker in a board of one tile.
func Example() {
	const stride = 3
	now, next := make([]uint64, 3*stride*Words), make([]uint64, 3*stride*Words)
	at := stride + 1
	now[at*Words+3] = 0b111 << 10
	marks, mask := NewMarks(3*stride), Whole()
	Scalar().Step(next, now, []Run{{int32(at), 1}}, stride, &mask, marks)
	for y := 2; y < 5; y++ {
		fmt.Printf("%012b\n", next[at*Words+y])
	}
	fmt.Printf("changed rows %08b\n", marks.Rows[at])
	// Output:
	// 100000000000
	// 100000000000
	// 100000000000
	// changed rows 00011100
}

// TestNoLegacySSE reads the assembly as linked. A legacy SSE instruction among AVX code costs a change of state of the whole register file.
func TestNoLegacySSE(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("no assembly for " + runtime.GOARCH)
	}
	for bytes, want := range map[string]bool{"660fefc0": true, "f30f6f00": true, "0f57c0": true, "660f3817c0": true,
		"0f85d4ffffff": false, "4889c8": false, "62f1fe486f06": false, "c5fdefc0": false} {
		if isLegacySSE(bytes) != want {
			t.Errorf("isLegacySSE(%s) = %v", bytes, !want)
		}
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "objdump", "-s", `kernel\.step(AVX2|AVX512)(\.abi0)?$`, exe).CombinedOutput()
	if err != nil {
		t.Skipf("go tool objdump does not run here: %v", err)
	}
	// The disassembler knows neither VEX nor EVEX and cuts such instructions into pieces; the source line tells what belongs together.
	var line, instruction string
	lines := 0
	check := func() {
		if isLegacySSE(instruction) {
			t.Errorf("%s: legacy SSE instruction %s", line, instruction)
		}
	}
	for _, text := range strings.Split(string(out), "\n") {
		fields := strings.Fields(text)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "kernel_amd64.s:") {
			continue
		}
		vector := strings.HasPrefix(instruction, "62") || strings.HasPrefix(instruction, "c4") || strings.HasPrefix(instruction, "c5")
		if fields[0] == line && vector {
			instruction += fields[2]
			continue
		}
		check()
		line, instruction = fields[0], fields[2]
		lines++
	}
	check()
	if lines < 200 {
		t.Errorf("the disassembly has %d instructions; is the pattern still right?\n%.400s", lines, out)
	}
}

// isLegacySSE tells whether an instruction, in hexadecimal, works on vector registers without a VEX or EVEX prefix.
func isLegacySSE(instruction string) bool {
	b, err := hex.DecodeString(instruction)
	if err != nil {
		return false
	}
	for len(b) > 0 && (b[0] == 0x66 || b[0] == 0xf2 || b[0] == 0xf3 || b[0]&0xf0 == 0x40) {
		b = b[1:]
	}
	if len(b) < 2 || b[0] != 0x0f {
		return false
	}
	op := b[1]
	return op >= 0x10 && op <= 0x17 || op >= 0x28 && op <= 0x2f || op >= 0x50 && op <= 0x7f || op == 0xc2 || op >= 0xc4 && op <= 0xc6 ||
		op >= 0xd0 || op == 0x38 || op == 0x3a
}
