package evolve

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"clade/engine"
	"clade/gp"
	"clade/gp/input"
)

// Default returns the settings of BrilliANT's run (RA-05/07, Table 1); where the paper is silent,
// ECJ's defaults.
func Default() Config {
	return Config{
		Population: 2250, Islands: 1, Generations: 1350,
		Selection: ByTournament, Replacement: replaceAll, Tournament: 5, Seats: 2, Boards: 6,
		Founders:  Founders{MinDepth: 2, MaxDepth: 6},
		Variation: gp.PaperVariation,
		Fitness:   Fitness{Measure: measureWins, Opponents: randomOpponents, Count: 5},
		Migration: Migration{Every: 10, Migrants: 10},
		Champion:  Champion{Against: inside, Candidates: 64, Games: 256, Every: 1},
		Probes:    Probes{Games: 2, Every: 10},
		Lineage:   lineageBoth, Checkpoint: 10,
	}
}

const (
	maxIndividuals = 10_000_000 // of all islands
	maxTreeDepth   = 60
)

// Check returns all faults of the settings, joined into one error with a line for each.
func (c *Config) Check() error {
	f := faults{}
	// A value out of range must not cause further faults.
	sound := *c
	if !f.within("islands", c.Islands, 1, 1000) {
		sound.Islands = 1
	}
	if !f.within("population", c.Population, 2, 1_000_000) {
		sound.Population = maxIndividuals / sound.Islands
	}
	// gp.Grammar.Depth keeps 64 levels without allocation
	if !f.within("variation.max-depth", c.Variation.MaxDepth, 1, maxTreeDepth) {
		sound.Variation.MaxDepth = maxTreeDepth
	}
	c = &sound
	f.within("generations", c.Generations, 1, maxGenerations)
	if c.Games < 0 || c.Games > 1e15 {
		f.add("games", "must be in 0..10^15, not %d", c.Games)
	}
	if !(c.Seconds >= 0 && c.Seconds <= 1e9) {
		f.add("seconds", "must be in 0..10^9, not %v", c.Seconds)
	}
	var selections []string
	for _, s := range schemes() {
		selections = append(selections, s.name())
	}
	f.among("selection", c.Selection, selections...)
	f.among("replacement", c.Replacement, replaceAll, replaceLosers)
	f.within("seats", c.Seats, 2, min(engine.MaxSeats, c.Population))
	f.within("boards", c.Boards, 1, 1000)
	f.within("hall", c.Hall, 0, 1000)
	f.within("elites", c.Elites, 0, c.Population-1)
	f.among("hall-draw", c.draw(), uniform, nash, hardness, panel)
	if c.HallDraw != "" && c.Hall == 0 {
		f.add("hall-draw", "says how the hall is drawn, and hall is 0; set hall, or leave it out")
	}
	c.checkFounders(&f)
	if err := c.Variation.Check(); err != nil {
		f = append(f, input.Below("variation", fmt.Errorf("variation: %w", errors.Unwrap(err))))
	}
	c.Filter.check(&f)
	if scheme := c.scheme(); scheme != nil {
		scheme.check(c, &f)
	}
	if c.Islands > 1 {
		f.within("migration.every", c.Migration.Every, 1, 10_000_000)
		f.within("migration.migrants", c.Migration.Migrants, 0, c.Population)
	}
	if c.Migration.Layers && c.Islands < 2 {
		f.add("migration.layers", "must be false where islands is %d: every layer is an island",
			c.Islands)
	}
	f.among("champion.against", c.Champion.Against, inside, panel, fittest, nobody)
	if c.Champion.Against != nobody {
		if c.Champion.Against != fittest {
			f.within("champion.candidates", c.Champion.Candidates, 0, 1_000_000_000)
			f.within("champion.games", c.Champion.Games, 8, 1_000_000)
		}
		f.within("champion.every", c.Champion.Every, 1, 10_000_000)
		if a := c.Champion.Archive; !(a >= 0 && a <= 1) {
			f.add("champion.archive", "must be in 0..1, not %v", a)
		} else if a > 0 && c.Champion.Against != inside {
			f.add("champion.archive", "must be 0 where champion.against is %q, not %v",
				c.Champion.Against, a)
		} else if a == 0 && c.Champion.Former {
			f.add("champion.former", "must be false where champion.archive is 0")
		}
	}
	c.checkTune(&f)
	f.within("probes.games", c.Probes.Games, 0, 1000)
	if c.Probes.Games > 0 {
		f.within("probes.every", c.Probes.Every, 1, 10_000_000)
	}
	f.among("lineage", c.Lineage, lineageBoth, lineageFirst, lineageNone)
	f.within("checkpoint", c.Checkpoint, 1, 10_000_000)
	if c.UsesHall() && c.Champion.Against == nobody {
		f.add("hall", "needs champions; set champion.against to %q or %q, or hall to 0", inside, panel)
	}
	if n := c.Population * c.Islands; n > maxIndividuals {
		f.add("population", "times islands must be at most %d, not %d", maxIndividuals, n)
	}
	c.checkSolitary(&f)
	return f.join()
}

// checkFounders finds founders that cannot grow, or may be deeper than their children.
func (c *Config) checkFounders(f *faults) {
	limit, least := c.Variation.MaxDepth, c.Founders.MinDepth
	f.within("founders.min-depth", least, 1, limit)
	if least < 1 || least > limit {
		least = 1 // so that the fault is reported once
	}
	f.within("founders.max-depth", c.Founders.MaxDepth, least, limit)
	f.within("founders.retries", c.Founders.Retries, 0, 10_000)
	sound := true
	for _, chance := range []struct {
		key string
		v   float64
	}{{"founders.share", c.Founders.Share}, {"founders.mutants", c.Founders.Mutants}} {
		if !(chance.v >= 0 && chance.v <= 1) {
			f.add(chance.key, "must be in 0..1, not %v", chance.v)
			sound = false
		} else if chance.v > 0 && len(c.Founders.Species) == 0 {
			f.add(chance.key, "must be 0 where founders.species names none, not %v", chance.v)
		}
	}
	switch n, all := c.descended(), len(c.Founders.Species); {
	case sound && n > c.Population:
		f.add("founders.species", "names %d, and an island has room for %d; raise population, or "+
			"set founders.share, which divides them among the islands", all, c.Population)
	case sound && n*c.Islands < all:
		f.add("founders.species", "names %d, and there is room for %d; raise population or "+
			"founders.share", all, n*c.Islands)
	}
}

// checkSolitary finds settings that contradict playing alone, or need it.
func (c *Config) checkSolitary(f *faults) {
	if !c.solitary() {
		if c.Champion.Against == fittest {
			f.add("champion.against",
				"is %q, which needs fitness without opponents; set it to %q, "+
					"%q or %q", fittest, inside, panel, nobody)
		}
		if c.StopAt != 0 {
			f.add("stop-at", "must be 0 where individuals have opponents, not %v: no score is the "+
				"best for ever", c.StopAt)
		}
		return
	}
	if c.Fitness.Measure != measureScore {
		f.add("fitness.measure", "must be %q where individuals play alone, not %q", measureScore,
			c.Fitness.Measure)
	}
	if c.Hall > 0 {
		f.add("hall", "must be 0 where individuals play alone, not %d", c.Hall)
	}
	if a := c.Champion.Against; a != fittest && a != nobody {
		f.add("champion.against", "must be %q or %q where individuals play alone, not %q", fittest,
			nobody, a)
	}
	if math.IsNaN(c.StopAt) || math.IsInf(c.StopAt, 0) {
		f.add("stop-at", "must be a finite number, not %v", c.StopAt)
	} else if c.StopAt != 0 && c.Champion.Against != fittest {
		f.add("stop-at", "needs champion.against to be %q, not %q", fittest, c.Champion.Against)
	}
}

// CheckGame returns all faults of the settings by themselves, and those that only the game and the
// sizes of the panels show.
func (s *Setup) CheckGame() error {
	f := faults{}
	if err := s.Config.Check(); err != nil {
		f = append(f, err)
	}
	if info := s.Game.Info(); s.Config.solitary() != (info.MaxSeats == 1) {
		if info.MaxSeats == 1 {
			f.add("selection", "must be %q in %s, which is for one player, with "+
				"fitness.measure %q, fitness.opponents %q and champion.against %q", ByFitness,
				info.Name, measureScore, nobody, fittest)
		} else {
			f.add("fitness.opponents",
				"is %q, and %s is not for one player; set it to %q, %q or %q",
				nobody, info.Name, randomOpponents, allOpponents, panel)
		}
	} else if info.MinSeats > max(2, s.Config.Seats) {
		f.add("seats", "must be at least %d, which %s has, not %d; more than two play with the "+
			"selection %q", info.MinSeats, info.Name, s.Config.Seats, ByPairs)
	}
	if info := s.Game.Info(); s.Config.Migration.Layers && info.MinSeats > 2 {
		f.add("migration.layers", "must be false in %s: newcomers of the last layer challenge "+
			"incumbents in matches of two, and it has %d players or more", info.Name, info.MinSeats)
	}
	if info := s.Game.Info(); s.Config.Seats > max(2, info.MaxSeats) {
		f.add("seats", "must be at most %d, which %s has, not %d", info.MaxSeats, info.Name,
			s.Config.Seats)
	}
	if s.Config.Selection == ByFitness && s.Config.Fitness.Opponents == panel && len(s.Panel) == 0 {
		f.add("fitness.opponents", "is %q, and the panel is empty; name its players", panel)
	}
	if s.Config.Hall > 0 && s.Config.HallDraw == panel && len(s.Panel) == 0 {
		f.add("hall-draw", "is %q, and the panel is empty; name its players", panel)
	}
	if s.Config.Champion.Against == panel && len(s.Reference) == 0 {
		f.add("champion.against", "is %q, and the reference panel is empty; name its players", panel)
	}
	if len(f) == 0 { // else some faults would only follow from others
		if g, err := s.grammar(); err != nil {
			f = append(f, err)
		} else {
			s.checkDepths(g, &f)
		}
	}
	return f.join()
}

// Check returns all faults of the settings, and everything that they need and the setup lacks,
// joined into one error. Create and Resume call it.
func (s *Setup) Check() error {
	if s.Game == nil {
		return errors.New("the setup has no game")
	}
	f := faults{}
	if err := s.CheckGame(); err != nil {
		f = append(f, err)
	}
	if s.RemoteIslands != nil {
		if err := s.Config.checkRemote(); err != nil {
			f = append(f, err)
		}
	}
	if len(f) == 0 { // else some faults would only follow from others
		if err := s.checkFounders(); err != nil {
			f = append(f, err)
		}
	}
	if s.Workers < 0 || s.Workers > maxWorkers {
		f.add("workers", "must be in 0..%d, not %d", maxWorkers, s.Workers)
	}
	for _, p := range [][]engine.Player{s.Panel, s.Reference} {
		if slices.Contains(p, nil) {
			f.add("", "a panel holds a player that is nil")
		}
	}
	return f.join()
}
