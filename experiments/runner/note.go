package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/evolve/rundir"
)

// NoteFile holds a person's note on a run. Nothing else of the run depends on it.
const NoteFile = "note.txt"

// maxNote is the most bytes of a note.
const maxNote = 64 << 10

// ReadNote reads the note of a run, "" if there is none.
func ReadNote(dir string) (string, error) {
	info, err := packed.Stat(filepath.Join(dir, NoteFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxNote:
		return "", fmt.Errorf("%s is no text of at most %d bytes", filepath.Join(dir, NoteFile), maxNote)
	}
	text, err := packed.ReadFile(filepath.Join(dir, NoteFile))
	return strings.TrimSpace(string(text)), err
}

// WriteNote replaces the note of a run; "" removes it.
func WriteNote(dir, text string) error {
	if !IsRun(dir) {
		return fmt.Errorf("%s is no run directory: it has no %s", dir, rundir.ManifestFile)
	}
	if err := packed.Writable(dir); err != nil {
		return err
	}
	text = strings.TrimSpace(text)
	if len(text) >= maxNote {
		return fmt.Errorf("the note has %d bytes; at most %d are kept", len(text), maxNote-1)
	}
	path := filepath.Join(dir, NoteFile)
	if text == "" {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return durable.WriteFile(path, []byte(text+"\n"), 0o666)
}
