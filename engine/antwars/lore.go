package antwars

// lore is what hand-written ants keep in memory beside what the game keeps for them.
type lore struct {
	begun bool // false at an ant's first move
}
