package coevolution

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine"
	"clade/experiments/league"
	"clade/experiments/resultcache"
	"clade/experiments/runner"
	"clade/experiments/version"
	"clade/gp"
)

// Book says on which boards the players of a run meet, and keeps what they did. Both depend on what
// the players are, not on who else plays, so that all who open it tell the same numbers.
type Book struct {
	game  engine.Game
	seed  engine.Seed
	cache *resultcache.Cache
}

// Entrant is a player as a book knows it.
type Entrant struct {
	builtIn bool // or named by the study, and no champion
	content string
}

// Kept is where what was played of a run is kept: in its directory, for all who monitor it.
func Kept(r *runner.Run) string { return filepath.Join(r.Dir, "monitor", "played") }

// Keep makes sure that there can be a file Kept, and returns its path; "" where there cannot.
func Keep(r *runner.Run) string {
	path := Kept(r)
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

// Seed returns the seed of the boards that all use who monitor runs, under a number that a person
// chooses; 1 where nobody has chosen.
func Seed(number uint64) engine.Seed { return engine.Seed(number).Name("monitor") }

// OpenBook opens the book of a run under a seed of the boards, which knows what Kept holds. Path is
// that of the file to which more is written; "" stands for none.
func OpenBook(r *runner.Run, seed engine.Seed, path string) (*Book, error) {
	b := &Book{game: r.Game, seed: seed}
	info := r.Game.Info()
	about := struct {
		Program, Game string
		Rules         int
		Settings      any
	}{version.This().Name(), info.Name, info.Version, engine.SettingsKey(r.Game)}
	var err error
	b.cache, err = resultcache.Open(path, about, Kept(r))
	return b, err
}

// Save writes what is not written yet.
func (b *Book) Save() error { return b.cache.Save() }

// Champion returns a champion with a genome.
func (b *Book) Champion(ge gp.Genome) *Entrant {
	return &Entrant{false, digest(b.game.Grammar().PrintSpecies(&gp.Species{Genome: ge}))}
}

// Opponent returns a player of a run's panel.
func (b *Book) Opponent(r *runner.Run, name string) *Entrant {
	content, _ := r.Study.Scope().Content(r.Game, name)
	return &Entrant{true, digest(content)}
}

func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:32] }

// Pair says on which boards two players meet. All champions meet an opponent of the panel on the
// same boards, so that what differs between them is the champions.
func (b *Book) Pair(x, y *Entrant) league.Pair {
	if x.builtIn && !y.builtIn {
		p := b.Pair(y, x)
		p.Swap = true
		return p
	}
	p := b.named("champions", x, y)
	if y.builtIn && !x.builtIn {
		p.Seed = b.seed.Name("panel").Name(y.content)
	}
	return p
}

// named returns the boards of two players for a purpose.
func (b *Book) named(purpose string, x, y *Entrant) league.Pair {
	return league.Pair{Seed: b.seed.Name(purpose).Name(x.content).Name(y.content), Cache: b.cache,
		Key: fmt.Sprintf("%s %016x %s %s", purpose, uint64(b.seed), x.content, y.content)}
}

// decisionCount is in how many decisions a subtree of a champion must matter.
const decisionCount = 200

// Introns tells which nodes of a champion never changed a decision; see league.Introns. The second
// result is the number of decisions.
func (b *Book) Introns(ctx context.Context, ge gp.Genome) ([][]bool, int, error) {
	type found struct {
		Dead      [][]bool
		Decisions int
	}
	name := fmt.Sprintf("introns %016x %s", uint64(b.seed), b.Champion(ge).content)
	if f, ok := resultcache.Recall[found](b.cache, name); ok {
		return f.Dead, f.Decisions, nil
	}
	dead, n, err := league.Introns(ctx, b.game, ge, decisionCount, b.seed.Name("introns"), nil)
	if err == nil {
		b.cache.Record(name, found{dead, n})
	}
	return dead, n, err
}
