package amoeboid

import (
	"fmt"
	"strings"
	"sync"

	"clade/engine"
	"clade/engine/system/durable"
	"clade/gp"
	"clade/gp/input"
)

// Settings are the parameters of a game.
type Settings struct {
	Board      string `toml:"board"`
	Size       int    `toml:"size"`
	Neighbours int    `toml:"neighbours"`
	Graph      string `toml:"graph"`
	Die        int    `toml:"die"`
	Limit      int    `toml:"limit"`
	AtLimit    string `toml:"at-limit,omitempty" unset:"tie"`
}

// Table implements engine.Settings.
func (s *Settings) Table() []engine.Setting {
	return []engine.Setting{
		engine.Word("board", &s.Board, "kind of board", "grid", "path", "cycle", "star", "file"),
		engine.Whole("size", &s.Size, 2, 64, "cells",
			"a side of a grid, 2 to 8, or the whole of a path, a cycle or a star"),
		engine.Whole("neighbours", &s.Neighbours, 4, 8, "cells", "of a cell of a grid: 8 or 4"),
		engine.Word("graph", &s.Graph, "of board \"file\": the name of a graph file, or its text, "+
			"which has line breaks: first \"cells N\", then \"edge C D\" for neighbours, which count "+
			"from 0, \"start C D\" for where A and B start, and for a picture \"at C COLUMN ROW\""),
		engine.Whole("die", &s.Die, 1, 20, "sides", "of the die"),
		engine.Whole("limit", &s.Limit, 2, 100_000, "plies", "after which the game ends"),
		engine.Word("at-limit", &s.AtLimit, "what a game that reaches the limit is: a tie (\"\"), or "+
			"won by the player whose first advantage (units) or second (control) is greater; "+
			"breeding learns nothing from ties", "", "units", "control"),
	}
}

// Default returns the document's game: 3 x 3 cells, eight neighbours, a six-sided die. The limit of
// 400 plies is ours.
func Default() Settings {
	return Settings{Board: "grid", Size: 3, Neighbours: 8, Die: 6, Limit: 400}
}

// Game is Amoeboid with its parameters.
type Game struct {
	settings Settings
	graph    *Graph
	matches  *sync.Pool // of *match: memory of running games
	compile  *sync.Pool // of *gp.Compiler

	vocabulary *vocabulary
}

// FromSettings returns the game with the given parameters. Errors name the field and its range, or
// the line of the graph file.
func FromSettings(s Settings) (*Game, error) { return usual().game(s) }

// game returns the game of FromSettings with this vocabulary.
func (v *vocabulary) game(s Settings) (*Game, error) {
	if err := engine.CheckSettings("amoeboid", &s); err != nil {
		return nil, err
	}
	if s.Graph != "" && s.Board != "file" {
		return nil, input.Faultf("graph",
			"amoeboid: graph is only read with board = \"file\", not with %q",
			s.Board)
	}
	graph, err := s.build()
	if err != nil {
		return nil, err
	}
	if s.Board == "file" {
		// so that a game's settings do not depend on the file
		s.Graph = graph.text()
	}
	g := &Game{settings: s, graph: graph, vocabulary: v}
	g.matches = &sync.Pool{New: func() any { return &match{game: g, t: v.turn(graph, s.Die)} }}
	g.compile = &sync.Pool{New: func() any { return gp.NewCompiler(v.grammar) }}
	return g, nil
}

// File returns the name of the graph file.
func (s Settings) File() string {
	if s.Board != "file" || strings.Contains(s.Graph, "\n") {
		return ""
	}
	return s.Graph
}

// build makes the board.
func (s Settings) build() (*Graph, error) {
	switch s.Board {
	case "grid":
		return grid(s.Size, s.Neighbours)
	case "path":
		return path(s.Size)
	case "cycle":
		return cycle(s.Size)
	case "star":
		return star(s.Size)
	case "file":
		file := s.File()
		if file == "" {
			return parseGraph("graph", s.Graph)
		}
		text, err := durable.ReadFile(file, durable.MaxText)
		if err != nil {
			return nil, input.Faultf("graph", "amoeboid: graph: %w", err)
		}
		return parseGraph(file, string(text))
	}
	panic("amoeboid: board " + s.Board) // CheckSettings knows them
}

// New returns the document's game.
func New() *Game {
	g, err := FromSettings(Default())
	if err != nil {
		panic(err.Error())
	}
	return g
}

// Graph returns the board.
func (g *Game) Graph() *Graph { return g.graph }

// The marks of a seat in a result.
const (
	markUnits   = iota // units at the end
	markControl        // sum of the sizes of the own pieces at the end
	markEaten          // pieces of the other player eaten
	markForfeit        // 1 where the game ended by the seat's illegal move
)

// Info describes the game. A seat's score is 1 for a win, 1/2 for a tie, 0 for a loss.
func (g *Game) Info() engine.Info {
	return engine.Info{
		Name: "amoeboid", Title: "Amoeboid",
		About: "two players grow, split and eat amoebae by the roll of a die until one owns none",
		Rules: "Roll the die, and let one of your amoebas grow by as many units. Then move any " +
			"part of one of them to a neighbouring cell that is empty, or whose amoeba is no " +
			"larger than the part. The units there join it, its own and others; an amoeba " +
			"belongs to whom most of its units are, and to nobody if they are equal. What you " +
			"leave behind stays an amoeba. Who has none left has lost.",
		Version: 1, MinSeats: 2, MaxSeats: 2, Decisions: (g.settings.Limit + 1) / 2, Chance: true,
		Marks:     []string{"units", "control", "eaten", "forfeit"},
		MostMarks: []float64{markForfeit: 1}, Scores: engine.Bounds{Most: 1}, Halves: true,
	}
}

// Settings returns a pointer to the present Settings.
func (g *Game) Settings() engine.Settings {
	s := g.settings
	return &s
}

// With returns the game with other Settings.
func (g *Game) With(settings any) (engine.Game, error) {
	s, ok := settings.(*Settings)
	if !ok {
		return nil, fmt.Errorf("amoeboid: settings are of type %T, not *amoeboid.Settings", settings)
	}
	return FromSettings(*s)
}
