package santafe

import (
	_ "embed"
	"fmt"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

//go:embed export/player.go
var playerText string

// Targets lists the languages of every game.
func (g *game) Targets() []export.Target { return export.Languages() }

// Export writes a tree as a program: its actions are statements.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	if err := g.grammar.Check(ge); err != nil {
		return "", fmt.Errorf("santafe: %w", err)
	}
	w := writer{g: g.grammar}
	w.function("ant", ge[0])
	return export.Write(export.World{Grammar: g.grammar, Runtime: playerText + w.done.String(),
		OwnTrees: true}, ge, by, target)
}

// Functions are split at these sizes: Python allows a hundred levels of indentation, and Java 64 KB
// of code in a method.
const (
	maxLevels = 10
	maxNodes  = 300
)

// writer writes a tree as statements of Go, which package export translates.
type writer struct {
	g    *gp.Grammar
	done strings.Builder // whole functions
	cuts int
}

func (w *writer) function(name string, t gp.Tree) {
	var b strings.Builder
	w.statements(&b, t, 1)
	fmt.Fprintf(&w.done, "\nfunc %s() {\n%s}\n", name, b.String())
}

// statements writes a tree at a level of indentation, or a call of a function with a large part.
func (w *writer) statements(b *strings.Builder, t gp.Tree, level int) {
	indent := strings.Repeat("\t", level)
	if len(t) > 1 && level > 1 && (level >= maxLevels || len(t) > maxNodes) {
		w.cuts++
		name := fmt.Sprintf("ant%d", w.cuts)
		w.function(name, t)
		b.WriteString(indent + name + "()\n")
		return
	}
	var args []gp.Tree
	for i := 1; i < len(t); {
		end := w.g.End(t, i)
		args = append(args, t[i:end])
		i = end
	}
	switch t[0].Op {
	case opIfFoodAhead:
		b.WriteString(indent + "if foodAhead() {\n")
		w.statements(b, args[0], level+1)
		b.WriteString(indent + "} else {\n")
		w.statements(b, args[1], level+1)
		b.WriteString(indent + "}\n")
	case opProgn2, opProgn3:
		for _, a := range args {
			w.statements(b, a, level)
		}
	default:
		b.WriteString(indent + w.g.Operators[t[0].Op].Name + "()\n")
	}
}
