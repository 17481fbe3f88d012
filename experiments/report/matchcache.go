package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine"
	"clade/experiments/league"
	"clade/experiments/runner"
	"clade/experiments/version"
	"clade/gp"
)

// matchCache chooses the boards on which the players of a run meet, and caches the results. Both
// depend on the two players alone, so that everything that opens it gets the same numbers.
type matchCache struct {
	game  engine.Game
	seed  engine.Seed
	cache *league.Cache
	world string // of the keys of games by other settings than the run's
}

// participant is a player identified by its content.
type participant struct {
	builtIn bool // or named by the study, and no champion
	content string
}

// MonitorCachePath returns the file of a run's cached results.
func MonitorCachePath(r *runner.Run) string { return filepath.Join(r.Dir, "monitor", "played") }

// MakeMonitorCache makes the folder of MonitorCachePath and returns the path; "" if no file can be
// made there.
func MakeMonitorCache(r *runner.Run) string {
	path := MonitorCachePath(r)
	if os.MkdirAll(filepath.Dir(path), 0o777) != nil {
		return ""
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".clade-*")
	if err != nil {
		return ""
	}
	if errors.Join(probe.Close(), os.Remove(probe.Name())) != nil {
		return ""
	}
	return path
}

// MonitorSeed returns the seed of the boards on which runs are monitored, for a number that a
// person chooses; the default is 1.
func MonitorSeed(number uint64) engine.Seed { return engine.Seed(number).Name("monitor") }

// openMatchCache opens the cache of a run under a seed of the boards, with what MonitorCachePath
// holds. New results go to the file of the path; "" keeps them in memory alone.
func openMatchCache(r *runner.Run, seed engine.Seed, path string) (*matchCache, error) {
	m := &matchCache{game: r.Game, seed: seed}
	info := r.Game.Info()
	about := struct {
		Program, Game string
		Rules         int
		Settings      any
	}{version.This().Name(), info.Name, info.Version, engine.SettingsKey(r.Game)}
	var err error
	m.cache, err = league.OpenCache(path, about, MonitorCachePath(r))
	return m, err
}

// playing keeps apart what is played of a game by other settings than the run's.
func (m *matchCache) playing(g engine.Game) error {
	other, err := json.Marshal(engine.SettingsKey(g))
	own, fault := json.Marshal(engine.SettingsKey(m.game))
	if !bytes.Equal(other, own) {
		m.world = " " + digest(string(other))
	}
	return errors.Join(err, fault)
}

// Save writes the results that are not written yet.
func (m *matchCache) Save() error { return m.cache.Save() }

// Champion returns a champion with a genome.
func (m *matchCache) Champion(ge gp.Genome) *participant {
	return &participant{false, digest(m.game.Grammar().PrintSpecies(&gp.Species{Genome: ge}))}
}

// Opponent returns a player of a run's panel.
func (m *matchCache) Opponent(r *runner.Run, name string) *participant {
	content, _ := r.Study.Scope().Content(r.Game, name)
	return &participant{true, digest(content)}
}

func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:32] }

// Pair returns the boards on which two players meet. All champions meet an opponent of the panel on
// the same boards, so that they alone make the difference.
func (m *matchCache) Pair(x, y *participant) league.Pair {
	if x.builtIn && !y.builtIn {
		p := m.Pair(y, x)
		p.Swap = true
		return p
	}
	p := m.named("champions", x, y)
	if y.builtIn && !x.builtIn {
		p.Seed = m.seed.Name("panel").Name(y.content)
	}
	return p
}

// named returns the boards of two players for a purpose.
func (m *matchCache) named(purpose string, x, y *participant) league.Pair {
	return league.Pair{Seed: m.seed.Name(purpose).Name(x.content).Name(y.content), Cache: m.cache,
		Key: fmt.Sprintf("%s %016x %s %s%s", purpose, uint64(m.seed), x.content, y.content, m.world)}
}

// decisionCount is the number of decisions in which a subtree of a champion must matter.
const decisionCount = 200

// Introns reports which nodes of a champion never changed a decision, and the number of decisions;
// see league.Introns.
func (m *matchCache) Introns(ctx context.Context, ge gp.Genome) ([][]bool, int, error) {
	type found struct {
		Dead      [][]bool
		Decisions int
	}
	name := fmt.Sprintf("introns %016x %s", uint64(m.seed), m.Champion(ge).content)
	if f, ok := league.Recall[found](m.cache, name); ok {
		return f.Dead, f.Decisions, nil
	}
	dead, n, err := league.Introns(ctx, m.game, ge, decisionCount, m.seed.Name("introns"), nil)
	if err == nil {
		m.cache.Record(name, found{dead, n})
	}
	return dead, n, err
}
