package kernels_test

import (
	"fmt"
	"testing"

	"clade/gp/kernels"
	"clade/gp/proof"
)

func TestChoose(t *testing.T) {
	all := kernels.Available()
	if l, err := kernels.Choose(""); err != nil || l != all[len(all)-1] {
		t.Errorf("Choose() = %v, %v, want the best", l, err)
	}
	for _, l := range all {
		if got, err := kernels.Choose(l.String()); err != nil || got != l {
			t.Errorf("Choose(%v) = %v, %v", l, got, err)
		}
	}
	for _, name := range []string{"mmx", "AVX2", " ", "avx512 "} {
		proof.Fails(kernels.Choose(name))(t, "avx512")
	}
}

func TestExecutor(t *testing.T) {
	for _, name := range kernels.Names() {
		if l, err := kernels.Executor("chess", name); err != nil || l.String() != name {
			t.Errorf("Executor(%q) = %v, %v", name, l, err)
		}
	}
	for _, name := range []string{"", "mmx"} {
		proof.Fails(kernels.Executor("chess", name))(t, "chess", "scalar")
	}
}

func ExampleChoose() {
	l, _ := kernels.Choose("scalar")
	fmt.Println(l)
	// Output: scalar
}
