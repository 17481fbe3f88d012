package darwin

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"clade/engine"
	"clade/gp"
	"clade/gp/input"
)

// settings are the parameters of the game.
type settings struct {
	Map        string        `toml:"map"`
	Maps       string        `toml:"maps,omitempty"`
	Rules      string        `toml:"rules"`
	TimeLimit  float64       `toml:"time-limit"`
	Ascensions int           `toml:"ascensions,omitempty"`
	EffortCost int           `toml:"effort-cost"`
	SharedMap  bool          `toml:"shared-map"`
	KeenSenses bool          `toml:"keen-senses,omitempty"`
	ShrineWays bool          `toml:"shrine-ways,omitempty"`
	View       string        `toml:"view"`
	Maze       mazeSettings  `toml:"maze"`  // what the map "maze" draws
	Arena      arenaSettings `toml:"arena"` // what the map "arena" draws
}

// Table implements engine.Settings.
func (s *settings) Table() []engine.Setting {
	return slices.Concat([]engine.Setting{
		engine.Word("map", &s.Map, "name of a built-in map, path of a file that ends in .map, or "+
			"maze or arena, with which every game has a map of its own by its seed; the built-in "+
			"maps bear the names of the original's and have plans of our own"),
		engine.Word("maps", &s.Maps, "folder of map files, such as source in the original's "+
			"distribution, of which map names one; \"\" for the built-in maps"),
		engine.Word("rules", &s.Rules, "rule set", "original", "handbook"),
		engine.Real("time-limit", &s.TimeLimit, 0, 1000, "seconds",
			"of the game clock that end a game; 0 for the limit of the rule set"),
		engine.Whole("ascensions", &s.Ascensions, 0, 1000, "ascensions",
			"that win a game alone; 0 for the number of the rule set"),
		engine.Whole("effort-cost", &s.EffortCost, 0, 1_000_000, "virtual nanoseconds",
			"price of a unit of effort, such as a node of an evolved tree; 0: every decision costs "+
				"the same"),
		engine.Switch("shared-map", &s.SharedMap, "all creatures of an evolved species have one "+
			"memory of what they have seen"),
		engine.Switch("keen-senses", &s.KeenSenses, "evolved creatures perceive ways, too: to "+
			"food, to enemies, and to what they have not seen"),
		engine.Switch("shrine-ways", &s.ShrineWays, "enchanted creatures that are evolved perceive "+
			"the way to their shrines"),
		engine.Neutral(engine.Word("view", &s.View, "how games are drawn", "flat", "isometric")),
	}, s.Maze.table(), s.Arena.table())
}

// defaults returns the settings of New.
func defaults() settings {
	return settings{
		Map: "ns_faceoff", Rules: "original", View: "flat",
		Maze: mazeSettings{Width: 21, Height: 21, Loops: 10},
		Arena: arenaSettings{Width: 29, Height: 29, Species: 2, Creatures: 8, Walls: 12, Apples: 10,
			Hazards: 8},
	}
}

// Settings returns the present parameters, a *settings.
func (g *game) Settings() engine.Settings {
	s := g.settings
	return &s
}

// With returns the game with other parameters, a *settings.
func (g *game) With(other any) (engine.Game, error) {
	s, ok := other.(*settings)
	if !ok {
		return nil, fmt.Errorf("darwin: the settings must be a %T, not a %T", s, other)
	}
	return g.as(*s)
}

// as returns the game with other settings, which it checks, and its map.
func (like *game) as(s settings) (engine.Game, error) {
	g := &game{settings: s, plain: like.plain, senses: like.senses, grammar: like.grammar,
		level: like.level, fault: like.fault}
	if l := like.settings; g.grammar == nil || s.KeenSenses != l.KeenSenses ||
		s.ShrineWays != l.ShrineWays {
		if g.senses = g.plain; s.KeenSenses {
			g.senses = slices.Concat(g.senses, keenSenses)
		}
		if s.ShrineWays {
			g.senses = slices.Concat(g.senses, shrineSenses)
		}
		var err error
		if g.grammar, err = vocabulary(g.senses); err != nil {
			return nil, err
		}
	}
	for i, k := range candidates {
		g.asks[i] = g.grammar.Ask(k.slot, k.turn)
	}
	if err := engine.CheckSettings("darwin", &s); err != nil {
		return nil, err
	}
	if err := g.setRules(); err != nil {
		return nil, err
	}
	if err := g.setMap(); err != nil {
		return nil, err
	}
	g.compile = &sync.Pool{New: func() any { return gp.NewCompiler(g.grammar, g.lacking()) }}
	g.colonies = &sync.Pool{New: func() any { return new(evolvedColony) }}
	return g, nil
}

func (g *game) setRules() error {
	switch g.settings.Rules {
	case "original":
		g.rules = original()
	case "handbook":
		g.rules = handbook()
	}
	limit := g.settings.TimeLimit
	if limit > 0 {
		if g.rules.timeLimit = int64(limit * float64(second)); g.rules.timeLimit == 0 {
			return input.Faultf("time-limit",
				"darwin: time-limit must be 0 or at least a nanosecond, not %v seconds", limit)
		}
		g.rules.mazeLimit = g.rules.timeLimit
	}
	if g.rules.mazeLimit == 0 {
		g.rules.mazeLimit = mazeGuard
	}
	if s := g.settings.Ascensions; s > 0 {
		g.rules.ascensionsToWin = s
	}
	return nil
}

// File returns the name of the map's file.
func (s *settings) File() string {
	switch {
	case s.Maps != "":
		return filepath.Join(s.Maps, strings.TrimSuffix(s.Map, mapSuffix)+mapSuffix)
	case strings.HasSuffix(s.Map, mapSuffix):
		return s.Map
	}
	return ""
}

func (g *game) setMap() error {
	s := &g.settings
	if s.Maps != "" && (s.Map == "maze" || s.Map == "arena") {
		return input.Faultf("maps", "darwin: maps: every game has a map = %q of its own, which "+
			"is in no folder; leave maps out", s.Map)
	}
	switch {
	case s.Map == "maze":
		if err := s.Maze.check(); err != nil {
			return err
		}
		g.maze, g.seats = true, 1
		return nil
	case s.Map == "arena":
		if err := s.Arena.check(); err != nil {
			return err
		}
		g.seats = s.Arena.Species
		return nil
	case s.File() != "":
		var err error
		if g.fixed, err = s.readMap(); err != nil {
			return err
		}
	default:
		var err error
		if g.fixed, err = loadMap(s.Map); err != nil {
			return err
		}
	}
	g.maze, g.seats = g.fixed.maze(), g.fixed.seats()
	if g.seats == 0 {
		return input.Faultf("map",
			"darwin: map %s has no digit, so it has no seat; put a 0 where "+
				"a creature is to start", s.Map)
	}
	for n := 1; n <= maxSeats; n++ {
		g.grounds[n] = newGround(g.fixed, &g.rules, n)
		if err := g.grounds[n].playable(s.Map); err != nil {
			return err
		}
	}
	return nil
}

// lacking returns what creatures never sense on the maps of the game.
func (g *game) lacking() (s gp.Situation) {
	letters := g.settings.letters()
	if g.fixed != nil {
		letters = string(g.fixed.rows)
	}
	var next [gp.Any + 1]int
	for i := range g.senses {
		row := &g.senses[i]
		bit := uint64(1) << next[row.form]
		next[row.form]++
		switch {
		case row.needs == "" || strings.ContainsAny(letters, row.needs):
		case row.form == gp.Scalar:
			s.Zero |= bit
		case row.form == gp.Flag:
			s.Unset |= bit
		default:
			s.Empty |= uint16(bit)
		}
	}
	return s
}
