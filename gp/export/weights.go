package export

import (
	"fmt"
	"strings"
)

// Weights returns a function of the runtime that weighs cell i for each layer; see Cells.
func Weights(head string, layers []Sense) string {
	var b strings.Builder
	name, _, _ := strings.Cut(head, "(")
	fmt.Fprintf(&b, "\n// %s weighs a cell of the window for all layers.\nfunc %s {\n", name, head)
	for _, l := range layers {
		fmt.Fprintf(&b, "\tweight[%s][i] = %s\n", nameOf("layer", l.Word), l.Expression)
	}
	return b.String() + "}\n"
}
