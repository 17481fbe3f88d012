package repro

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"clade/engine/system/durable"
	"clade/gp/input"
	"clade/gp/kernels"
)

// Numbers are the outputs of a manifest's steps, as JSON, by the name of the step.
type Numbers map[string]any

// ReadNumbers reads the published numbers of a folder of results; none if there is no file.
func ReadNumbers(dir string) (Numbers, error) {
	path := filepath.Join(dir, numbersFile)
	content, err := input.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Numbers{}, nil
	}
	if err != nil {
		return nil, err
	}
	var n Numbers
	if err = decode(content, &n); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// write writes the numbers into a folder of results.
func (n Numbers) write(dir string) error {
	content, err := json.MarshalIndent(n, "", " ")
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, numbersFile), append(content, '\n'), 0o666)
}

// decode parses JSON and keeps numbers as they are written.
func decode(content []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	return d.Decode(into)
}

// Command runs clade with arguments and writes what it prints.
type Command func(ctx context.Context, words []string, out io.Writer) error

// made is the result of a step that was repeated.
type made struct {
	Numbers any               // its output
	Files   map[string][]byte // those to keep, by their published name
}

// Make carries out a step in a work folder, which holds the folders of the steps that it uses.
func (s *Step) Make(ctx context.Context, command Command, work string) (*made, error) {
	var out bytes.Buffer
	if err := command(ctx, s.words(work), &out); err != nil {
		return nil, err
	}
	made := &made{Files: map[string][]byte{}}
	// where it was done is not a part of a result
	text := strings.ReplaceAll(out.String(), filepath.ToSlash(work)+"/", "")
	if err := decode([]byte(text), &made.Numbers); err != nil {
		return nil, fmt.Errorf("step %s prints no JSON: %w", s.Name, err)
	}
	withoutTime(made.Numbers)
	for published, file := range s.Keep {
		content, err := os.ReadFile(filepath.Join(s.out(work), file))
		if err != nil {
			return nil, err
		}
		made.Files[published] = content
	}
	return made, nil
}

// withoutTime removes the seconds of breeding from a value of JSON, since the clock is not part of
// a result. A cost has them beside its games, and what a budget buys has processor_seconds; the
// marks of a game keep theirs.
func withoutTime(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, cost := v["race_games"]; cost {
			delete(v, "seconds")
		}
		delete(v, "processor_seconds")
		for _, inner := range v {
			withoutTime(inner)
		}
	case []any:
		for _, inner := range v {
			withoutTime(inner)
		}
	}
}

// Differences returns the differences from what is published, a line each.
func (m *Manifest) Differences(s *Step, made *made, published Numbers) ([]string, error) {
	var all []string
	if old, ok := published[s.Name]; ok {
		all = differences(nil, s.Name, made.Numbers, old)
	} else {
		all = append(all, s.Name+": nothing is published")
	}
	for _, name := range slices.Sorted(maps.Keys(made.Files)) {
		path := filepath.Join(m.Dir, name)
		content, err := os.ReadFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			all = append(all, path+" is missing")
		case err != nil:
			return nil, err
		case !bytes.Equal(content, made.Files[name]):
			all = append(all, fmt.Sprintf("%s: other bytes", path))
		}
	}
	return all, nil
}

// differences compares two values of JSON and returns the places where they differ.
func differences(all []string, at string, now, before any) []string {
	switch b := before.(type) {
	case map[string]any:
		if n, ok := now.(map[string]any); ok {
			keys := slices.Sorted(maps.Keys(b))
			for key := range n {
				if _, ok := b[key]; !ok {
					keys = append(keys, key)
				}
			}
			for _, key := range keys {
				all = differences(all, at+"."+key, n[key], b[key])
			}
			return all
		}
	case []any:
		if n, ok := now.([]any); ok && len(n) == len(b) {
			for i := range b {
				all = differences(all, fmt.Sprintf("%s.%d", at, i), n[i], b[i])
			}
			return all
		}
	}
	if text(now) != text(before) {
		all = append(all, fmt.Sprintf("%s: %s now, %s published", at, shortened(text(now)),
			shortened(text(before))))
	}
	return all
}

// text writes a value of JSON.
func text(v any) string {
	content, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(content)
}

// shortened cuts a long text.
func shortened(text string) string {
	if letters := []rune(text); len(letters) > 80 {
		return string(letters[:79]) + "…"
	}
	return text
}

// Publish publishes the result of a step.
func (m *Manifest) Publish(s *Step, made *made) error {
	published, err := ReadNumbers(m.Dir)
	if err != nil {
		return err
	}
	maps.DeleteFunc(published, func(name string, _ any) bool {
		return !slices.ContainsFunc(m.Steps, func(s Step) bool { return s.Name == name })
	})
	published[s.Name] = made.Numbers
	for file, content := range made.Files {
		if err := durable.WriteFile(filepath.Join(m.Dir, file), content, 0o666); err != nil {
			return err
		}
	}
	return published.write(m.Dir)
}

// WritePage makes the page of the published results again, if they have one.
func (m *Manifest) WritePage() error {
	page, err := pageOf(m.Dir)
	if page == nil || err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(m.Dir, pageFile), page, 0o666)
}

// Logged is a line of a log: a step that was repeated, and the result.
type Logged struct {
	Folder string `json:"folder"`
	Step   string `json:"step"`
	// Published is the SHA-256 of what it was compared with: numbers and files.
	Published   string   `json:"published"`
	Program     string   `json:"program"` // see program.Build.Name; once its commit
	Kernels     string   `json:"kernels"`
	Seconds     float64  `json:"seconds"` // by the clock
	Differences []string `json:"differences,omitempty"`
}

// Log records the steps that were repeated, so that a reproduction of hours may be done in pieces.
// A step that came out as published is not repeated until other results are published.
type Log struct {
	file *os.File
	same map[[3]string]bool // folder, step and what was published
}

// OpenLog reads a log, which need not exist, and opens it for more lines.
func OpenLog(path string) (*Log, error) {
	l := &Log{same: map[[3]string]bool{}}
	length, err := durable.EachLine(path, func(line *Logged) bool {
		l.note(line)
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("%w; mend or remove the line", err)
	}
	l.file, err = durable.Append(path, length)
	return l, err
}

func (l *Log) note(line *Logged) {
	l.same[[3]string{line.Folder, line.Step, line.Published}] = len(line.Differences) == 0
}

// Same reports whether a step of a folder came out as what is published.
func (l *Log) Same(folder, step, published string) bool {
	return l.same[[3]string{folder, step, published}]
}

// Add appends a line, which is on the disk when it returns.
func (l *Log) Add(line Logged) error {
	if level, err := kernels.Chosen(); err == nil {
		line.Kernels = level.String()
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = l.file.Write(append(text, '\n'))
	}
	if err == nil {
		err = l.file.Sync()
	}
	l.note(&line)
	return err
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// Published returns the SHA-256, in hexadecimal digits, of what is published of a step: its numbers
// and the files that it keeps.
func (m *Manifest) Published(s *Step, published Numbers) (string, error) {
	h := sha256.New()
	io.WriteString(h, s.Command+"\n"+text(published[s.Name]))
	for _, name := range slices.Sorted(maps.Keys(s.Keep)) {
		content, err := os.ReadFile(filepath.Join(m.Dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		fmt.Fprintf(h, "\n%s %x", name, sha256.Sum256(content))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
