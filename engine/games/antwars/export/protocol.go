//go:build ignore

package player

// learnFacts holds that the world is the one that the ant knows.
func learnFacts(at int) {
	if longAt(memberOf(at, "width")) != 11 || longAt(memberOf(at, "sight")) != 2 ||
		longAt(memberOf(at, "food")) != 15 || longAt(memberOf(at, "moves")) != 35 {
		fail("the ant knows 11 x 11 cells, 15 pieces of food and 35 moves")
	}
}

// observe gives the cells in view and where the ant stands.
func observe(at int) {
	if longAt(memberOf(at, "move")) != int64(moves) {
		fail("the ant remembers its game, so it must hear every turn, as with persist:")
	}
	row := firstItem(memberOf(at, "board"))
	for y := range 11 {
		if letters(row) != 11 {
			fail("a row of the board has not 11 letters")
		}
		for x := range 5 {
			if y < 3 || y > 7 {
				continue
			}
			what := letter(row, x+3)
			if what == 'O' {
				give(1)
			} else if what == 'X' {
				give(2)
			} else {
				give(0)
			}
		}
		row = nextItem(row)
	}
	give(wholeAt(memberOf(at, "row"), 0, 10))
	give(wholeAt(memberOf(at, "column"), 0, 10))
}

// reply prints the direction.
func reply() {
	emit("{\"action\":\"")
	emitWord("nw|n|ne|e|se|s|sw|w", answered(0))
	emit("\"}")
	endLine()
}
