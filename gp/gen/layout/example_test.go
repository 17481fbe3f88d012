package layout_test

import (
	"fmt"

	"clade/gp/gen/layout"
)

// A generator of assembly asks the package that it writes for.
func Example() {
	gp := layout.Load("../..")
	fmt.Println(gp.Size("Quad"), gp.Offset("FarCells", "Index"), gp.Const("Lanes"))
	fmt.Println(gp.Consts("opcode")[:3])
	// Output:
	// 16 64 4
	// [opAdd opSub opMul]
}
