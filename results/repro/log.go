package repro

import (
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

	"clade/engine/system/durable"
	"clade/gp/kernels"
)

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
