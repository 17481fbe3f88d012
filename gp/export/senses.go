package export

import (
	"fmt"
	"go/parser"
	"strings"
)

// Check returns an error for a sense whose expression is missing or not Go. Write checks the names
// in it against the runtime.
func (s Sense) Check() error {
	if s.Expression == "" {
		return fmt.Errorf("export: sense %q has no expression for exported programs; give it one, "+
			"in the part of Go of export/player.go", s.Word)
	}
	if _, err := parser.ParseExpr(s.Expression); err != nil {
		return fmt.Errorf("export: the expression %q of sense %q is not Go: %w", s.Expression,
			s.Word, err)
	}
	return nil
}

// Cells returns a function of the runtime that sets whether each layer holds cell i. Each sense is
// of a layer here: its word is the layer's name, and its expression may use the parameters of the
// head, such as drawCell(i, x, y int). Its stage does not matter.
func Cells(head string, layers []Sense) string {
	return eachLayer(head, "draws a cell of the window into", "held", layers)
}

// Weights returns a function of the runtime that sets the weight of cell i for each layer; see
// Cells.
func Weights(head string, layers []Sense) string {
	return eachLayer(head, "weighs a cell of the window for", "weight", layers)
}

func eachLayer(head, about, array string, layers []Sense) string {
	var b strings.Builder
	name, _, _ := strings.Cut(head, "(")
	fmt.Fprintf(&b, "\n// %s %s all layers.\nfunc %s {\n", name, about, head)
	for _, l := range layers {
		fmt.Fprintf(&b, "\t%s[%s][i] = %s\n", array, nameOf("layer", l.Word), l.Expression)
	}
	return b.String() + "}\n"
}

// computesAll returns an error if the runtime never computes the stage of a sense.
func (w World) computesAll() error {
	for _, s := range w.Senses {
		if !strings.Contains(w.Runtime+w.Protocol, "compute"+s.Stage+"()") {
			return fmt.Errorf("export: sense %q is computed at the stage %q, to which the runtime "+
				"never comes", s.Word, s.Stage)
		}
	}
	return nil
}
