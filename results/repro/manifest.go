// Package repro repeats published results. A folder of results holds its page, a manifest of the
// commands that make the page's numbers, figures and species, and the numbers themselves. Pages
// hold no hand-copied numbers that a command could give.
package repro

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"clade/gp/input"
)

// Files of a folder of results.
const (
	ManifestFile = "repro.toml"
	numbersFile  = "numbers.json"
	templateFile = "README.tmpl"
	pageFile     = "README.md"
)

// Manifest lists the commands that make a folder of results.
type Manifest struct {
	Dir   string `toml:"-"`
	Steps []Step `toml:"step"` // a step uses what those before it have made
	// Lists are words by the name of their list, for steps that are the same but for them.
	Lists map[string][]string `toml:"lists"`
	// Others are the files of the folder that no step makes, each with its origin: a test's
	// command, or a person. They are not repeated.
	Others map[string]string `toml:"others"`
}

// Step is one command with its results.
type Step struct {
	Name string `toml:"name"` // lower case letters, digits and dashes
	// Each is the name of a list: the step stands for one step for each of its words. In name,
	// command and keep, {each} is the word, and # is its number from 1.
	Each string `toml:"each"`
	// Command is what clade is called with, words with spaces between them; {NAME} is the folder
	// that the step of that name has written, and a word with {NAME-*} stands for one with each
	// step NAME-1, NAME-2 and so on. Paths are relative to the project's folder. The folder to
	// write to and the form of the output are added.
	Command string `toml:"command"`
	// Seconds of processor time that it took when it was published, for estimates.
	Seconds float64 `toml:"seconds"`
	Quick   bool    `toml:"quick"` // part of a quick check
	// Needs is a file or folder that the project does not have, such as an original's data, by its
	// path from the project's folder. Where it is absent the step is left out.
	Needs string `toml:"needs"`
	// Keep maps published files of the folder to files that the command has written.
	Keep map[string]string `toml:"keep"`
}

// writers are the commands that a manifest may use, with whether they write into a folder. None
// starts a program or changes existing files.
var writers = map[string]bool{"run": true, "league": true, "monitor": true, "compare": true,
	"phylogeny": true, "exploit": true, "bench": true, "sweep": true, "plot": true, "show": true,
	"match": false, "tournament": false, "replay": false}

// outputs are the flags that may end a command, with the name of the file that they add to the
// step's folder; "" is the folder itself.
var outputs = map[string]string{"--out": "", "--curves": "", "--record": "game.record",
	"--gif": "game.gif"}

// allowed are the flags that a manifest may use. Others write to any path, listen, or start
// programs.
var allowed = []string{"--set", "--seed", "--seeds", "--games", "--workers", "--seats", "--every",
	"--as", "--quick", "--rounds", "--control", "--against", "--scale", "--delay", "--game",
	"--strength", "--runs", "--curves", "--record", "--gif"}

var (
	named  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)
	folder = regexp.MustCompile(`\{([^{}=]*)\}`) // a table of TOML has a =
	// several is a word's part that stands for numbered steps.
	several = regexp.MustCompile(`\{([a-z0-9-]+-)\*\}`)
)

// Read reads the manifest of a folder of results. The error names the file, and the line or step.
func Read(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	text, err := input.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no %s, which says what makes its results", dir, ManifestFile)
	}
	if err != nil {
		return nil, err
	}
	m, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m.Dir = dir
	return m, nil
}

func parse(text []byte) (*Manifest, error) {
	m := &Manifest{}
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(m)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		at := unknown.Errors[0]
		line, _ := at.Position()
		return nil, fmt.Errorf("line %d: %s", line, input.Unknown("key",
			strings.Join(at.Key(), "."), []string{"step.name", "step.command", "step.seconds",
				"step.quick", "step.needs", "step.keep", "step.each", "lists", "others"}))
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		return nil, fmt.Errorf("line %d: %w", line, wrong)
	case err != nil:
		return nil, err
	}
	var names []string
	var all []Step
	for i := range m.Steps {
		steps, err := m.each(&m.Steps[i])
		for _, s := range steps {
			if err == nil {
				s.Command = among(s.Command, names)
				err = s.check(names)
			}
			names, all = append(names, s.Name), append(all, s)
		}
		if err != nil {
			return nil, fmt.Errorf("step %d, %q: %w", i+1, m.Steps[i].Name, err)
		}
	}
	m.Steps = all
	return m, nil
}

// each expands a step that stands for several.
func (m *Manifest) each(s *Step) (all []Step, err error) {
	if s.Each == "" {
		return []Step{*s}, nil
	}
	list := m.Lists[s.Each]
	if len(list) == 0 {
		return nil, errors.New(input.Unknown("list", s.Each, slices.Sorted(maps.Keys(m.Lists))))
	}
	for i, word := range list {
		put := strings.NewReplacer("{each}", word, "#", strconv.Itoa(i+1)).Replace
		one := *s
		one.Name, one.Command, one.Keep = put(s.Name), put(s.Command), map[string]string{}
		for published, made := range s.Keep {
			one.Keep[put(published)] = put(made)
		}
		all = append(all, one)
	}
	return all, nil
}

// among expands each word with {FORM-*} to words for the numbered steps of the form.
func among(command string, before []string) string {
	var words []string
	for _, w := range strings.Fields(command) {
		form := several.FindStringSubmatch(w)
		if form == nil || !slices.Contains(before, form[1]+"1") {
			words = append(words, w)
			continue
		}
		for n := 1; slices.Contains(before, form[1]+strconv.Itoa(n)); n++ {
			words = append(words, strings.ReplaceAll(w, form[0], "{"+form[1]+strconv.Itoa(n)+"}"))
		}
	}
	return strings.Join(words, " ")
}

// check returns an error for a wrong step, which may use those before it.
func (s *Step) check(before []string) error {
	words := strings.Fields(s.Command)
	switch {
	case !named.MatchString(s.Name):
		return errors.New("a name is lower case letters, digits and dashes")
	case slices.Contains(before, s.Name):
		return errors.New("there are two steps of this name")
	case len(words) == 0:
		return errors.New("no command")
	case !(s.Seconds >= 0 && s.Seconds < 1e9):
		return fmt.Errorf("seconds = %v", s.Seconds)
	}
	if _, known := writers[words[0]]; !known {
		return errors.New(input.Unknown("command of a manifest", words[0], commands()))
	}
	for i, w := range words {
		flag, _, _ := strings.Cut(w, "=")
		if strings.HasPrefix(flag, "-") && !slices.Contains(allowed, flag) {
			return fmt.Errorf("%s is not for a manifest", flag)
		}
		if _, ok := outputs[flag]; ok && (i < len(words)-1 || flag != w) {
			return errors.New(flag + " must stand last; its path is added")
		}
		if strings.Contains(w, "exec:") || strings.Contains(w, "persist:") { // also NAME=exec:…
			return fmt.Errorf("%s would start a program; a manifest starts none", w)
		}
	}
	for _, use := range s.uses() {
		if !slices.Contains(before, use) {
			return errors.New(input.Unknown("step before this one", use, before))
		}
	}
	for published, made := range s.Keep {
		if !s.writes() {
			return fmt.Errorf("%s writes no files to keep", words[0])
		}
		if !filepath.IsLocal(published) || strings.ContainsAny(published, `/\`) ||
			!filepath.IsLocal(made) {
			return fmt.Errorf("keep: %q = %q leads out of the folders", published, made)
		}
	}
	return nil
}

func commands() []string {
	var all []string
	for name := range writers {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// uses returns the names of the steps whose folders the command uses.
func (s *Step) uses() []string {
	var all []string
	for _, m := range folder.FindAllStringSubmatch(s.Command, -1) {
		all = append(all, m[1])
	}
	return all
}

// Lacks reports whether a file that the step needs is absent.
func (s *Step) Lacks() bool {
	if s.Needs == "" {
		return false
	}
	_, err := os.Stat(s.Needs)
	return err != nil
}

// writes reports whether the command writes into a folder.
func (s *Step) writes() bool {
	words := strings.Fields(s.Command)
	_, ends := outputs[words[len(words)-1]]
	return writers[words[0]] || ends
}

// words returns the words of the command for a work folder.
func (s *Step) words(work string) []string {
	words := strings.Fields(s.Command)
	for i, w := range words {
		words[i] = folder.ReplaceAllStringFunc(w, func(name string) string {
			return filepath.Join(work, name[1:len(name)-1])
		})
	}
	if writers[words[0]] {
		words = append(words, "--out")
	}
	if s.writes() {
		words = append(words, filepath.Join(s.out(work), outputs[words[len(words)-1]]))
	}
	return append(words, "--json")
}

// out returns the folder of the step's files.
func (s *Step) out(work string) string { return filepath.Join(work, s.Name) }

// Select returns the steps of these names, or the quick ones, or all, with what they use.
func (m *Manifest) Select(only []string, quick bool) ([]*Step, error) {
	want := map[string]bool{}
	var names []string
	for i := range m.Steps {
		s := &m.Steps[i]
		names = append(names, s.Name)
		want[s.Name] = len(only) == 0 && (!quick || s.Quick) || slices.Contains(only, s.Name)
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%s: %s", filepath.Join(m.Dir, ManifestFile),
				input.Unknown("step", name, names))
		}
	}
	var steps []*Step
	for i := len(m.Steps) - 1; i >= 0; i-- {
		if s := &m.Steps[i]; want[s.Name] {
			for _, use := range s.uses() {
				want[use] = true
			}
			steps = append(steps, s)
		}
	}
	slices.Reverse(steps)
	return steps, nil
}

// command returns a step's command as a reader types it, with runs in the folder runs.
func (m *Manifest) command(name string) (string, error) {
	s, err := m.step(name)
	if err != nil {
		return "", err
	}
	words := s.words("runs")
	words = words[:len(words)-1] // --json
	return filepath.ToSlash("clade " + input.Quote(words...)), nil
}

// seconds returns the processor time that steps took when they were published.
func (m *Manifest) seconds(names ...string) (all float64, err error) {
	for _, name := range names {
		s, err := m.step(name)
		if err != nil {
			return 0, err
		}
		all += s.Seconds
	}
	return all, nil
}

// step returns the step of a name.
func (m *Manifest) step(name string) (*Step, error) {
	for i := range m.Steps {
		if s := &m.Steps[i]; s.Name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s has no step %q", ManifestFile, name)
}
