// Package experiments holds what studies and their runs are documented by; what carries them out is
// in the packages below it.
package experiments

import _ "embed" // the pages

// Files is the page on the files of a run.
//
//go:embed FILES.md
var Files []byte

// Reference is a study with every key, its default and what it means.
//
//go:embed reference.toml
var Reference []byte
