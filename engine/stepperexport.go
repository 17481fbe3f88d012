package engine

import (
	_ "embed"
	"fmt"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

//go:embed stepperplayer.go
var stepperText string

// Targets lists the languages in which every Lockstep's species are written.
func (l *Lockstep) Targets() []export.Target { return export.Languages() }

// Export writes a species as a program that is given what a seat sees, as numbers, and answers with
// the number of an offer. Operators of the game's own are written where the runtime that Exporting
// added has them; else a genome that uses one is refused.
func (l *Lockstep) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	g := l.grammar
	var numbers, set, read strings.Builder
	list := func(name string, of func(Offer) int) {
		var all []string
		for _, o := range l.offers {
			all = append(all, fmt.Sprint(of(o)))
		}
		fmt.Fprintf(&numbers, "var %s = [%d]int{%s}\n", name, len(all), strings.Join(all, ", "))
	}
	fmt.Fprintf(&numbers, "const offers = %d\nconst scalars = %d\nconst flags = %d\n",
		len(l.offers), g.Scalars, g.Flags)
	list("offerSlot", func(o Offer) int { return o.Slot })
	list("offerTurn", func(o Offer) int { return o.Turn })
	// Arrays of size 0 are none in C.
	fmt.Fprintf(&numbers, "var scalar [%d][4]float32\nvar flag [%d][4]bool\n", g.Scalars+1,
		g.Flags+1)
	for _, op := range g.Operators {
		switch op.Form {
		case gp.Scalar:
			fmt.Fprintf(&set, "\t%s = scalar[%d][turn]\n", export.Sense(op.Name), op.Index)
		case gp.Flag:
			fmt.Fprintf(&set, "\t%s = flag[%d][turn]\n", export.Sense(op.Name), op.Index)
		}
	}
	worth := ""
	for i, s := range g.Slots {
		worth += fmt.Sprintf("\tif slot == %d {\n\t\treturn %s()\n\t}\n", i, export.Worth(s.Name))
	}
	if len(g.Layers) > 0 {
		set.WriteString("\tturns = turn\n")
		read.WriteString(readLayers)
	}
	text := stepperText + fmt.Sprintf(stepperParts, set.String(), worth, read.String()) + l.runtime
	return export.Write(export.World{Grammar: g, Runtime: text, Numbers: numbers.String()}, ge, by,
		target)
}

// Exporting adds what an exported program needs of the game's own: a function callName for each
// operator of form Call, in the part of Go that export.World describes. It changes the receiver and
// returns it.
func (l *Lockstep) Exporting(runtime string) *Lockstep {
	l.runtime = "\n" + runtime
	return l
}

// stepperParts is the part of the program that follows from the vocabulary.
const stepperParts = `
// face sets what the trees read to what is seen under a number of quarter turns.
func face(turn int) {
%s}

// worthOf is the value of a slot's tree.
func worthOf(slot int) float32 {
%s	return 0
}

// layersAt reads the layers, which begin at a number of the line.
func layersAt(at int) {
%s}
`

// readLayers reads the cells of each layer.
const readLayers = `	for l := range layers {
		for i := range cells {
			held[l][i] = false
		}
		count := given(at)
		at += 1
		for range count {
			held[l][given(at)] = true
			weight[l][given(at)] = given(at + 1)
			at += 2
		}
	}
`
