//go:build ignore

// Each line of input is the state of the game as the controller of Life, King of the Hill, tells
// it: {"y_size":1000,"x_size":1000,"board":{"(3,4)":1, ...},"bot_id":1,"tick_id":0}, its keys and
// its cells in any order. The answer is a line with the cells to wake: [[y,x],[y,x], ...].

package player

// The board: 0 for a dead cell, else the number of its side, and, where it is another one, what was
// there a generation before, with 1 added.
var height, width int
var board, before []int

// The live cells: their places, and in the order of stripes of 64 columns, in each row by row.
var live int
var liveAt, sorted, places []int
var living [3]int

// The cells that were another side's, or nobody's, a generation before.
var changes int
var changedAt []int

// The last generation that was heard of.
var generation int

// The cells around a site as they will be read: what lives, what lived a generation before, and
// whether the cell is on the board.
var around, around1 [13][13]int
var onBoard [13][13]bool

// The site.
var siteY, siteX int

// What was chosen in this turn.
var chosenY, chosenX [cellsATurn]int
var chosen int

// The best stamp so far.
var bestStamp, bestY, bestX, bestTurns int
var bestMirrored bool
var best float32

// Who plays.
var own, enemy int

// begin forgets the game before.
func begin() {
	generation = -1
}

// room makes a board of a size, which is empty.
func room(rows, columns int) {
	if rows == height && columns == width {
		for i := range live {
			board[liveAt[i]] = 0
		}
		for i := range changes {
			before[changedAt[i]] = 0
		}
	} else {
		height = rows
		width = columns
		board = make([]int, rows*columns)
		before = make([]int, rows*columns)
		liveAt = make([]int, rows*columns)
		sorted = make([]int, rows*columns)
		changedAt = make([]int, rows*columns)
		places = make([]int, (columns/64+1)*rows+columns+1)
	}
	live = 0
	changes = 0
	living[1] = 0
	living[2] = 0
}

// wake sets a cell of the board.
func wake(y, x, number int) {
	if board[y*width+x] != 0 {
		fail("a cell of the board is told twice")
	}
	board[y*width+x] = number
	liveAt[live] = y*width + x
	live += 1
	living[number] += 1
}

// place of a cell in the order of its columns, and in that of stripes and rows.
func columnOf(at int) int {
	return at % width
}

func stripeOf(at int) int {
	return at%width/64*height + at/width
}

// sort puts the live cells in order: by columns, then by stripes and rows, which keeps the order of
// the columns.
func sort() {
	for i := range width + 1 {
		places[i] = 0
	}
	for i := range live {
		places[columnOf(liveAt[i])+1] += 1
	}
	for i := range width {
		places[i+1] += places[i]
	}
	for i := range live {
		c := columnOf(liveAt[i])
		sorted[places[c]] = liveAt[i]
		places[c] += 1
	}
	rows := (width/64 + 1) * height
	for i := range rows + 1 {
		places[i] = 0
	}
	for i := range live {
		places[stripeOf(sorted[i])+1] += 1
	}
	for i := range rows {
		places[i+1] += places[i]
	}
	for i := range live {
		r := stripeOf(sorted[i])
		liveAt[places[r]] = sorted[i]
		places[r] += 1
	}
}

// nth returns the place of a live cell of a side.
func nth(number, n int) int {
	for i := range live {
		if board[liveAt[i]] == number {
			if n == 0 {
				return liveAt[i]
			}
			n -= 1
		}
	}
	return 0
}

// surround reads the cells around a site, mirrored or not; those chosen in this turn count as own.
func surround(middleY, middleX int, mirrored bool) {
	for i := range 13 {
		for j := range 13 {
			y := middleY + i - 6
			x := middleX + j - 6
			if mirrored {
				x = middleX + 6 - j
			}
			onBoard[i][j] = y >= 0 && y < height && x >= 0 && x < width
			around[i][j] = 0
			around1[i][j] = 0
			if onBoard[i][j] {
				around[i][j] = board[y*width+x]
				around1[i][j] = around[i][j]
				if before[y*width+x] > 0 {
					around1[i][j] = before[y*width+x] - 1
				}
			}
		}
	}
	for n := range chosen {
		i := chosenY[n] - middleY + 6
		j := chosenX[n] - middleX + 6
		if mirrored {
			j = 12 - j
		}
		if i >= 0 && i < 13 && j >= 0 && j < 13 {
			around[i][j] = own
		}
	}
}

// born tells whether a side's cell will be born: the cell is dead with three neighbours of the side
// and none of the other.
func born(i, j, number int) bool {
	friends := 0
	for y := range 3 {
		for x := range 3 {
			a := around[i+y-1][j+x-1]
			if a == number {
				friends += 1
			} else if a != 0 {
				return false
			}
		}
	}
	return around[i][j] == 0 && friends == 3
}

// draw draws the cells around a site into the layers that the trees read.
func draw() {
	for y := range side {
		for x := range side {
			drawCell(y*side+x, y+1, x+1, around[y+1][x+1], onBoard[y+1][x+1])
		}
	}
}

// turnedX and turnedY turn a cell about the middle by quarter turns clockwise.
func turnedX(x, y, quarters int) int {
	if quarters == 0 {
		return x
	}
	if quarters == 1 {
		return -y
	}
	if quarters == 2 {
		return -x
	}
	return y
}

func turnedY(x, y, quarters int) int {
	return turnedX(y, -x, quarters)
}

// fits tells whether all cells of a stamp are free.
func fits(stamp int) bool {
	for i := range sizes[stamp] {
		x := turnedX(stampX[stamp][i], stampY[stamp][i], turns)
		y := turnedY(stampX[stamp][i], stampY[stamp][i], turns)
		if !held[layerEmpty][(y+5)*side+x+5] {
			return false
		}
	}
	return true
}

// offer compares the stamps at a site with the best one so far.
func offer(y, x int, mirrored bool) {
	siteY = y
	siteX = x
	surround(y, x, mirrored)
	draw()
	computeSite()
	for stamp := range stamps {
		if sizes[stamp] > cellsATurn-chosen {
			continue
		}
		for k := range ways[stamp] {
			turns = k
			value := worth(stamp)
			if value > best && fits(stamp) {
				best = value
				bestStamp = stamp
				bestY = y
				bestX = x
				bestTurns = k
				bestMirrored = mirrored
			}
		}
	}
}

// near is a number at most four from another, and in 0 to the limit.
func near(n, limit int) int {
	return max(0, min(n+below(9)-4, limit))
}

// site draws a site near an own cell, near an enemy cell, or anywhere, and offers what can be
// placed there.
func site(kind int) {
	number := own
	if kind == 1 {
		number = enemy
	}
	y := 0
	x := 0
	if kind == 2 || living[number] == 0 {
		y = below(height)
		x = below(width)
	} else {
		at := nth(number, below(living[number]))
		y = near(at/width, height-1)
		x = near(at%width, width-1)
	}
	mirrored := below(2) == 1
	offer(y, x, mirrored)
}

// place chooses the cells of the best stamp.
func place() {
	for i := range sizes[bestStamp] {
		x := turnedX(stampX[bestStamp][i], stampY[bestStamp][i], bestTurns)
		y := turnedY(stampX[bestStamp][i], stampY[bestStamp][i], bestTurns)
		if bestMirrored {
			x = -x
		}
		chosenY[chosen] = bestY + y
		chosenX[chosen] = bestX + x
		chosen += 1
	}
}

// decide places the best stamp of each round.
func decide() {
	sort()
	chosen = 0
	computeTurn()
	for range rounds {
		if chosen == cellsATurn {
			break
		}
		computeRound()
		best = 0
		for kind := range 3 {
			site(kind)
		}
		if best > 0 {
			place()
		}
	}
}

// emitCells prints the cells to wake.
func emitCells() {
	emit("[")
	for i := range chosen {
		if i > 0 {
			emit(",")
		}
		emit("[")
		emitNumber(chosenY[i])
		emit(",")
		emitNumber(chosenX[i])
		emit("]")
	}
	emit("]")
}

// say prints them as a line.
func say() {
	emitCells()
	endLine()
}
