package kernel

import (
	"fmt"
	"strings"
	"testing"

	"clade/gp/kernels/kerneltest"
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

// TestNoLegacySSE reads what the assembler makes of the kernels.
func TestNoLegacySSE(t *testing.T) { kerneltest.NoLegacySSE(t, "kernel_amd64.s", 200) }
