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
		path := bare(name)
		if path == name {
			all[i] = name
			continue
		}
		parts := strings.Split(path, "/")
		for n := 1; n <= len(parts); n++ {
			all[i] = strings.Join(parts[len(parts)-n:], "/")
			same := func(other string) bool {
				return bare(other) == all[i] || strings.HasSuffix(bare(other), "/"+all[i])
			}
			if others := slices.Delete(slices.Clone(names), i, i+1); !slices.ContainsFunc(others, same) {
				break
			}
		}
	}
	return all
}

// bare returns the path in the name of a file, a run or a kept species, or else the name.
func bare(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "run:"), "kept:")
	return strings.TrimSuffix(name, ".species")
}
