//go:build ignore

package player

// learnFacts has nothing to learn: the game and its version say all.
func learnFacts(at int) {
}

// takeScalar reads a scalar, whose list holds one value or one for each turn.
func takeScalar(at, i int) {
	item := firstItem(at)
	only := nextItem(item) == closing(at)
	for k := range 4 {
		scalar[i][k] = numberAt(item)
		if !only {
			item = nextItem(item)
		}
	}
}

// takeFlag reads a flag likewise.
func takeFlag(at, i int) {
	item := firstItem(at)
	only := nextItem(item) == closing(at)
	for k := range 4 {
		flag[i][k] = truthAt(item)
		if !only {
			item = nextItem(item)
		}
	}
}

// takeOffers reads which offers are possible.
func takeOffers(at int) {
	for i := range offers {
		possible[i] = false
	}
	item := firstItem(at)
	for item < closing(at) {
		known := false
		for i := range offers {
			if isOffer(item, i) {
				possible[i] = true
				known = true
			}
		}
		if !known {
			fail("an action of the line is unknown")
		}
		item = nextItem(item)
	}
}

// reply prints the name of the chosen offer.
func reply() {
	if answered(0) < 0 {
		fail("no action is possible")
	}
	emit("{\"action\":\"")
	emitWord(OFFERS, answered(0))
	emit("\"}")
	endLine()
}

// observe reads what a seat sees.
func observe(at int) {
	takeOffers(memberOf(0, "actions"))
	OBSERVE
}

// isOffer tells whether a token is the name of an offer.
func isOffer(at, i int) bool {
	ISOFFER
}
