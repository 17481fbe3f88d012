package player

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"clade/analysis/why"
	"clade/engine"
	"clade/engine/external"
	"clade/evolve/rundir"
	"clade/gp"
	"clade/gp/input"
	"clade/results"
)

// Scope says what names in a study, a record, a message or on a command line may refer to: which
// games there are, and which players may be found.
type Scope struct {
	Games []engine.Game
	Trust Trust
	// Programs runs players that are programs; nil stands for a silent supervisor.
	Programs *external.Supervisor
}

// Trust says what the author of a name may make this machine do. The zero value trusts nobody.
type Trust int

// Levels of trust, each with everything before it.
const (
	BuiltIns Trust = iota // built-in players; for names that came over a network
	// also species files and champions of runs; for studies and run directories
	Files
	Programs // also programs, which are started; for what a person typed
)

// Game returns the game of a name. For an unknown name it returns an error with the nearest known
// one.
func (s Scope) Game(name string) (engine.Game, error) {
	names := make([]string, len(s.Games))
	for i, g := range s.Games {
		if names[i] = g.Info().Name; names[i] == name {
			return g, nil
		}
	}
	return nil, errors.New(input.Unknown("game", name, names)) // told to a user as it is
}

// Allow returns an error if a form of name needs more trust than the scope has.
func (s Scope) Allow(form string, need Trust) error {
	switch {
	case s.Trust >= need:
		return nil
	case need == Programs:
		return fmt.Errorf(
			"%s would start a program, and programs are not started because a file or a "+
				"message names them; if you trust its author, give --allow-programs", form)
	default:
		return fmt.Errorf(
			"%s would read a file of this machine, which nothing that comes over the "+
				"network may name; use what is built in, or give --allow-programs here", form)
	}
}

// KeptPrefix begins the name of a species that the program brings with it.
const KeptPrefix = "kept:"

const speciesEnding = ".species"

// Kept lists the species of a game that the program brings with it: kept:GAME/NAME, in order of
// their names.
func Kept(game string) (names []string) {
	files, _ := fs.Glob(results.Kept, game+"/*"+speciesEnding) // the pattern is a good one
	for _, file := range files {
		names = append(names, KeptPrefix+strings.TrimSuffix(file, speciesEnding))
	}
	return names
}

// ReadText reads the text of a species: of a file, or of one that the program brings with it.
func ReadText(path string) ([]byte, error) {
	name, kept := strings.CutPrefix(path, KeptPrefix)
	if !kept {
		return rundir.ReadFile(path)
	}
	text, err := results.Kept.ReadFile(name + speciesEnding)
	if err != nil {
		game, _, _ := strings.Cut(name, "/")
		known := Kept(game)
		if len(known) == 0 {
			known = Kept("*")
		}
		return nil, errors.New(input.Unknown("kept species", path, known))
	}
	return text, nil
}

// Seats returns the players of a recorded game whose decisions can be computed again: evolved
// players and built-in ones. For all others, such as people, programs and files that are gone, the
// record decides. It returns an error for a species file that cannot be read.
func (s Scope) Seats(g engine.Game, record *engine.Record) ([]why.Seat, error) {
	g, err := record.Adjust(g)
	if err != nil {
		return nil, err
	}
	seats := make([]why.Seat, len(record.Players))
	for i, name := range record.Players {
		if seats[i].Genome, err = s.genome(g, name); err != nil {
			return nil, err
		}
		if _, builtIn := Named(g, name); builtIn && seats[i].Genome == nil {
			if seats[i].Player, err = s.Find(g, name); err != nil {
				return nil, err
			}
		}
	}
	return seats, nil
}

// lacking returns the end of a sentence that names the settings which a game lacks for a species
// with unknown names; "" if settings are not the cause.
func lacking(g engine.Game, text string) string {
	a, ok := g.(engine.Adjustable)
	if !ok {
		return ""
	}
	missing := bringing(a, text)
	if missing == nil {
		missing = unlike(a, text)
	}
	if missing == nil {
		return ""
	}
	flags, lines := "", ""
	for _, s := range missing {
		flags += fmt.Sprintf(" --set %s=%v", s.Key, s.Value)
		lines += ", " + s.String()
	}
	return fmt.Sprintf("; the species is of a game with %s: set that in the study's table "+
		"[settings], or without a study by%s", lines[2:], flags)
}

// unlike returns the settings of a species file that differ from the game's.
func unlike(a engine.Adjustable, text string) (missing []gp.Setting) {
	h, err := gp.ParseHeader(text)
	if err != nil {
		return nil
	}
	have := map[string]any{}
	for _, row := range a.Settings().Table() {
		have[row.Key] = row.Now()
	}
	for _, s := range h.Settings {
		if fmt.Sprint(have[s.Key]) != fmt.Sprint(s.Value) {
			missing = append(missing, s)
		}
	}
	return missing
}

// bringing returns the switches of a game, off now, with which a species can be read, even one that
// does not name its settings, as in earlier versions; nil if there are none.
func bringing(a engine.Adjustable, text string) (found []gp.Setting) {
	engine.Switches(a, func(on []string, with engine.Game) bool {
		if _, err := gp.ParseSpecies(text, func(string, int) (*gp.Grammar, error) {
			return with.Grammar(), nil
		}); err == nil {
			for _, key := range on {
				found = append(found, gp.Setting{Key: key, Value: true})
			}
		}
		return found == nil
	})
	return found
}
