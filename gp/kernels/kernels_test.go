package kernels_test

import (
	"fmt"
	"testing"

	"clade/gp/kernels"
	"clade/gp/proof"
)

func TestChoose(t *testing.T) {
	all := kernels.Available()
	proof.Is(t, proof.Must(kernels.Choose(""))(t), all[len(all)-1], "the best")
	for _, l := range all {
		proof.Is(t, proof.Must(kernels.Choose(l.String()))(t), l, "Choose(%v)", l)
	}
	for _, name := range []string{"mmx", "AVX2", " ", "avx512 "} {
		proof.Fails(kernels.Choose(name))(t, "avx512")
	}
}

func TestExecutor(t *testing.T) {
	for _, name := range kernels.Names() {
		proof.Is(t, proof.Must(kernels.Executor("chess", name))(t).String(), name, "Executor(%q)",
			name)
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
