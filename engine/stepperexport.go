package engine

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

//go:embed stepperplayer.go
var stepperText string

//go:embed stepperlayers.go
var layersText string

//go:embed stepperprotocol.go
var protocolText string

// Targets lists the languages in which every Lockstep's species are written.
func (l *Lockstep) Targets() []export.Target { return export.Languages() }

// Export writes a species as a program that reads what a seat sees, as numbers, and answers with
// the number of an offer. A genome that uses operators of form Call needs the runtime of Exporting;
// without it Export returns an error.
func (l *Lockstep) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	g := l.grammar
	var numbers, set strings.Builder
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
	// C has no arrays of size 0.
	fmt.Fprintf(&numbers, "var scalar [%d][4]float32\nvar flag [%d][4]bool\n"+
		"var possible [%d]bool\n", g.Scalars+1, g.Flags+1, len(l.offers))
	for _, op := range g.Operators {
		switch op.Form {
		case gp.Scalar:
			fmt.Fprintf(&set, "\t%s = scalar[%d][turn]\n", export.Variable(op.Name), op.Index)
		case gp.Flag:
			fmt.Fprintf(&set, "\t%s = flag[%d][turn]\n", export.Variable(op.Name), op.Index)
		}
	}
	worth := ""
	for i, s := range g.Slots {
		worth += fmt.Sprintf("\tif slot == %d {\n\t\treturn %s()\n\t}\n", i, export.Worth(s.Name))
	}
	layers := withoutLayers
	if len(g.Layers) > 0 {
		set.WriteString("\tturns = turn\n")
		_, layers, _ = strings.Cut(layersText, "package player\n")
	}
	text := stepperText + layers + fmt.Sprintf(stepperParts, set.String(), worth) + l.runtime
	return export.Write(export.World{Grammar: g, Runtime: text, Numbers: numbers.String(),
		Protocol: l.protocol(), Name: l.name}, ge, by, target)
}

// Exporting adds the game's own part of exported programs: a function callName for each operator of
// form Call, in the subset of Go that export.World describes. It changes the receiver and returns
// it.
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
`

// withoutLayers stands in place of stepperlayers.go.
const withoutLayers = `
// layersAt has no layers to read.
func layersAt(at int) int {
	return at
}
`

// protocol returns the part of the program that speaks the protocol of players.
func (l *Lockstep) protocol() string {
	g := l.grammar
	var names []string
	var offer, observe strings.Builder
	for i, o := range l.offers {
		names = append(names, o.Name)
		fmt.Fprintf(&offer, "if i == %d {\n\t\treturn same(at, %q)\n\t}\n\t", i, o.Name)
	}
	offer.WriteString("return false")
	member := func(take, group, name string, index int) {
		fmt.Fprintf(&observe, "%s(memberOf(memberOf(at, %q), %q), %d)\n\t", take, group, name, index)
	}
	for i, layer := range g.Layers {
		member("takeLayer", "layers", layer.Name, i)
	}
	for _, op := range g.Operators {
		switch op.Form {
		case gp.Scalar:
			member("takeScalar", "scalars", op.Name, op.Index)
		case gp.Flag:
			member("takeFlag", "flags", op.Name, op.Index)
		}
	}
	return strings.NewReplacer("OFFERS", strconv.Quote(strings.Join(names, "|")), "OBSERVE\n",
		observe.String()+"\n", "ISOFFER", offer.String()).Replace(protocolText)
}
