// Package results holds the species that the project's own runs bred and that its pages tell of. It
// is data alone, so that the packages that find players may import it.
package results

import "embed"

// Kept has them as files GAME/NAME.species.
//
//go:embed */*.species
var Kept embed.FS
