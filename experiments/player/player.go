// Package player finds players by name: built-in ones, species files, champions of runs, and
// programs that speak a game's protocol. It plays nothing.
package player

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"clade/engine"
	"clade/engine/external"
	"clade/engine/system/packed"
	"clade/evolve/rundir"
	"clade/gp"
	"clade/gp/input"
)

// playerForms describes how a player can be named.
const playerForms = "the name of a built-in player, a species file, run:RUN or " +
	"run:RUN@GENERATION, kept:GAME/NAME, exec:COMMAND, persist:COMMAND or wasm:FILE"

// Find returns the player of a game with a name, within the scope's trust. The name is one of: a
// built-in player, with arguments in brackets if it takes any; the path of a species file; run:RUN
// for the last champion of a run and run:RUN@GENERATION for that of a generation; kept:GAME/NAME
// for a species that the program brings with it; exec:COMMAND for a program, persist:COMMAND for
// one that stays for a whole game, and wasm:FILE for one that is a WebAssembly module (see package
// external).
func (s Scope) Find(g engine.Game, name string) (engine.Player, error) {
	p, err := s.find(g, name)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", name, err)
	}
	return p, nil
}

// FindAll finds several.
func (s Scope) FindAll(g engine.Game, names []string) ([]engine.Player, error) {
	players := make([]engine.Player, len(names))
	for i, name := range names {
		var err error
		if players[i], err = s.Find(g, name); err != nil {
			return nil, err
		}
	}
	return players, nil
}

func (s Scope) find(g engine.Game, name string) (engine.Player, error) {
	if p, err, ok := s.program(g, name); ok {
		return p, err
	}
	path, err := s.File(g, name)
	if err != nil {
		return nil, err
	}
	if path != "" {
		return Load(g, path)
	}
	word, args, bracket := strings.Cut(name, "(")
	if bracket && !strings.HasSuffix(args, ")") {
		return nil, errors.New("the bracket is not closed")
	}
	if e, ok := Named(g, name); ok {
		return e.New(strings.TrimSuffix(args, ")"))
	}
	var names []string
	for _, e := range BuiltIn(g) {
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("%s (a player is %s)", input.Unknown("player of "+g.Info().Name, word,
		names), playerForms)
}

// File returns the species file that a player's name stands for, "" if it is not a species.
func (s Scope) File(g engine.Game, name string) (path string, err error) {
	if isProgram(name) {
		return "", nil
	}
	if strings.HasPrefix(name, KeptPrefix) {
		return name, nil
	}
	if strings.HasPrefix(name, "run:") {
		if err := s.Allow("run:", Files); err != nil {
			return "", err
		}
		return speciesPath(name)
	}
	open := strings.Contains(name, "(") && !strings.HasSuffix(name, ")") // of a file's name
	if _, builtIn := Named(g, name); builtIn && !open {
		return "", nil
	}
	if strings.ContainsAny(name, `./\`) {
		return input.Home(name), s.Allow("a file's name", Files)
	}
	if s.Trust >= Files {
		if _, err := packed.Stat(name); err == nil {
			return name, nil
		}
	}
	return "", nil
}

// isProgram reports whether a name is that of a program.
func isProgram(name string) bool {
	form, _, ok := strings.Cut(name, ":")
	return ok && (form == "exec" || form == "persist" || form == "wasm")
}

// program finds a program, if the name is that of one.
func (s Scope) program(g engine.Game, name string) (p engine.Player, err error, ok bool) {
	programs := s.Programs
	if programs == nil {
		programs = new(external.Supervisor)
	}
	for _, form := range []struct {
		prefix string
		trust  Trust
		find   func(string) (engine.Player, error)
	}{{"exec:", Programs, programs.Exec}, {"persist:", Programs, programs.Persist},
		{"wasm:", Files, programs.WASM}} { // a module reaches nothing
		what, is := strings.CutPrefix(name, form.prefix)
		if !is {
			continue
		}
		if err := s.Allow(form.prefix, form.trust); err != nil {
			return nil, err, true
		}
		if _, ok := g.(engine.Interactive); !ok {
			return nil, fmt.Errorf("%s has no seats for programs", g.Info().Name), true
		}
		p, err = form.find(what)
		return p, err, true
	}
	return nil, nil, false
}

// BuiltIn lists the built-in players.
func BuiltIn(g engine.Game) []engine.Entry {
	if r, ok := g.(engine.Roster); ok {
		return r.Players()
	}
	return nil
}

// Named returns the built-in player of a name, which may have arguments in brackets.
func Named(g engine.Game, name string) (engine.Entry, bool) {
	word, _, _ := strings.Cut(name, "(")
	for _, e := range BuiltIn(g) {
		if e.Name == word {
			return e, true
		}
	}
	return engine.Entry{}, false
}

// Plain lists the built-in players that need no arguments.
func Plain(g engine.Game) (all []engine.Entry) {
	for _, e := range BuiltIn(g) {
		if _, err := e.New(""); err == nil {
			all = append(all, e)
		}
	}
	return all
}

// genome returns the genome of an evolved player with a name as for Find, nil for another player.
func (s Scope) genome(g engine.Game, name string) (gp.Genome, error) {
	for _, e := range BuiltIn(g) {
		if e.Name == name {
			if e.Genome == nil {
				return nil, nil
			}
			return e.Genome()
		}
	}
	kept := strings.HasPrefix(name, KeptPrefix)
	if s.Trust < Files && !kept {
		return nil, nil
	}
	path, err := speciesPath(name)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", name, err)
	}
	if _, err := packed.Stat(path); err != nil && !kept {
		return nil, nil
	}
	species, err := ReadSpecies(g, path)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", name, err)
	}
	return species.Genome, nil
}

func Load(g engine.Game, path string) (engine.Player, error) {
	s, err := ReadSpecies(g, path)
	if err != nil {
		return nil, err
	}
	return g.Bind(s.Genome)
}

// ReadSpecies reads a species file of a game. Errors name the file, the line and the remedy.
func ReadSpecies(g engine.Game, path string) (*gp.Species, error) {
	text, err := ReadText(path)
	if err != nil {
		return nil, err
	}
	return ParseSpecies(g, path, string(text))
}

// ParseSpecies reads the text of a species file of a game. The name stands in errors.
func ParseSpecies(g engine.Game, name, text string) (*gp.Species, error) {
	s, err := gp.ParseSpecies(text, func(game string, version int) (*gp.Grammar, error) {
		info := g.Info()
		if game != info.Name {
			return nil, fmt.Errorf("this is a species of %s, and %s is played here", game, info.Name)
		}
		if version != info.Version {
			return nil, fmt.Errorf("this species was bred under version %d of the rules of %s, "+
				"and this program plays version %d; breed it again", version, game, info.Version)
		}
		return g.Grammar(), nil
	})
	var unknown gp.UnknownNameError
	if errors.As(err, &unknown) {
		err = fmt.Errorf("%w%s", err, lacking(g, text))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// Species returns the species of a name: a file, run:RUN, run:RUN@GENERATION or kept:GAME/NAME.
func (s Scope) Species(g engine.Game, name string) (*gp.Species, error) {
	if err := s.Allow(name, Files); err != nil && !strings.HasPrefix(name, KeptPrefix) {
		return nil, err
	}
	path, err := speciesPath(name)
	if err != nil {
		return nil, err
	}
	return ReadSpecies(g, path)
}

// speciesPath returns what ReadText reads for the name of a species, which may be run:RUN or
// run:RUN@GENERATION.
func speciesPath(name string) (string, error) {
	if run, ok := strings.CutPrefix(name, "run:"); ok {
		return ChampionPath(input.Home(run))
	}
	return input.Home(name), nil
}

// Content returns everything that decides how the player of a name plays, besides the program, the
// rules and the settings: the content of its file, or the name of a built-in player. It returns
// false for programs, which need not play twice alike.
func (s Scope) Content(g engine.Game, name string) (content string, repeats bool) {
	if strings.HasPrefix(name, "exec:") || strings.HasPrefix(name, "persist:") {
		return "", false
	}
	if _, builtIn := Named(g, name); builtIn {
		return name, true
	}
	path, err := speciesPath(strings.TrimPrefix(name, "wasm:"))
	if err != nil {
		return "", false
	}
	text, err := ReadText(path)
	return string(gp.WithoutSettings(text)), err == nil
}

// ChampionPath returns the species file of RUN, the newest champion, or of RUN@GENERATION.
func ChampionPath(run string) (string, error) {
	dir, n, err := AtGeneration(run)
	if err != nil {
		return "", err
	}
	champions, err := Champions(dir)
	if err != nil {
		return "", err
	}
	if len(champions) == 0 {
		return "", fmt.Errorf("%s has no champion yet", dir)
	}
	if n < 0 {
		return champions[len(champions)-1].Path, nil
	}
	for _, c := range champions {
		if c.Generation == n {
			return c.Path, nil
		}
	}
	last := champions[len(champions)-1].Generation
	return "", fmt.Errorf(
		"%s has no champion of generation %d; it has %d, from generation %d to %d", dir, n,
		len(champions), champions[0].Generation, last)
}

// AtGeneration splits RUN or RUN@GENERATION into a run's directory and a generation, which is -1 if
// none is named. A run's directory may have an @ in its name.
func AtGeneration(run string) (dir string, generation int, err error) {
	dir, generation = run, -1
	i := strings.LastIndexByte(run, '@')
	if i >= 0 && !strings.ContainsAny(run[i:], `/\`) && !rundir.IsRun(run) { // else a folder's name has it
		dir = run[:i]
		n, err := strconv.ParseUint(run[i+1:], 10, 31)
		if err != nil {
			return "", 0, fmt.Errorf("%q is not the number of a generation", run[i+1:])
		}
		generation = int(n)
	}
	if dir == "" {
		return "", 0, fmt.Errorf("a run's directory is missing: write run:RUN or run:RUN@GENERATION")
	}
	return dir, generation, nil
}

// Champion is a champion of a run.
type Champion struct {
	Generation int
	Path       string
}

// Champions lists the champions of a run directory, oldest first.
func Champions(dir string) ([]Champion, error) {
	// sorted by name, and so by generation
	entries, err := packed.ReadDir(filepath.Join(dir, rundir.ChampionFolder))
	if err != nil {
		return nil, fmt.Errorf(
			"%s is not a run directory: %w; name one that clade run has made", dir, err)
	}
	var champions []Champion
	for _, e := range entries {
		number, ok := strings.CutSuffix(e.Name(), ".species")
		if n, err := strconv.Atoi(number); ok && err == nil {
			champions = append(champions, Champion{n, filepath.Join(dir, rundir.ChampionFolder, e.Name())})
		}
	}
	return champions, nil
}
