package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp"
)

// gameLine is the description of a game; the last fields are set only for a named one.
type gameLine struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	About    string        `json:"about"`
	Rules    int           `json:"rules"` // their version
	MinSeats int           `json:"min_seats"`
	MaxSeats int           `json:"max_seats"`
	Chance   bool          `json:"chance"` // the seed changes outcomes
	Hidden   bool          `json:"hidden"` // players do not see everything
	Marks    []string      `json:"marks"`
	Settings []settingLine `json:"settings,omitempty"`
	Trees    []string      `json:"trees,omitempty"`
	Words    []wordLine    `json:"words,omitempty"`
}

type settingLine struct {
	Key     string `json:"key"`
	About   string `json:"about"`
	Unit    string `json:"unit,omitempty"`
	Range   string `json:"range"`
	Default any    `json:"default"`
}

type wordLine struct {
	Name  string `json:"name"`
	Takes string `json:"takes,omitempty"`
	Gives string `json:"gives"`
	About string `json:"about"`
	With  string `json:"with,omitempty"` // the settings that bring it
}

func newGames(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use: "games [GAME]", Short: "List the games, or the settings and words of one game",
		Args:    cobra.MaximumNArgs(1),
		Example: "  clade games\n  clade games amoebas\n  clade games life --set still-lifes=true",
		Long: `Lists the games. For one GAME it lists every setting, with range, unit and
default, and every word that its genomes are made of: those of the game as it
is, or with the settings of --set, and those that further settings bring.`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				g, err := study.NewGame(*o.scope, args[0])
				var as engine.Game
				if err == nil {
					as, err = study.NewGame(*o.scope, args[0], o.set...)
				}
				if err != nil {
					return usageError{err}
				}
				line := wholeLine(g, as)
				return o.print(c, line, line.print)
			}
			if len(o.set) > 0 {
				return usageError{errors.New("--set is for one game: name it")}
			}
			all := []gameLine{}
			for _, g := range scope.Games {
				all = append(all, lineOf(g))
			}
			return o.print(c, all, func(w io.Writer) {
				rows := make([][2]string, len(all))
				for i, g := range all {
					rows[i] = [2]string{g.Name, g.Title + ": " + g.About}
				}
				terminal.List(w, rows)
			})
		},
	}
	o.add(c, help{"form": "", "json": "", "set": ""})
	return c
}

func lineOf(g engine.Game) gameLine {
	i := g.Info()
	return gameLine{Name: i.Name, Title: i.Title, About: i.About, Rules: i.Version,
		MinSeats: i.MinSeats, MaxSeats: i.MaxSeats, Chance: i.Chance, Hidden: i.Hidden,
		Marks: append([]string{}, i.Marks...)}
}

// wholeLine returns the line of a game with its settings, and its words as it is set.
func wholeLine(g, as engine.Game) gameLine {
	line := lineOf(g)
	known := map[string]bool{}
	line.add(as.Grammar(), known, "")
	if a, ok := as.(engine.Adjustable); ok {
		for _, s := range g.(engine.Adjustable).Settings().Table() {
			line.Settings = append(line.Settings, settingLine{s.Key, s.About, s.Unit, s.Range(), s.Now()})
		}
		engine.Switches(a, func(on []string, with engine.Game) bool {
			line.add(with.Grammar(), known, strings.Join(on, " and "))
			return true
		})
	}
	return line
}

// add adds the trees and words of a grammar that are not known yet, and that settings bring.
func (l *gameLine) add(g *gp.Grammar, known map[string]bool, with string) {
	for _, s := range g.Slots {
		if tree := "tree " + s.Name; !known[tree] {
			known[tree] = true
			l.Trees = append(l.Trees, s.Name+brought(with))
		}
	}
	for _, op := range g.Operators {
		if known[op.Name] {
			continue
		}
		known[op.Name] = true
		takes := make([]string, len(op.Args))
		for i, t := range op.Args {
			takes[i] = typeName(t)
		}
		l.Words = append(l.Words, wordLine{op.Name, strings.Join(takes, ", "),
			typeName(op.Result), op.About, with})
	}
}

// brought names the settings that add a tree or word, if it needs any.
func brought(with string) string {
	if with == "" {
		return ""
	}
	return " (with " + with + ")"
}

// typeName names a type for people.
func typeName(t gp.Type) string {
	switch t {
	case gp.Float:
		return "number"
	case gp.Bool:
		return "truth"
	default:
		return "area"
	}
}

// told describes a setting in a sentence.
func (s settingLine) told() string {
	unit := ""
	if s.Unit != "" {
		unit = " " + s.Unit
	}
	value := fmt.Sprint(s.Default)
	if _, ok := s.Default.(string); ok {
		value = fmt.Sprintf("%q", s.Default)
	}
	return fmt.Sprintf("%s. %s%s; default %s", s.About, s.Range, unit, value)
}

// told describes a word in a sentence.
func (w wordLine) told() string { return w.Gives + ": " + w.About + brought(w.With) }

// call returns the word with its arguments.
func (w wordLine) call() string {
	if w.Takes == "" {
		return w.Name
	}
	return w.Name + "(" + w.Takes + ")"
}

// facts describes the kind of game in a sentence.
func (l gameLine) facts() string {
	players := engine.Info{MinSeats: l.MinSeats, MaxSeats: l.MaxSeats}.Seats()
	chance, hidden := "without chance", "everything is seen"
	if l.Chance {
		chance = "with chance"
	}
	if l.Hidden {
		hidden = "not everything is seen"
	}
	counts := ""
	if len(l.Marks) > 0 {
		counts = "; counts " + strings.Join(l.Marks, ", ")
	}
	return fmt.Sprintf("Version %d of the rules; %s; %s; %s%s.", l.Rules, players, hidden, chance,
		counts)
}

func (l gameLine) print(w io.Writer) {
	fmt.Fprintln(w, terminal.Wrap(l.Title+": "+l.About+". "+l.facts(), terminal.Room(w)))
	if len(l.Settings) > 0 {
		fmt.Fprintf(w, "\nSettings, in a study's table [settings] or by --set KEY=VALUE:\n\n")
		var rows [][2]string
		for _, s := range l.Settings {
			rows = append(rows, [2]string{s.Key, s.told()})
		}
		terminal.List(w, rows)
	}
	fmt.Fprintf(w, "\n%s\n\n", terminal.Wrap("A genome has a tree for each of: "+
		strings.Join(l.Trees, ", ")+". Words of the trees:", terminal.Width))
	var rows [][2]string
	for _, word := range l.Words {
		rows = append(rows, [2]string{word.call(), word.told()})
	}
	terminal.List(w, rows)
}

// gamePage describes every game in Markdown.
func gamePage(scope *player.Scope) []byte {
	var b bytes.Buffer
	b.WriteString("# Games, their settings and words\n\nSettings stand in a study's table " +
		"`[settings]`, or follow `--set` of a command, as `KEY=VALUE` or\n" +
		"`settings.KEY=VALUE`.\n")
	cell := strings.NewReplacer("|", `\|`).Replace
	for _, g := range scope.Games {
		l := wholeLine(g, g)
		fmt.Fprintf(&b, "\n## %s (`%s`)\n\n%s. %s\n", l.Title, l.Name, l.About, l.facts())
		if len(l.Settings) > 0 {
			b.WriteString("\n| setting | meaning | unit | range | default |\n|---|---|---|---|---|\n")
		}
		for _, s := range l.Settings {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | `%s` |\n", s.Key, cell(s.About), s.Unit,
				cell(s.Range), cmp.Or(fmt.Sprint(s.Default), `""`))
		}
		fmt.Fprintf(&b, "\nA genome has a tree for each of: %s.\n\n| word | gives | what |\n"+
			"|---|---|---|\n", strings.Join(l.Trees, ", "))
		for _, w := range l.Words {
			what := w.About
			if w.With != "" {
				what += ", with `" + strings.ReplaceAll(w.With, " and ", "` and `") + "`"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", w.call(), w.Gives, cell(what))
		}
	}
	return b.Bytes()
}
