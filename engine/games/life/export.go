package life

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

//go:embed export/player.go
var playerText string

// methuselahText is what a species with methuselahs does besides.
//
//go:embed export/methuselahs.go
var methuselahText string

//go:embed export/protocol.go
var protocolText string

// withMethuselahs returns the program of a species with methuselahs.
func withMethuselahs() string {
	_, body, _ := strings.Cut(methuselahText, "package player\n")
	return strings.NewReplacer("\tcomputeSite()\n", "\tmeasure(y, x)\n\tcomputeSite()\n",
		"for stamp := range 4 {", "for stamp := range 6 {",
		"\treturn worthCell()\n", "\tif stamp == 3 {\n\t\treturn worthCell()\n\t}\n"+
			"\tif stamp == 4 {\n\t\treturn worthPentomino()\n\t}\n\treturn worthAcorn()\n",
		"\t\t\tsite(kind)\n\t\t}\n", "\t\t\tsite(kind)\n\t\t}\n\t\troomySite()\n",
	).Replace(playerText) + body
}

// controller is a program that the original controller can start for every turn.
const controller = "controller"

// controllerText stands in place of the last line of a program in Python.
const controllerText = `    if len(sys.argv) > 1 and sys.argv[-1] != "-":
        take(sys.argv[-1])
        answerState()
    else:
        play()
`

// Targets lists the languages and the program of the original's controller.
func (g *game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: controller, Extension: ".py",
		About: "a program in Python for the controller of Life, King of the Hill"})
}

// Export writes a species as a program that takes a seat by the protocol of players, and answers
// the states of the original's controller. These do not tell what has changed since the generation
// before, so that a species that reads it has no form for the controller. The stamps and the length
// of the game stand in it.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	grammar := g.Grammar()
	if err := grammar.Check(ge); err != nil {
		return "", fmt.Errorf("life: %w", err)
	}
	numbers := g.numbers()
	if word := readsChanges(grammar, ge); word != "" {
		if target == controller {
			return "", fmt.Errorf("life: a species that reads %q has no form for the controller, "+
				"which does not tell it; export to a language, to play by persist", word)
		}
		numbers += "const readsChanges = true\n"
	} else {
		numbers += "const readsChanges = false\n"
	}
	language := target
	if target == controller {
		language = "python"
	}
	runtime := playerText
	if g.settings.Methuselahs {
		runtime = withMethuselahs()
	}
	scalars, layers := g.vocabulary().exported()
	runtime += export.Cells("drawCell(i, y, x, a int, on bool)", layers)
	text, err := export.Write(export.World{Grammar: grammar, Runtime: runtime, Senses: scalars,
		Stages: stageNames[:], Numbers: numbers,
		Protocol: protocolText, Name: g.Info().Name, Version: g.Info().Version, Random: true}, ge,
		by, language)
	if err != nil || target != controller {
		return text, err
	}
	body, ok := strings.CutSuffix(text, "    play()\n")
	if !ok {
		return "", errors.New("life: a program in Python ends in another way")
	}
	return body + controllerText, nil
}

// readsChanges returns a word of the trees that asks what has changed, "" if none does.
func readsChanges(g *gp.Grammar, ge gp.Genome) string {
	for _, t := range ge {
		for _, n := range t {
			op := &g.Operators[n.Op]
			if (op.Form == gp.Any || op.Form == gp.Count) && op.Index == layerChanged {
				return op.Name
			}
		}
	}
	return ""
}

// numbers returns the stamps and the settings as declarations.
func (g *game) numbers() string {
	stamps := g.vocabulary().stamps
	most := 0
	for _, s := range stamps {
		most = max(most, len(s.cells))
	}
	var sizes, ys, xs []string
	for _, s := range stamps {
		y, x := make([]int, most), make([]int, most)
		for i, c := range s.cells {
			y[i], x[i] = int(c.y), int(c.x)
		}
		list := func(v []int) string {
			return strings.NewReplacer("[", "{", "]", "}", " ", ", ").Replace(fmt.Sprint(v))
		}
		sizes = append(sizes, fmt.Sprint(len(s.cells)))
		ys, xs = append(ys, list(y)), append(xs, list(x))
	}
	s := g.settings
	return fmt.Sprintf(
		"\n// The stamps: how many cells each has, and where they lie about its middle.\n"+
			"var sizes = [%d]int{%s}\nvar stampY = [%[1]d][%[3]d]int{%[4]s}\n"+
			"var stampX = [%[1]d][%[3]d]int{%[5]s}\n\n// The numbers of the game.\n"+
			"var generations = %[6]d\nconst cellsATurn = %[7]d\nconst rounds = %[8]d\n",
		len(stamps), strings.Join(sizes, ", "), most, strings.Join(ys, ", "),
		strings.Join(xs, ", "), s.Generations, s.Cells, s.Rounds)
}
