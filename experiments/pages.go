// Package experiments embeds the page on a run's files, the reference of a study's keys and the
// plans by which games are bred. The packages below it carry out studies.
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

// BreedPlan returns the staged study for a game that is bred without a study of one's own. It names
// no budget. It returns an error for a game that has none.
func BreedPlan(game string) ([]byte, error) { return plans.ReadFile(game + "/breed.toml") }
