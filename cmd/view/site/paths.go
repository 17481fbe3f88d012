package site

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"clade/engine/system/packed"
)

// Path returns the file of a name in a link, as the operating system writes it. Names are as in the
// table of runs: relative to the server's working directory, or absolute, as its folders were
// given. It refuses names outside the folders, and those that a symbolic link leads out of them.
func (s *Site) Path(name string) (string, error) {
	if name == "" {
		return "", Refuse("no name is given where the link needs one")
	}
	clean := filepath.Clean(filepath.FromSlash(name))
	for _, folder := range s.Paths {
		if !below(filepath.Clean(folder), clean) {
			continue
		}
		real, err := packed.EvalSymlinks(clean)
		if errors.Is(err, fs.ErrNotExist) {
			return "", absent(name)
		}
		if err != nil {
			return "", Refuse("%s cannot be read: %w", name, err)
		}
		for _, other := range s.Paths {
			if top, err := filepath.EvalSymlinks(other); err == nil && below(top, real) {
				return clean, nil
			}
		}
	}
	return "", Refuse("%s is outside the folders that are shown: %s; name others to clade view",
		name, strings.Join(s.Paths, ", "))
}

// below reports whether a clean path is a folder or below it.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// absent is a name of nothing that there is.
type absent string

func (a absent) Error() string { return "there is no " + string(a) }

// Unwrap makes it a file that is missing.
func (absent) Unwrap() error { return fs.ErrNotExist }
