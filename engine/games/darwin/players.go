package darwin

import "clade/engine"

// Players lists the built-in players: first the motionless ones, then by strength on
// natural-selection maps, roughly.
func (g *game) Players() []engine.Entry {
	return []engine.Entry{
		entryOf("treasure", "does nothing; as a species of its own it is only prey", inert{}),
		entryOf("apple", "does nothing", inert{}),
		entryOf("flytrap", "attacks and turns left on its place for ever",
			stepper(func() mind { return new(snapping) })),
		entryOf("solver", "searches mazes in depth, with a map that its species shares",
			straight(solver)),
		entryOf("skunk", "searches mazes in depth by the scents that it leaves, without a memory",
			straight(skunk)),
		entryOf("ambusher", "waits with its back to the wall for others to come near",
			straight(ambusher)),
		entryOf("lefthand", "keeps the wall at its left and never steps without looking",
			straight(leftHand)),
		entryOf("tortoise", "keeps the wall at its right and never steps without looking",
			straight(tortoise)),
		entryOf("rover", "goes until it is blocked, attacks and turns left", stepper(newRover)),
		entryOf("pilgrim", "explores with a map of its own and goes for what it remembers",
			straight(pilgrim)),
		entryOf("surveyor", "explores with a map that its species shares", straight(surveyor)),
		entryOf("superrover", "looks, goes up to what it saw, attacks it and turns right",
			stepper(newSuperRover)),
		entryOf("pirate", "charges whatever it sees", straight(pirate)),
		entryOf("follower", "follows the eldest of its like", together(follower)),
		entryOf("stalker", "goes for prey that it has seen, and lets who is ahead come to it",
			straight(stalker)),
		entryOf("herd", "keeps together with its like", together(herd)),
	}
}

// entryOf returns the entry of a species.
func entryOf(name, about string, s species) engine.Entry {
	return engine.FixedEntry("darwin", name, about, s)
}
