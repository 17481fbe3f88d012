//go:build race

package proof

// raced tells whether the race detector watches.
const raced = true
