package seating

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"clade/engine"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp"
	"clade/gp/suggest"
)

// Claim is what a species file says of its game.
type Claim struct {
	name string // of the player
	file string // for errors
	gp.Header
	words, world []gp.Setting // its settings that bring words, and the others
}

// Claims returns the claims of those of the named players that are species of a game.
func Claims(scope player.Scope, game string, names ...string) ([]Claim, error) {
	g, err := scope.Game(game)
	if err != nil {
		return nil, err
	}
	var all []Claim
	for _, name := range names {
		path, err := scope.File(g, name)
		if err == nil && path == "" {
			continue
		}
		var c *Claim
		if err == nil {
			c, err = ReadClaim(scope, name, path)
		}
		if err != nil {
			return nil, fmt.Errorf("player %q: %w", name, err)
		}
		if c.Game == game { // else finding the player fails
			all = append(all, *c)
		}
	}
	return all, nil
}

// ReadClaim returns the claim of a species file. If it is the champion of a run by an earlier
// version, which did not write settings into species, the settings are those of the run.
func ReadClaim(scope player.Scope, name, path string) (*Claim, error) {
	text, err := player.ReadText(path)
	if err != nil {
		return nil, err
	}
	c, err := ParseClaim(name, path, string(text))
	if err != nil || len(c.Settings) > 0 {
		return c, err
	}
	dir := filepath.Dir(path)
	if filepath.Base(dir) == rundir.ChampionFolder {
		dir = filepath.Dir(dir)
	} else if filepath.Base(path) != runner.ChampionFile {
		return c, nil
	}
	if !runner.IsRun(dir) {
		return c, nil
	}
	m, err := runner.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	c.Settings, err = study.SaidBy(scope, dir, []byte(m.Study))
	return c, err
}

// ParseClaim returns the claim in the text of a species file.
func ParseClaim(name, file, text string) (*Claim, error) {
	h, err := gp.ParseHeader(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &Claim{name: name, file: file, Header: *h}, nil
}

// split separates settings that add words from the others. A file that a setting names may be gone:
// it matters only if that setting is used.
func (c *Claim) split(scope player.Scope) error {
	full, err := study.GameWith(scope, c.Game, c.Settings)
	unread, at := (*fs.PathError)(nil), (*suggest.Fault)(nil)
	if errors.As(err, &unread) && errors.As(err, &at) {
		full, err = study.GameWith(scope, c.Game, slices.DeleteFunc(slices.Clone(c.Settings),
			func(s gp.Setting) bool { return s.Key == at.Key }))
	}
	if err != nil {
		return c.locate(err)
	}
	c.words, c.world, err = split(scope, c.Game, nil, c.Settings, full)
	return err
}

// split separates those of some settings that add words of a full game, which has them all, from
// the others. The settings before also hold.
func split(scope player.Scope, game string, before, settings []gp.Setting, full engine.Game) (words,
	world []gp.Setting, err error) {
	world = slices.Clone(settings)
	g, err := study.GameWith(scope, game, before)
	if err != nil {
		return nil, nil, err
	}
	away := distance(g, full)
	for i := 0; away > 0 && i < len(world); i++ {
		with, err := study.GameWith(scope, game, slices.Concat(before, words, world[i:i+1]))
		if err != nil {
			continue // it needs another
		}
		if d := distance(with, full); d < away {
			away, words = d, append(words, world[i])
			world = slices.Delete(world, i, i+1)
			i = -1 // one that was refused may now be taken
		}
	}
	if away > 0 { // they bring words only together
		return settings, nil, nil
	}
	return words, world, nil
}

// distance counts the differences between the words of two games: operators that the first lacks,
// and slots that only one of them has.
func distance(g, from engine.Game) (n int) {
	have, want := g.Grammar(), from.Grammar()
	for _, op := range want.Operators {
		if _, ok := have.Lookup(op.Name); !ok {
			n++
		}
	}
	a, b := slots(have), slots(want)
	for _, pair := range [][2][]string{{a, b}, {b, a}} {
		for _, name := range pair[0] {
			if !slices.Contains(pair[1], name) {
				n++
			}
		}
	}
	return n
}

func slots(g *gp.Grammar) (names []string) {
	for _, s := range g.Slots {
		names = append(names, s.Name)
	}
	return names
}

// locate puts before an error about a species' settings the file, and the line of the setting if it
// is known.
func (c *Claim) locate(err error) error {
	if f := (*suggest.Fault)(nil); errors.As(err, &f) {
		if unread := (*fs.PathError)(nil); errors.As(err, &unread) {
			err = fmt.Errorf("%w; --set %s=… names another", err, f.Key)
		}
		for _, s := range c.Settings {
			if s.Line > 0 && (s.Key == f.Key || strings.HasPrefix(s.Key, f.Key+".")) {
				return fmt.Errorf("%s:%d: %w", c.file, s.Line, err)
			}
		}
	}
	return fmt.Errorf("%s: settings: %w", c.file, err)
}
