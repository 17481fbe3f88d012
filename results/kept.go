// Package results holds the species that the project's own runs bred and that its pages tell of.
package results

import "embed"

// Kept has them as files GAME/NAME.species.
//
//go:embed */*.species
var Kept embed.FS
