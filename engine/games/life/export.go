package life

import (
	"embed"
	"errors"
	"fmt"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

// programs holds the runtime of exported programs and what is added to it.
//
//go:embed export/*
var programs embed.FS

// runtime returns the runtime of species of the vocabulary.
func (v *vocabulary) runtime() string {
	const sites = "\t\t\tsite(kind)\n\t\t}\n"
	var more string
	var changes []string
	switch {
	case v.words == methuselahWords:
		more, changes = export.Text(programs, "methuselahs.go"), []string{"\tcomputeSite()\n",
			"\tmeasure(y, x)\n\tcomputeSite()\n", sites, sites + "\t\troomySite()\n"}
	case v.still():
		more, changes = export.Text(programs, "stilllifes.go"), []string{"fits(stamp) {",
			"fits(stamp) && stays(stamp) {",
			"var siteY, siteX int\n", "var siteY, siteX int\nvar siteMirrored bool\n\n" +
				"// kindOfSite is what it is for: 0 for any stamp that has no other.\nvar kindOfSite int\n",
			"if sizes[stamp] > cellsATurn-chosen {",
			"if sizes[stamp] > cellsATurn-chosen || kindOf[stamp] != kindOfSite && sizes[stamp] > 0 {",
			"\tsiteX = x\n", "\tsiteX = x\n\tsiteMirrored = mirrored\n", sites,
			sites + "\t\tplotSite(1, 3, 7)\n\t\tplotSite(2, 12, 12)\n\t\tblockSite()\n"}
		if v.words == openingWords {
			changes = append(changes, "value > best &&", fmt.Sprintf("value > best && "+
				"(stamp != %d || value > worth(%d)) &&", pentominoSlot, bloomSlot))
		}
	}
	_, more, _ = strings.Cut(more, "package player\n")
	var b strings.Builder
	b.WriteString(strings.NewReplacer(changes...).Replace(export.Text(programs, "player.go")) + more +
		"\n// worth is what a stamp is worth at the site, turned as the trees see it.\n" +
		"func worth(stamp int) float32 {\n")
	last := len(v.stamps) - 1
	for i, s := range v.stamps[:last] {
		fmt.Fprintf(&b, "\tif stamp == %d {\n\t\treturn %s()\n\t}\n", i, export.Worth(s.name))
	}
	fmt.Fprintf(&b, "\treturn %s()\n}\n", export.Worth(v.stamps[last].name))
	return b.String()
}

// controller is the output format of a program that the original controller starts for every turn.
const controller = "controller"

// controllerText replaces the last line of a program in Python.
const controllerText = `    if len(sys.argv) > 1 and sys.argv[-1] != "-":
        take(sys.argv[-1])
        answerState()
    else:
        play()
`

// Targets lists the languages of every game, and the program for the original's controller.
func (g *game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: controller, Extension: ".py",
		About: "a program in Python for the controller of Life, King of the Hill"})
}

// Export writes a species as a program that takes a seat by the protocol of players, or that
// answers the states of the original's controller. These do not say what has changed since the
// generation before, so a species that reads it has no program for the controller. The stamps and
// the length of the game are constants in it.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	grammar := g.Grammar()
	if err := grammar.Check(ge); err != nil {
		return "", fmt.Errorf("life: %w", err)
	}
	numbers := g.numbers()
	if word := g.vocabulary().readsChanges(ge); word != "" {
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
	scalars, layers := g.vocabulary().exported()
	runtime := g.vocabulary().runtime() + export.Cells("drawCell(i, y, x, a int, on bool)", layers)
	text, err := export.Write(export.World{Grammar: grammar, Runtime: runtime, Senses: scalars,
		Stages: stageNames[:], Numbers: numbers,
		Protocol: export.Text(programs, "protocol.go"), Name: g.Info().Name,
		Version: g.Info().Version, Random: true}, ge, by, language)
	if err != nil || target != controller {
		return text, err
	}
	body, ok := strings.CutSuffix(text, "    play()\n")
	if !ok {
		return "", errors.New("life: a program in Python ends in another way")
	}
	return body + controllerText, nil
}

// readsChanges returns a word of the trees that reads the generation before, "" if there is none.
func (v *vocabulary) readsChanges(ge gp.Genome) string {
	for _, t := range ge {
		for _, n := range t {
			op := &v.grammar.Operators[n.Op]
			if (op.Form == gp.Any || op.Form == gp.Count) &&
				strings.Contains(v.layers[op.Index].runtime, "around1") {
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
	var sizes, ways, kinds, ys, xs []string
	for _, s := range stamps {
		y, x := make([]int, most), make([]int, most)
		for i, c := range s.cells {
			y[i], x[i] = int(c.y), int(c.x)
		}
		list := func(v []int) string {
			return strings.NewReplacer("[", "{", "]", "}", " ", ", ").Replace(fmt.Sprint(v))
		}
		sizes, ways = append(sizes, fmt.Sprint(len(s.cells))), append(ways, fmt.Sprint(s.turns))
		kinds = append(kinds, fmt.Sprint(s.site))
		ys, xs = append(ys, list(y)), append(xs, list(x))
	}
	s := g.settings
	more := ""
	if s.StillLifes {
		more = fmt.Sprintf("\n// The kind of site that each stamp is for.\n"+
			"var kindOf = [%d]int{%s}\n", len(stamps), strings.Join(kinds, ", "))
	}
	return more + fmt.Sprintf(
		"\n// The stamps: how many cells each has, under how many turns it looks different, and where "+
			"they lie about its middle.\nconst stamps = %[1]d\nvar ways = [%[1]d]int{%[9]s}\n"+
			"var sizes = [%[1]d]int{%[2]s}\nvar stampY = [%[1]d][%[3]d]int{%[4]s}\n"+
			"var stampX = [%[1]d][%[3]d]int{%[5]s}\n\n// The numbers of the game.\n"+
			"var generations = %[6]d\nconst cellsATurn = %[7]d\nconst rounds = %[8]d\n",
		len(stamps), strings.Join(sizes, ", "), most, strings.Join(ys, ", "),
		strings.Join(xs, ", "), s.Generations, s.Cells, s.Rounds, strings.Join(ways, ", "))
}
