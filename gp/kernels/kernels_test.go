package kernels_test

import (
	"fmt"
	"strings"
	"testing"

	"clade/gp/kernels"
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
		if _, err := kernels.Choose(name); err == nil || !strings.Contains(err.Error(), "avx512") {
			t.Errorf("Choose(%q) = %v, want an error that lists the names", name, err)
		}
	}
}

func TestExecutor(t *testing.T) {
	for _, name := range kernels.Names() {
		if l, err := kernels.Executor("chess", name); err != nil || l.String() != name {
			t.Errorf("Executor(%q) = %v, %v", name, l, err)
		}
	}
	for _, name := range []string{"", "mmx"} {
		if _, err := kernels.Executor("chess", name); err == nil ||
			!strings.Contains(err.Error(), "chess") || !strings.Contains(err.Error(), "scalar") {
			t.Errorf("Executor(%q): %v, want an error with the game and the names", name, err)
		}
	}
}

func ExampleChoose() {
	l, _ := kernels.Choose("scalar")
	fmt.Println(l)
	// Output: scalar
}
