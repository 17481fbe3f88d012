package evolve

import (
	"fmt"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

func TestDefaultIsSound(t *testing.T) {
	c := Default()
	proof.OK(t, c.Check())
	if err := new(Config).Check(); err == nil {
		t.Error("the zero value is accepted")
	}
}

func TestCheckNamesTheFault(t *testing.T) {
	for _, test := range []struct {
		change func(c *Config)
		want   string
	}{
		{func(c *Config) { c.Population, c.Selection = 1, ByPairs },
			"population must be in 2..1000000, not 1"},
		{func(c *Config) { c.Population, c.Islands = 1_000_000, 1000 }, "population times islands"},
		{func(c *Config) { c.Islands = 0 }, "islands must be in"},
		{func(c *Config) { c.Generations = 0 }, "generations must be in"},
		{func(c *Config) { c.Selection = "tournamnet" },
			`selection: unknown setting "tournamnet", did you mean "tournament"?`},
		{func(c *Config) { c.Replacement = "" }, "replacement: unknown setting"},
		{func(c *Config) { c.Tournament = 2251 }, "tournament must be in 2..2250"},
		{func(c *Config) { c.Seats = 1 }, "seats must be in 2..16, not 1"},
		{func(c *Config) { c.Seats = 17; c.Selection = ByPairs }, "seats must be in 2..16, not 17"},
		{func(c *Config) { c.Seats = 3 }, "seats must be 2 with the selection \"tournament\""},
		{func(c *Config) { c.Boards = 0 }, "boards must be in"},
		{func(c *Config) { c.Once = true }, "once must be false"},
		{func(c *Config) { c.Hall = -1 }, "hall must be in"},
		{func(c *Config) { c.Hall, c.Champion.Against = 1, nobody }, "hall needs champions"},
		{func(c *Config) { c.Population, c.Hall, c.Selection = 10, 9, ByPairs },
			"hall must leave one game with the selection \"pairs\", and so be at most 8, not 9"},
		{func(c *Config) { c.Population, c.Hall, c.Selection, c.Seats = 10, 8, ByPairs, 3 },
			"hall must leave one game with the selection \"pairs\", and so be at most 7, not 8"},
		{func(c *Config) { c.Hall, c.HallDraw = 1, "nush" }, `did you mean "nash"?`},
		{func(c *Config) { c.HallDraw = nash }, "hall-draw says how the hall is drawn"},
		{func(c *Config) { c.Champion.Archive = -1 }, "champion.archive must be in 0..1"},
		{func(c *Config) { c.Champion.Against, c.Champion.Archive = panel, 1 },
			"champion.archive must be 0"},
		{func(c *Config) { c.Champion.Former = true },
			"champion.former must be false where champion.archive is 0"},
		{func(c *Config) { c.Champion.Tune = 9999 }, "champion.tune must be in 10000..10000000"},
		{func(c *Config) { c.Champion.Tune = -1 }, "champion.tune must be in"},
		{func(c *Config) { c.Champion.Tune, c.Champion.Against = 10_000, nobody },
			"champion.tune must be 0 where champion.against is \"none\""},
		{func(c *Config) { c.Champion.Tune, c.Seats, c.Selection = 10_000, 3, ByPairs },
			"champion.tune must be 0 where seats is 3"},
		{func(c *Config) { c.Champion.Tune, c.Generations = 10_000, 1 },
			"champion.tune needs champions of earlier generations"},
		{func(c *Config) { c.Selection = ByRace }, "elites must be at least 2"},
		{func(c *Config) { c.Selection, c.Elites, c.Race.Games = ByRace, 9, []int{48, 64} },
			"race.games must be multiples of 8"},
		{func(c *Config) { c.Selection, c.Elites, c.Race.Archive = ByRace, 9, 2 },
			"race.archive must be in 0..1, not 2"},
		{func(c *Config) { c.Selection, c.Elites, c.Seats = ByRace, 9, 3 }, "seats must be 2"},
		{func(c *Config) { c.Selection, c.Elites, c.Replacement = ByRace, 9, replaceLosers },
			"replacement must be"},
		{func(c *Config) { c.Elites = 2250 }, "elites must be in 0..2249"},
		{func(c *Config) { c.Elites, c.Replacement = 1, replaceLosers }, "elites must be 0"},
		{func(c *Config) { c.Selection, c.Replacement = ByPairs, replaceLosers }, "replacement must be"},
		{func(c *Config) { c.Founders.MinDepth = 0 }, "founders.min-depth"},
		{func(c *Config) { c.Founders.MinDepth, c.Founders.MaxDepth = 9, 8 },
			"founders.min-depth must be in 1..8, not 9"},
		{func(c *Config) { c.Founders.MaxDepth = 9 }, "founders.max-depth must be in 2..8, not 9"},
		{func(c *Config) { c.Variation.MaxDepth = 61 }, "variation.max-depth"},
		{func(c *Config) { c.Variation.Crossover = 1.5 }, "variation: the chance crossover"},
		{func(c *Config) { c.Selection, c.Fitness.Measure = ByFitness, "win" }, `did you mean "wins"?`},
		{func(c *Config) { c.Selection, c.Fitness.Opponents = ByFitness, "" }, "fitness.opponents"},
		{func(c *Config) { c.Selection, c.Fitness.Count = ByFitness, 2250 }, "fitness.count"},
		{func(c *Config) {
			c.Selection, c.Fitness.Opponents, c.Population = ByFitness, allOpponents, 10_001
		}, "population must be at most 10000"},
		{func(c *Config) { c.Islands, c.Migration.Every = 2, 0 }, "migration.every"},
		{func(c *Config) { c.Islands, c.Migration.Migrants = 2, 2251 }, "migration.migrants"},
		{func(c *Config) { c.Migration.Layers = true }, "migration.layers must be false where"},
		{func(c *Config) { c.Champion.Against = "pannel" }, `did you mean "panel"?`},
		{func(c *Config) { c.Champion.Candidates = -1 }, "champion.candidates"},
		{func(c *Config) { c.Champion.Games = 7 }, "champion.games"},
		{func(c *Config) { c.Champion.Every = 0 }, "champion.every"},
		{func(c *Config) { c.Probes.Games = -1 }, "probes.games"},
		{func(c *Config) { c.Probes.Every = 0 }, "probes.every"},
		{func(c *Config) { c.Lineage = "all" }, "lineage: unknown setting"},
		{func(c *Config) { c.Checkpoint = 0 }, "checkpoint must be in"},
	} {
		c := Default()
		test.change(&c)
		err := c.Check()
		proof.Says(t, err, test.want)
		proof.Is(t, strings.Count(fmt.Sprint(err), "\n"), 0, "lines of more faults than one in %v", err)
	}
}

func TestCheckNamesAllFaults(t *testing.T) {
	c := Default()
	c.Population, c.Boards, c.Lineage = 0, 0, "?"
	if n := len(strings.Split(fmt.Sprint(c.Check()), "\n")); n < 3 {
		t.Errorf("only %d faults: %v", n, c.Check())
	}
}

func TestCheckSetup(t *testing.T) {
	for _, test := range []struct {
		change func(s *Setup)
		want   string
	}{
		{func(s *Setup) { s.Game = nil }, "no game"},
		{func(s *Setup) { s.Config.Boards = 0 }, "boards must be"},
		{func(s *Setup) { s.Config.Selection, s.Config.Seats = ByPairs, 3 }, "seats must be at most 2"},
		{func(s *Setup) {
			s.Panel, s.Config.Selection, s.Config.Fitness.Opponents = nil, ByFitness, panel
		}, "the panel is empty"},
		{func(s *Setup) { s.Config.Hall, s.Config.HallDraw, s.Panel = 3, panel, nil },
			"hall-draw is \"panel\""},
		{func(s *Setup) { s.Reference, s.Config.Champion.Against = nil, panel },
			"the reference panel is empty"},
		{func(s *Setup) { s.Reference = []engine.Player{nil} }, "a player that is nil"},
		{func(s *Setup) { s.Config.Founders.MaxDepth, s.Config.Variation.MaxDepth = 21, 30 },
			"founders.max-depth is 21, and a tree of numbers that grows so deep can fill the " +
				"memory; the most is 20"},
		{func(s *Setup) { s.Config.Variation.GrowDepth = 21 }, "variation.grow-depth is 21, and"},
		{func(s *Setup) { s.Workers = -1 }, "workers must be"},
	} {
		s := setup(t, small())
		test.change(&s)
		proof.Fails(Create(t.TempDir(), s))(t, test.want)
	}
}
