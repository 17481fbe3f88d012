// Package results holds the species on the project's pages, bred by its own runs. It holds data
// alone, so that the packages that find players may import it.
package results

import "embed"

// Kept has them as files GAME/NAME.species.
//
//go:embed */*.species
var Kept embed.FS
