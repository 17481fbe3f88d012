// Package experiments holds what studies and their runs are documented by; what carries them out is
// in the packages below it.
package experiments

import "embed"

// Files is the page on the files of a run.
//
//go:embed FILES.md
var Files []byte

// Reference is a study with every key, its default and what it means.
//
//go:embed reference.toml
var Reference []byte

//go:embed */breed.toml
var plans embed.FS

// BreedPlan returns the staged study by which `clade breed` breeds a game, without a budget. It
// returns an error for a game without one.
func BreedPlan(game string) ([]byte, error) { return plans.ReadFile(game + "/breed.toml") }
