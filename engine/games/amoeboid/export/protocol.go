//go:build ignore

package player

// learnFacts holds that the board and the die are those of the program.
func learnFacts(at int) {
	if longAt(memberOf(at, "die")) != die {
		fail("the species was written for a die with another number of sides")
	}
	list := memberOf(at, "cells")
	n := 0
	item := firstItem(list)
	for item < closing(list) {
		if n == boardCells || !isLabel(item, n) {
			fail("the species was written for another board")
		}
		n += 1
		item = nextItem(item)
	}
	if n != boardCells {
		fail("the species was written for another board")
	}
	list = firstItem(memberOf(at, "neighbours"))
	for c := range boardCells {
		item = firstItem(list)
		for i := range nearStart[c+1] - nearStart[c] {
			if item == closing(list) || !isLabel(item, near[nearStart[c]+i]) {
				fail("the species was written for another board")
			}
			item = nextItem(item)
		}
		if item != closing(list) {
			fail("the species was written for another board")
		}
		list = nextItem(list)
	}
}

// isLabel tells whether a token is the label of a cell.
func isLabel(at, cell int) bool {
	ISLABEL
}

// observe gives the position.
func observe(at int) {
	if same(memberOf(at, "you"), "A") {
		give(0)
	} else {
		give(1)
	}
	give(wholeAt(memberOf(at, "roll"), 1, die))
	give(wholeAt(memberOf(at, "first"), 0, mostUnits))
	item := firstItem(memberOf(at, "pieces"))
	for range boardCells {
		units := firstItem(item)
		give(wholeAt(units, 0, mostUnits))
		give(wholeAt(nextItem(units), 0, mostUnits))
		item = nextItem(item)
	}
}

// reply prints the move.
func reply() {
	if answers() == 0 {
		fail("no move is possible")
	}
	moved := answered(3)+answered(4) > 0
	emit("{\"action\":\"")
	if answered(0) != answered(1) || !moved {
		emit("+")
		emitWord(LABELS, answered(0))
	}
	if moved {
		if answered(0) != answered(1) {
			emit(" ")
		}
		emitWord(LABELS, answered(1))
		emit(" ")
		emitWord(LABELS, answered(2))
		emit(" ")
		emitNumber(answered(3))
		emit(",")
		emitNumber(answered(4))
	}
	emit("\"}")
	endLine()
}
