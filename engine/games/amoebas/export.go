package amoebas

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"clade/gp"
	"clade/gp/export"
)

// programs holds the runtime of exported programs and what is added to it.
//
//go:embed export/*
var programs embed.FS

// clojure is the language of the original.
const clojure = "clojure"

// Targets lists the languages of every game, and Clojure.
func (g *game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: clojure, Extension: ".clj",
		About: "an amoeba function of the AMOEBAS course, in Clojure"})
}

// Export writes a species as a program. The energies that actions need are constants in it, for
// callers that do not use the protocol of players, which tells them.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	if target == clojure {
		return g.inClojure(ge, by)
	}
	runtime := export.Text(programs, "player.go")
	if g.settings.Memory {
		runtime = strings.Replace(export.Text(programs, "player.go", "memory.go"),
			"\tanswer(direction)\n", "\tanswer(direction)\n\tremember()\n", 1)
	}
	scalars, cells, weights := g.words.exported()
	runtime += export.Cells("drawCell(i int)", cells) + export.Weights("weighCell(i int)", weights)
	c := &g.settings.constants
	return export.Write(export.World{Grammar: g.grammar, Runtime: runtime,
		Protocol: export.Text(programs, "protocol.go"), Senses: scalars,
		Name: g.Info().Name, Version: g.Info().Version,
		Numbers: fmt.Sprintf("\n// What actions need.\nvar moveEnergy = %d\n"+
			"var attackEnergy = %d\nvar minDivideEnergy = %d\n\n// Whether the species has a "+
			"memory.\nconst remembers = %t\n", c.MoveEnergy, c.AttackEnergy, c.MinDivideEnergy,
			g.settings.Memory)}, ge, by, target)
}

// clojureSyntax writes trees in Clojure, which computes with doubles: f32 rounds each result to
// binary32. It is unchecked-float, which does not fail for numbers out of range.
var clojureSyntax = export.Syntax{
	Forms: map[gp.Form][]string{
		gp.Add: {"(f32 (+ ", " ", "))"}, gp.Sub: {"(f32 (- ", " ", "))"},
		gp.Mul: {"(f32 (* ", " ", "))"}, gp.If: {"(if ", " ", " ", ")"},
		gp.And: {"(and ", " ", ")"}, gp.Or: {"(or ", " ", ")"}, gp.Not: {"(not ", ")"},
		gp.IsSmaller: {"(< ", " ", ")"}, gp.IsEqual: {"(== ", " ", ")"},
	},
	Number: func(v string) string {
		f, err := strconv.ParseFloat(v, 32)
		if err != nil {
			panic("amoebas: " + v + " is not a constant")
		}
		text := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	},
	Call: [4]string{"(", " view quarters ", " ", ")"},
}

// clojureAreas names the functions of export/amoeba.clj that read a layer, by form.
var clojureAreas = map[gp.Form]string{gp.Count: "tally", gp.Any: "some-cell", gp.Sum: "total",
	gp.Least: "lowest"}

// inClojure returns the source of a species as an amoeba function of the AMOEBAS course. The
// original does not tell an amoeba the round: the amoeba counts its turns in its data instead,
// which drifts where it has more than one in a round.
func (g *game) inClojure(ge gp.Genome, by export.Origin) (string, error) {
	if err := g.grammar.Check(ge); err != nil {
		return "", fmt.Errorf("amoebas: %w", err)
	}
	p := export.Printer{Syntax: clojureSyntax, Grammar: g.grammar,
		Sensor: func(op *gp.Operator) []string {
			if op.Form == gp.Scalar {
				return []string{"(:sense/" + op.Name + " view)"}
			}
			return []string{clojureAreas[op.Form], ":" + g.words.layers[op.Index].name}
		}}
	var trees strings.Builder
	for slot, tree := range ge {
		all, err := p.Functions("worth-"+g.grammar.Slots[slot].Name, tree)
		if err != nil {
			return "", err
		}
		for _, f := range all {
			fmt.Fprintf(&trees, "\n(defn- %s [view quarters]\n  %s)\n", f.Name, f.Text(100, 2))
		}
	}
	var about strings.Builder
	for _, line := range append([]string{fmt.Sprintf("%s, a species of %d nodes, written by clade.",
		by.Name, ge.Size())}, by.Lines...) {
		about.WriteString(";; " + strings.Join(strings.Fields(line), " ") + "\n")
	}
	c := &g.settings.constants
	return strings.NewReplacer("ABOUT\n", about.String(), "NAMESPACE", clojureName(by.Name),
		"TREES\n", trees.String(), "VIEW", strconv.Itoa(c.ViewDistance),
		"MOVE-ENERGY", strconv.Itoa(c.MoveEnergy), "ATTACK-ENERGY", strconv.Itoa(c.AttackEnergy),
		"MIN-DIVIDE-ENERGY", strconv.Itoa(c.MinDivideEnergy)).Replace(
		g.clojureMemory().Replace(g.words.clojure().Replace(
			export.Text(programs, "amoeba.clj")))), nil
}

// clojure fills in the parts of export/amoeba.clj that follow from the vocabulary.
func (v *vocabulary) clojure() *strings.Replacer {
	var held, weights, units, scalars strings.Builder
	for _, r := range v.layers {
		fmt.Fprintf(&held, "\n                     :%s %s", r.name, groups[r.among].clojure)
		fmt.Fprintf(&weights, "\n      :%s %s", r.name, weightings[r.weight].clojure)
		fmt.Fprintf(&units, " :%s %v", r.name, float64(r.unit))
	}
	for _, r := range v.scalars {
		fmt.Fprintf(&scalars, "\n     :sense/%s (f32 (* (f32 %s) %v))", r.name, r.clojure,
			float64(r.unit))
	}
	return strings.NewReplacer("LAYERS", held.String(), "WEIGHTS", weights.String(), "UNITS",
		units.String(), "SENSES", scalars.String())
}

// clojureMemory fills in the parts that depend on whether the species has memory.
func (g *game) clojureMemory() *strings.Replacer {
	places := []string{"ANDMEMORY", ", and what the amoeba remembers", "FRIENDMEMORY",
		"\n       :memory (:memory (:data who) 0)", "OWNMEMORY", " memory",
		"THEFUNCTION", export.Text(programs, "memory.clj")}
	if !g.settings.Memory {
		for i := 1; i < len(places); i += 2 {
			places[i] = ""
		}
		places[len(places)-1] = export.Text(programs, "plain.clj")
	}
	return strings.NewReplacer(places...)
}

// clojureName returns a namespace for a species.
func clojureName(words string) string {
	name := strings.Join(strings.FieldsFunc(strings.ToLower(words), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	}), "-")
	if name == "" || unicode.IsDigit(rune(name[0])) {
		return "species-" + name
	}
	return name
}
