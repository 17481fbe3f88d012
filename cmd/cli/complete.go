package cli

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"clade/analysis/figure"
	"clade/engine"
	"clade/engine/system/packed"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// completer offers the completions of a word of the command line to the shell.
type completer struct{ scope *player.Scope }

// offer returns the words that may stand in a place of the command line, with descriptions; nil
// offers nothing.
type offer func(c *cobra.Command, args []string, word string) []cobra.Completion

// completeAll gives all commands completion: operands by the words of their usage, such as GAME,
// and flags by their names.
func completeAll(root *cobra.Command, scope *player.Scope) {
	to := completer{scope}
	for _, c := range root.Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue // the library completes them
		}
		for _, inner := range append(c.Commands(), c) {
			inner.ValidArgsFunction = to.operands(strings.Fields(inner.Use)[1:])
			inner.Flags().VisitAll(func(f *pflag.Flag) { to.flag(inner, f) })
		}
	}
}

// known returns the completions of operands by their names in usages.
func (to completer) known() map[string]offer {
	return map[string]offer{"STUDY.toml": files(".toml"), "GAME": to.games, "RUN": runs,
		"FILE": files(".csv"), "SPECIES": either(species, words(player.Kept("*")...)),
		"SWEEP": sweeps, "FOLDER": folders, "RECORD": files(".record"), "PLAYER": to.players,
		"OPPONENT": to.players, "PATH": runs, "DIRECTORY": folders, "POSITION": nil, "ID": nil,
		"TEXT": nil}
}

// operands returns the completion of operands that are called as in a usage. A last word that ends
// in dots stands for all that follow.
func (to completer) operands(usage []string) cobra.CompletionFunc {
	known := to.known()
	var offered []offer
	more := false
	for _, word := range usage {
		if strings.HasPrefix(word, "--") {
			break // a flag that is always given
		}
		word = strings.TrimPrefix(strings.Trim(word, "[]"), "NAME=]")
		more = strings.Contains(word, "...")
		var all []offer
		for name := range strings.SplitSeq(strings.ReplaceAll(word, "...", ""), "|") {
			one := known[name]
			if name == strings.ToLower(name) { // it stands for itself
				one = words(name)
			}
			all = append(all, one)
		}
		offered = append(offered, either(all...))
	}
	return func(c *cobra.Command, args []string, word string) ([]cobra.Completion,
		cobra.ShellCompDirective) {
		at := len(args)
		if more {
			at = min(at, len(offered)-1)
		}
		if at >= len(offered) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return give(offered[at], c, args, word)
	}
}

// flag gives a flag of a command its completion. Flags without one take any file.
func (to completer) flag(c *cobra.Command, f *pflag.Flag) {
	var offered offer
	switch f.Name {
	case "set":
		offered = to.keys
	case "game":
		offered = to.games
	case "player":
		offered = to.players
	case "to":
		offered = to.languages
	case "as":
		offered = formats
	case "width":
		offered = words("column", "page")
	case "nats", "listen", "host", "partition", "account", "time", "memory", "colour", "candidate",
		"then", "range":
	default:
		if place := placeOf(c, f); place == folder {
			offered = folders
		} else if place == file || f.Value.Type() == "string" {
			return // any file
		}
	}
	err := c.RegisterFlagCompletionFunc(f.Name, func(c *cobra.Command, args []string,
		word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return give(offered, c, args, word)
	})
	if err != nil {
		panic("clade: " + err.Error()) // there is one already
	}
}

// give offers the completions of a word. No space follows one that goes on, such as a folder.
func give(offered offer, c *cobra.Command, args []string, word string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	if offered == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	var fit []cobra.Completion
	for _, one := range offered(c, args, word) {
		text, _, _ := strings.Cut(one, "\t")
		if !strings.HasPrefix(text, word) {
			continue
		}
		fit = append(fit, one)
		if strings.HasSuffix(text, "/") || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "=") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return fit, directive
}

// either offers what several do, each once; nil offers nothing.
func either(offers ...offer) offer {
	return func(c *cobra.Command, args []string, word string) (all []cobra.Completion) {
		for _, offered := range offers {
			if offered == nil {
				continue
			}
			for _, one := range offered(c, args, word) {
				if !slices.Contains(all, one) {
					all = append(all, one)
				}
			}
		}
		return all
	}
}

// words offers fixed words.
func words(all ...cobra.Completion) offer {
	return func(*cobra.Command, []string, string) []cobra.Completion { return all }
}

// able are the commands that only some games support, each with the check of a game.
var able = map[string]func(engine.Game) bool{
	"solve":      func(g engine.Game) bool { _, ok := g.(engine.Analyst); return ok },
	"tournament": func(g engine.Game) bool { _, ok := g.(engine.NativeTournament); return ok },
	"play":       playable,
	"breed": func(g engine.Game) bool {
		_, err := experiments.BreedPlan(g.Info().Name)
		return err == nil
	},
}

func (to completer) games(c *cobra.Command, _ []string, _ string) (all []cobra.Completion) {
	for _, g := range to.scope.Games {
		info := g.Info()
		inner, _, err := c.Find([]string{info.Name})
		known := err == nil && inner != c // as a command of its own
		if can := able[c.Name()]; !known && (can == nil || can(g)) {
			all = append(all, cobra.CompletionWithDesc(info.Name, info.Title))
		}
	}
	return all
}

// game finds the game that a command line is about, nil for none yet.
func (to completer) game(c *cobra.Command, args []string) engine.Game {
	names := []string{c.Name()} // of a game's own match
	if f := c.Flags().Lookup("game"); f != nil {
		names = append(names, f.Value.String())
	}
	if len(args) > 0 {
		names = append(names, args[0])
		if record, err := engine.ReadRecordFile(args[0]); err == nil {
			names = append(names, record.Game)
		}
	}
	for _, name := range names {
		if g, err := to.scope.Game(name); err == nil {
			return g
		}
	}
	return nil
}

// players offers built-in players, species, champions of runs and the prefixes of programs, after
// NAME= or SEAT= if the word has that.
func (to completer) players(c *cobra.Command, args []string, word string) (all []cobra.Completion) {
	g := to.game(c, args)
	if g == nil {
		return nil
	}
	before, rest, named := strings.Cut(word, "=")
	if before += "="; !named {
		before, rest = "", word
	}
	for _, e := range player.BuiltIn(g) {
		all = append(all, cobra.CompletionWithDesc(e.Name, e.About))
	}
	all = append(append(all, player.Kept(g.Info().Name)...), species(c, args, rest)...)
	if _, ok := g.(engine.Interactive); ok {
		all = append(all, cobra.CompletionWithDesc("exec:", "a program, started for each move"),
			cobra.CompletionWithDesc("persist:", "a program that stays for a whole game"),
			cobra.CompletionWithDesc("wasm:", "a WebAssembly module"))
	}
	if file, ok := strings.CutPrefix(rest, "wasm:"); ok {
		all = prefixed("wasm:", files(".wasm")(c, args, file))
	}
	return prefixed(before, all)
}

// species offers species files and, behind run:, runs and their generations.
func species(c *cobra.Command, args []string, word string) []cobra.Completion {
	run, ok := strings.CutPrefix(word, "run:")
	if !ok {
		return append(files(".species")(c, args, word),
			cobra.CompletionWithDesc("run:", "the champion of a run, or of its generation: run:RUN@N"))
	}
	all := runs(c, args, run)
	if dir, _, ok := strings.Cut(run, "@"); ok {
		champions, err := player.Champions(dir)
		if err != nil {
			return nil
		}
		all = nil
		for _, champion := range champions {
			all = append(all, fmt.Sprintf("%s@%d", dir, champion.Generation))
		}
	}
	return prefixed("run:", all)
}

func prefixed(prefix string, all []cobra.Completion) []cobra.Completion {
	for i := range all {
		all[i] = prefix + all[i]
	}
	return all
}

// keys offers the settings of the study or of the game that a command line names, with their
// values.
func (to completer) keys(c *cobra.Command, args []string, _ string) (all []cobra.Completion) {
	var s *study.Study
	var err error
	prefix := ""
	if g := to.game(c, args); g != nil {
		s, err = study.New(g, evolve.Default(), 1)
		prefix = "settings."
	} else if len(args) > 0 {
		s, err = study.Read(*to.scope, args[0])
	}
	if s == nil || err != nil {
		return nil
	}
	keys := s.Keys()
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if short, ok := strings.CutPrefix(key, prefix); ok {
			all = append(all, cobra.CompletionWithDesc(short+"=", "now "+keys[key]))
		}
	}
	return all
}

// languages offers what a species can be written in.
func (to completer) languages(*cobra.Command, []string, string) (all []cobra.Completion) {
	for _, g := range to.scope.Games {
		exporter, ok := g.(engine.SpeciesExporter)
		if !ok {
			continue
		}
		for _, t := range exporter.Targets() {
			if one := cobra.CompletionWithDesc(t.Name, t.About); !slices.ContainsFunc(all,
				func(s string) bool { return strings.HasPrefix(s, t.Name+"\t") }) {
				all = append(all, one)
			}
		}
	}
	return all
}

// formats offers the forms of figures, also behind a comma.
func formats(c *cobra.Command, _ []string, word string) (all []cobra.Completion) {
	if c.Name() == "show" {
		return append(all, showForms[:]...)
	}
	for _, form := range figure.AllFormats() {
		all = append(all, string(form))
	}
	if c.Name() == "phylogeny" {
		all = append(all, newick)
	}
	return prefixed(word[:strings.LastIndexByte(word, ',')+1], all)
}

// files offers files whose names end in a word, and the folders on the way.
func files(extension string) offer {
	return func(_ *cobra.Command, _ []string, word string) []cobra.Completion {
		return below(word, func(path string, folder bool) bool {
			return !folder && strings.HasSuffix(path, extension)
		})
	}
}

// runs offers run directories, and the folders on the way.
func runs(_ *cobra.Command, _ []string, word string) []cobra.Completion {
	return below(word, func(path string, folder bool) bool { return folder && rundir.IsRun(path) })
}

// sweeps offers directories of sweeps, and the folders on the way.
func sweeps(_ *cobra.Command, _ []string, word string) []cobra.Completion {
	return below(word, func(path string, folder bool) bool { return folder && sweep.Is(path) })
}

// folders offers directories.
func folders(_ *cobra.Command, _ []string, word string) []cobra.Completion {
	return below(word, func(string, bool) bool { return false })
}

// below lists those entries of the folder of a word that fit, and its folders with a slash.
func below(word string, fits func(path string, folder bool) bool) (all []cobra.Completion) {
	dir := word[:strings.LastIndexByte(word, '/')+1]
	entries, err := packed.ReadDir(filepath.Clean("./" + dir))
	if strings.HasPrefix(dir, "/") {
		entries, err = packed.ReadDir(dir)
	}
	if err != nil {
		return nil
	}
	for _, e := range entries {
		path := dir + e.Name()
		info, err := packed.Stat(path) // a link may lead to a folder
		if err != nil || e.Name()[0] == '.' {
			continue
		}
		switch {
		case fits(path, info.IsDir()):
			all = append(all, path)
		case info.IsDir():
			all = append(all, path+"/")
		}
	}
	return all
}
