package amoebas

import (
	"context"
	"flag"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"

	"clade/engine"
	"clade/gp/input"
)

// output says what a report writes: the flags of the original (section 4.1 of the source), and a
// moving picture. Unlike in the original, saving frames needs no window.
type output struct {
	generationalStats bool     // a console line after every round
	reportExtinctions bool     // a console line after a round in which species died out
	lastGenStats      bool     // a console line after the last round
	saveGraphics      bool     // a frame after every round: g00000.png, g00001.png, ...
	csvStats          bool     // popsize.csv and energy.csv: a row for the start and every round
	gif               bool     // all frames in game.gif
	directory         string   // for the files; made if it does not exist
	colours           []string // of species: NAME=RRGGBB
}

// NativeMatch implements engine.NativeMatch: the original's tournaments, which are single games.
func (g *game) NativeMatch(flags *flag.FlagSet) engine.Native {
	var o output
	flags.Int("rounds", g.settings.Rounds, "rounds of a game")
	flags.BoolVar(&o.generationalStats, "generational-stats", false,
		"print statistics after every round")
	flags.BoolVar(&o.reportExtinctions, "report-extinctions", false, "print when species die out")
	flags.BoolVar(&o.lastGenStats, "last-gen-stats", false, "print statistics after the last round")
	flags.BoolVar(&o.saveGraphics, "save-graphics", false,
		"write a frame after every round: g00000.png, ...")
	flags.BoolVar(&o.csvStats, "csv-stats", false, "write popsize.csv and energy.csv")
	flags.BoolVar(&o.gif, "gif", false, "write all frames into game.gif")
	flags.StringVar(&o.directory, "directory", ".", "where files go")
	flags.Func("colour", "the colour of a species, `NAME=RRGGBB`; may be repeated",
		func(s string) error {
			o.colours = append(o.colours, s)
			return nil
		})
	return engine.Native{
		About: "The flags say what is written: the original's console lines, CSV files and frames, " +
			"byte for byte.\nUnlike there, frames need no window. A species whose name is a " +
			"colour has that colour.",
		Examples: []string{
			"red=caesar blue=theroots yellow=untitled --rounds 300 --last-gen-stats " +
				"--csv-stats --save-graphics --directory out",
			"red=caesar blue=untitled --rounds 1000 --set world-size=100 --watch",
			"red=caesar blue=theroots --rounds 300 --curves figures --games 20",
			"caesar results/amoebas/duel32-seed1.species --games 1000 --set world-size=32",
		},
		Names: colourNames(), Settings: []string{"order=classic"}, Keys: []string{"rounds"},
		Aliases: map[string]string{"graphics": "watch"},
		Begin: func(names, players []string, console, notes io.Writer) (engine.NativeReport,
			error) {
			entrants, err := o.entrants(names, players)
			if err != nil {
				return nil, err
			}
			return newReport(entrants, o, console, notes)
		},
	}
}

// colourNames returns the colours of the original's examples, in the order of originalLook.
func colourNames() []string {
	return []string{"red", "blue", "yellow", "white", "gray", "orange", "magenta", "cyan"}
}

// entrant is a species of a tournament as its output shows it.
type entrant struct {
	name   string      // a word: letters, digits, hyphens and underscores
	player string      // what plays it
	colour color.NRGBA // of its amoebas in pictures
}

// entrants returns species with their colours: that of a flag, else the one that the species is
// named after, else that of its seat.
func (o *output) entrants(names, players []string) ([]entrant, error) {
	entrants := make([]entrant, len(names))
	seats := originalLook().seats
	for i, name := range names {
		entrants[i] = entrant{name: name, player: players[i], colour: seats[i]}
		if k := slices.Index(colourNames(), name); k >= 0 {
			entrants[i].colour = seats[k]
		}
	}
	for _, s := range o.colours {
		name, hex, _ := strings.Cut(s, "=")
		hex = strings.TrimPrefix(hex, "#")
		rgb, err := strconv.ParseUint(hex, 16, 24)
		if err != nil || len(hex) != 6 {
			return nil, fmt.Errorf(
				"amoebas: the colour %q is not of the form NAME=RRGGBB, such as "+
					"red=ff0000", s)
		}
		i := slices.Index(names, name)
		if i < 0 {
			return nil, fmt.Errorf("amoebas: colour %s: %s", s, input.Unknown("species", name,
				names))
		}
		entrants[i].colour = color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}
	}
	return entrants, nil
}

// TournamentHelp says what Tournament plays.
func (g *game) TournamentHelp() string {
	return `In AMOEBAS all species live in one world, and the energy that they have bound
at the end counts; of several rounds the mean.`
}

// Tournament lets all species live in one world, once a round, in random places (AMOEBAS' manual,
// section 4). Energy is what the amoebas of a species hold at the end.
func (g *game) Tournament(ctx context.Context, t engine.Tournament) ([][]string, error) {
	if n := len(t.Players); n > engine.MaxSeats {
		return nil, fmt.Errorf("amoebas: a world has room for %d species, not for %d",
			engine.MaxSeats, n)
	}
	worlds, err := engine.Meetings(ctx, &t, len(t.Players), func(_ []int,
		seed engine.Seed) engine.Result {
		return g.Play(t.Players, uint64(seed), nil)
	})
	if err != nil {
		return nil, err
	}
	numbers := make([][]float64, len(t.Players))
	for p := range numbers {
		of := make([]float64, 4)
		for i := range worlds {
			w := &worlds[i]
			of[0] += w.Scores[p] / float64(t.Rounds)
			if w.Winner() == p {
				of[1]++
			}
			of[2] += float64(w.Marks[p][markPopulation]) / float64(t.Rounds)
			if w.Marks[p][markPopulation] == 0 {
				of[3]++
			}
		}
		numbers[p] = of
	}
	return t.Table([]string{"energy", "first", "population", "extinct"}, numbers), nil
}
