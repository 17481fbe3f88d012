//go:build ignore

package player

// play answers the states of the controller, and the messages of the protocol of players.
func play() {
	begin()
	for hear() {
		if token(0) != '{' {
			fail("the line is no JSON object")
		}
		if findMember(0, "type") != 0 {
			converse()
		} else {
			answerState()
		}
	}
}

// mostCells is the size of the largest board that the program takes.
const mostCells = 67108864

// pairY and pairX are what readPair has read.
var pairY, pairX int

// skipBlanks returns the place of the next letter of a text that is no blank.
func skipBlanks(at, n int) int {
	for n < letters(at) && letter(at, n) == ' ' {
		n += 1
	}
	return n
}

// letterAt is a letter of a text, 0 behind its end.
func letterAt(at, n int) int {
	if n < letters(at) {
		return letter(at, n)
	}
	return 0
}

// number of a text, and the place behind it.
var readNumber int

func digits(at, n int) int {
	readNumber = 0
	start := n
	for n < letters(at) && n-start < 9 && letter(at, n) >= '0' && letter(at, n) <= '9' {
		readNumber = 10*readNumber + letter(at, n) - '0'
		n += 1
	}
	if n == start {
		fail("a cell of the board is not such as (3,4)")
	}
	return n
}

// readPair reads a text such as (3,4).
func readPair(at int) {
	n := skipBlanks(at, 0)
	if letterAt(at, n) != '(' {
		fail("a cell of the board is not such as (3,4)")
	}
	n = skipBlanks(at, digits(at, skipBlanks(at, n+1)))
	pairY = readNumber
	if letterAt(at, n) != ',' {
		fail("a cell of the board is not such as (3,4)")
	}
	n = skipBlanks(at, digits(at, skipBlanks(at, n+1)))
	pairX = readNumber
	if letterAt(at, n) != ')' || skipBlanks(at, n+1) != letters(at) {
		fail("a cell of the board is not such as (3,4)")
	}
}

// sized makes room for a board of the size that two tokens say.
func sized(rows, columns int) {
	h := wholeAt(rows, 1, 16384)
	w := wholeAt(columns, 1, 16384)
	if h > mostCells/w {
		fail("the board is too large")
	}
	room(h, w)
}

// answerState answers a state of the controller. The numbers drawn follow from the generation and
// the own number, since such a program may run anew for every turn.
func answerState() {
	sized(memberOf(0, "y_size"), memberOf(0, "x_size"))
	own = wholeAt(memberOf(0, "bot_id"), 1, 2)
	enemy = 3 - own
	generation = wholeAt(memberOf(0, "tick_id"), 0, 1000000000)
	cells := memberOf(0, "board")
	if token(cells) != '{' {
		fail("the board is no object")
	}
	i := cells + 1
	for i < closing(cells) {
		if token(i) != '"' || token(i+1) != ':' {
			fail("an object of the line is no JSON")
		}
		readPair(i)
		if pairY >= height || pairX >= width {
			fail("a cell lies off the board")
		}
		wake(pairY, pairX, wholeAt(i+2, 1, 2))
		i = behind(i + 2)
		if token(i) == ',' && token(i+1) == '"' {
			i += 1
		} else if i != closing(cells) {
			fail("an object of the line is no JSON")
		}
	}
	if readsChanges {
		fail("the species reads what has changed, which this state does not tell; use persist:")
	}
	seed(0, int64(2*generation+own))
	decide()
	say()
}

// learnFacts learns how large the board and how long the game is.
func learnFacts(at int) {
	sized(memberOf(at, "height"), memberOf(at, "width"))
	generations = wholeAt(memberOf(at, "generations"), 1, 1000000000)
	if longAt(memberOf(at, "cells")) != cellsATurn {
		fail("the species knows turns of another number of cells")
	}
}

// takeCells wakes the cells of a list for a side.
func takeCells(at, number int) {
	item := firstItem(at)
	for item < closing(at) {
		y := firstItem(item)
		wake(wholeAt(y, 0, height-1), wholeAt(nextItem(y), 0, width-1), number)
		item = nextItem(item)
	}
}

// observe reads the board.
func observe(at int) {
	room(height, width)
	own = 2
	if truthAt(memberOf(at, "first")) {
		own = 1
	}
	enemy = 3 - own
	if longAt(memberOf(at, "generation")) != int64(generation+1) {
		fail("the species draws numbers all through a game, so it must hear every turn, as with " +
			"persist:")
	}
	generation += 1
	if generation == 0 {
		words := firstItem(memberOf(at, "sites"))
		seed(longAt(words), longAt(nextItem(words)))
	}
	takeCells(memberOf(at, "own"), own)
	takeCells(memberOf(at, "enemy"), enemy)
	list := memberOf(at, "changed")
	item := firstItem(list)
	for item < closing(list) {
		y := firstItem(item)
		x := nextItem(y)
		was := wholeAt(nextItem(x), 0, 2)
		if was == 1 {
			was = own
		} else if was == 2 {
			was = enemy
		}
		changedAt[changes] = wholeAt(y, 0, height-1)*width + wholeAt(x, 0, width-1)
		if before[changedAt[changes]] != 0 {
			fail("a cell of the board is told twice")
		}
		before[changedAt[changes]] = was + 1
		changes += 1
		item = nextItem(item)
	}
}

// reply prints the cells to wake.
func reply() {
	emit("{\"action\":")
	emitCells()
	emit("}")
	endLine()
}
