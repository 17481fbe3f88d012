package amoeboid

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

// programs holds the runtime of exported programs and what is added to it.
//
//go:embed export/*
var programs embed.FS

// Targets lists the languages of every game.
func (g *Game) Targets() []export.Target { return export.Languages() }

// Export writes a species as a program for the game's board and die.
func (g *Game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	b := g.graph
	var near, starts, x, y []string
	for c := range b.n {
		starts = append(starts, fmt.Sprint(len(near)))
		each(b.near[c], func(d int) { near = append(near, fmt.Sprint(d)) })
		x, y = append(x, fmt.Sprint(b.at[c].X)), append(y, fmt.Sprint(b.at[c].Y))
	}
	starts = append(starts, fmt.Sprint(len(near)))
	text := fmt.Sprintf(
		"\n// The board is a %s; its cells count from 0, those of a square row by row "+
			"from the upper\n// left. The die has so many sides.\nconst boardCells = %d\nconst "+
			"die = "+
			"%d\n"+
			"\n// Most moves that are weighed up.\nconst menuRoom = %d\n\n// More units than a game can have.\n"+
			"const mostUnits = %d\n", b.name, b.n, g.settings.Die, max(b.n, 3*maxSplits*len(near)),
		maxUnits)
	for _, table := range []struct {
		about, name string
		numbers     []string
	}{{"The neighbours of each cell begin where nearStart says.", "near", near},
		{"", "nearStart", starts}, {"Where each cell lies: columns and rows.", "atX", x},
		{"", "atY", y}} {
		if table.about != "" {
			text += "\n// " + table.about + "\n"
		}
		text += fmt.Sprintf("var %s = [%d]int{%s}\n", table.name, len(table.numbers),
			strings.Join(table.numbers, ", "))
	}
	var label strings.Builder
	for c, l := range b.labels[:b.n] {
		fmt.Fprintf(&label, "if cell == %d {\n\t\treturn same(at, %q)\n\t}\n\t", c, l)
	}
	protocol := strings.NewReplacer("LABELS", strconv.Quote(strings.Join(b.labels[:b.n], "|")),
		"ISLABEL", label.String()+"return false").Replace(export.Text(programs, "protocol.go"))
	values, layers := g.vocabulary.exported()
	return export.Write(export.World{Grammar: g.Grammar(), Senses: values, Numbers: text,
		Runtime: export.Text(programs, "player.go") +
			export.Cells("drawCell(i, c, n, center int)", layers),
		Protocol: protocol, Name: g.Info().Name, Version: g.Info().Version}, ge, by, target)
}
