// Package match prepares single matches: it chooses the settings of a game in which several species
// play, lets people play, and records the games that they have played, each as a line of a file.
//
// A species file names settings of two kinds. Some add the words that the genome uses: they hold
// wherever the species plays, nothing may contradict them, and with several species the game has
// the words of all. The other settings are the world in which it was bred. If a species is alone, a
// user changes its world setting by setting. If players meet in a game, the species' world holds
// unless the user sets a part of a world; then the rest has the game's defaults, so that no world
// comes half from files and half from a command line.
package match

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
	"clade/gp/input"
)

// Seated is a game in which all players can play.
type Seated struct {
	Game engine.Game
	// Of is the species whose world the game has, and World that world's settings; "" and nil if
	// the world is the game's own or the user's.
	Of    string
	World []gp.Setting
}

// Agree returns the game in which all species can play, with settings of the user, of the form
// key=value. It returns an error that says what to do where two of them, or one and the user,
// contradict each other.
func Agree(scope player.Scope, game string, claims []Claim, set ...string) (*Seated, error) {
	user, err := study.Settings(scope, game, set...)
	if err != nil {
		return nil, err
	}
	for i := range claims {
		if err := claims[i].split(scope); err != nil {
			return nil, err
		}
	}
	words, err := join(claims, user)
	if err != nil {
		return nil, err
	}
	t := &Seated{}
	if own, err := worldly(scope, game, words, user); err != nil {
		return nil, err
	} else if !own {
		if t.Of, t.World, err = oneWorld(claims); err != nil {
			return nil, err
		}
	}
	t.Game, err = study.GameWith(scope, game, slices.Concat(words, t.World, user))
	if err != nil {
		return nil, t.locate(err, claims)
	}
	return t, complete(scope, t.Game, claims)
}

// locate puts before an error of a species' world its file.
func (t *Seated) locate(err error, claims []Claim) error {
	for i := range claims {
		if claims[i].name == t.Of {
			return claims[i].locate(err)
		}
	}
	return err
}

// Own returns the game of one species: with its settings, overridden by those of a user.
func Own(scope player.Scope, c *Claim, set ...string) (engine.Game, error) {
	user, err := study.Settings(scope, c.Game, set...)
	if err != nil {
		return nil, err
	}
	if err := c.split(scope); err != nil {
		return nil, err
	}
	if _, err := join([]Claim{*c}, user); err != nil {
		return nil, err
	}
	g, err := study.GameWith(scope, c.Game, slices.Concat(c.Settings, user))
	if err != nil && len(user) == 0 {
		err = c.locate(err)
	}
	return g, err
}

// Join returns a game, such as a run's, with the words of more species. Its world does not change.
func Join(scope player.Scope, g engine.Game, claims []Claim) (engine.Game, error) {
	name := g.Info().Name
	said, err := study.Said(scope, g)
	if err != nil {
		return nil, err
	}
	for i := range claims {
		if err := claims[i].split(scope); err != nil {
			return nil, err
		}
	}
	words, err := join(claims, said)
	if err != nil {
		return nil, err
	}
	words = slices.DeleteFunc(words, func(w gp.Setting) bool { return find(said, w.Key) != nil })
	if len(words) == 0 { // that it has not got
		return g, complete(scope, g, claims)
	}
	if g, err = study.GameWith(scope, name, slices.Concat(words, said)); err != nil {
		return nil, err
	}
	return g, complete(scope, g, claims)
}

// join returns the settings that add the words of all species. Those of the user also hold.
func join(claims []Claim, user []gp.Setting) (words []gp.Setting, err error) {
	of := map[string]*Claim{}
	for i := range claims {
		c := &claims[i]
		for _, s := range c.words {
			if u := find(user, s.Key); u != nil && !same(*u, s) {
				return nil, fmt.Errorf("%s needs %s for its words, and %s contradicts that; "+
					"leave it out", c.name, s, *u)
			}
			if w := find(words, s.Key); w == nil {
				words, of[s.Key] = append(words, s), c
			} else if !same(*w, s) {
				return nil, apart(of[s.Key], fmt.Sprintf("needs %s for its words", *w), c, s.String())
			}
		}
	}
	return words, nil
}

// apart returns the error of two species that cannot play in one game.
func apart(a *Claim, needs string, b *Claim, other string) error {
	return fmt.Errorf("%s %s, and %s %s: no game takes both; export one of them, and let "+
		"it play as a program", a.name, needs, b.name, other)
}

// worldly reports whether a user describes a world: sets anything that does not add words.
func worldly(scope player.Scope, game string, words, user []gp.Setting) (bool, error) {
	if len(user) == 0 {
		return false, nil
	}
	full, err := study.GameWith(scope, game, slices.Concat(words, user))
	if err != nil {
		return false, err
	}
	more := slices.DeleteFunc(slices.Clone(user), func(s gp.Setting) bool {
		return find(words, s.Key) != nil
	})
	_, world, err := split(scope, game, words, more, full)
	return slices.ContainsFunc(world, func(s gp.Setting) bool {
		return !engine.IsNeutral(full.(engine.Adjustable).Settings(), s.Key)
	}), err
}

// oneWorld returns the world in which the species were bred that name one, and one of them.
func oneWorld(claims []Claim) (of string, world []gp.Setting, err error) {
	for i := range claims {
		c := &claims[i]
		switch {
		case len(c.world) == 0:
		case world == nil:
			of, world = c.name, c.world
		case !slices.EqualFunc(sorted(world), sorted(c.world), same):
			return "", nil, fmt.Errorf("%s was bred under %s, and %s under %s; say with --set "+
				"under which they meet, such as %s", of, ListSettings(world), c.name, ListSettings(c.world),
				flag(world[0]))
		}
	}
	return of, world, nil
}

// complete returns an error if a species adds a slot for which another has no tree.
func complete(scope player.Scope, g engine.Game, claims []Claim) error {
	for i := range claims {
		c := &claims[i]
		for _, s := range g.Grammar().Slots {
			if slices.Contains(c.Slots, s.Name) || slices.Contains(c.Slots, s.From) {
				continue
			}
			for k := range claims {
				by := &claims[k]
				own, err := study.GameWith(scope, by.Game, by.words)
				if err != nil {
					return err
				}
				if len(by.words) > 0 && slices.Contains(slots(own.Grammar()), s.Name) &&
					slices.Contains(by.Slots, s.Name) {
					return apart(by, "needs "+ListSettings(by.words)+" for its words", c,
						fmt.Sprintf("has no tree for slot %q of that game", s.Name))
				}
			}
		}
	}
	return nil
}

func find(settings []gp.Setting, key string) *gp.Setting {
	for i := range settings {
		if settings[i].Key == key {
			return &settings[i]
		}
	}
	return nil
}

// same reports whether two settings are equal, wherever they stand; 1 and 1.0 are.
func same(a, b gp.Setting) bool {
	text := func(s gp.Setting) string { return strings.TrimSuffix(s.String(), ".0") }
	return text(a) == text(b)
}

func sorted(settings []gp.Setting) []gp.Setting {
	return slices.SortedFunc(slices.Values(settings),
		func(a, b gp.Setting) int { return strings.Compare(a.Key, b.Key) })
}

// ListSettings returns settings for people, with commas between them.
func ListSettings(settings []gp.Setting) string {
	texts := make([]string, len(settings))
	for i, s := range settings {
		texts[i] = s.String()
	}
	return strings.Join(texts, ", ")
}

// flag returns a setting as a command takes it.
func flag(s gp.Setting) string {
	text := fmt.Sprintf("--set %s=%v", s.Key, s.Value)
	if _, list := s.Value.([]any); list || strings.ContainsAny(text, "\"'\\$`") {
		_, value, _ := strings.Cut(s.String(), " = ")
		text = fmt.Sprintf("--set '%s=%s'", s.Key, value)
	}
	return text
}

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
	if !rundir.IsRun(dir) {
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
	unread, at := (*fs.PathError)(nil), (*input.Fault)(nil)
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
	if f := (*input.Fault)(nil); errors.As(err, &f) {
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
