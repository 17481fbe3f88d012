package league

import (
	"slices"
	"strings"
)

// Labels returns the names of players in figures: built-in ones by their names, files and runs by
// as many of the last parts of their paths as distinguish them, so that a figure does not depend on
// where it was made.
func Labels(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		path, run := strings.CutPrefix(name, "run:")
		if !run && !strings.HasSuffix(name, speciesEnding) {
			all[i] = name
			continue
		}
		parts := strings.Split(strings.TrimSuffix(path, speciesEnding), "/")
		for n := 1; n <= len(parts); n++ {
			all[i] = strings.Join(parts[len(parts)-n:], "/")
			same := func(other string) bool {
				other = strings.TrimSuffix(other, speciesEnding)
				return other == all[i] || strings.HasSuffix(other, "/"+all[i]) || other == "run:"+all[i]
			}
			if others := slices.Delete(slices.Clone(names), i, i+1); !slices.ContainsFunc(others, same) {
				break
			}
		}
	}
	return all
}

// speciesEnding is the ending of the names of species files.
const speciesEnding = ".species"
