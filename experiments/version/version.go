// Package version identifies this program, however it was built: its version, a hash of its
// sources, and what Go recorded in the build. None of that enters a result or a fingerprint.
package version

import (
	"fmt"
	"runtime/debug"
)

// Number is the version of clade: that of the next release, with -dev until it is released.
// CHANGELOG.md and CITATION.cff name it, too.
const Number = "1.0.0-dev"

//go:generate go test -run=^TestSources$ -generate

// Build is a program that somebody built. What is not known is empty.
type Build struct {
	Version  string `json:"program"` // see the constant
	Sources  string `json:"sources,omitempty"`
	Commit   string `json:"commit,omitempty"` // that the Go toolchain has recorded
	Modified bool   `json:"modified,omitempty"`
}

// This returns the build of the running program.
func This() Build {
	b := Build{Version: Number, Sources: sources}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == "clade" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	return b
}

// Name identifies a program by its version and its sources, the hash cut to a length that stays
// unique.
func (b Build) Name() string {
	if b.Sources == "" {
		return b.Version // of an earlier version of clade, which was called by its commit
	}
	return fmt.Sprintf("%s, sources %.12s", b.Version, b.Sources)
}

// Describe returns the name with the commit.
func (b Build) Describe() string {
	text := b.Name()
	if b.Commit != "" {
		text += fmt.Sprintf(", commit %.12s", b.Commit)
	}
	if b.Modified {
		text += " with changes"
	}
	return text
}
