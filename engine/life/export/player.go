//go:build ignore

// Each line of input is the state of the game as the controller of Life, King of the Hill, tells
// it: {"y_size":1000,"x_size":1000,"board":{"(3,4)":1, ...},"bot_id":1,"tick_id":0}, the live cells
// row by row. The answer is a line with the cells to wake: [[y,x],[y,x], ...].

package player

// The board: 0 for a dead cell, else the number of its side; by number of a side and stripe of 64
// columns, how many cells live there.
var board [height * width]int
var living [3][width/64 + 1]int

// The cells around a site as they will be read: what lives, and whether the cell is on the board.
var around [13][13]int
var onBoard [13][13]bool

// What was chosen in this turn.
var chosenY [cellsATurn]int
var chosenX [cellsATurn]int
var chosen int

// The best stamp so far.
var bestStamp int
var bestY int
var bestX int
var bestTurns int
var bestMirrored bool
var best float32

// Who plays.
var own int
var enemy int

// begin has nothing to forget.
func begin() {
}

// readBoard sets up the board from the numbers given: the two sizes, three numbers a live cell, the
// own number and the generation.
func readBoard() {
	for i := range (givens() - 4) / 3 {
		y := given(2 + 3*i)
		x := given(3 + 3*i)
		board[y*width+x] = given(4 + 3*i)
		living[given(4+3*i)][x/64] += 1
	}
}

// wipe clears the board again.
func wipe() {
	for i := range (givens() - 4) / 3 {
		board[given(2+3*i)*width+given(3+3*i)] = 0
	}
	for i := range width/64 + 1 {
		living[1][i] = 0
		living[2][i] = 0
	}
}

// total counts the live cells of a side.
func total(number int) int {
	n := 0
	for i := range width/64 + 1 {
		n += living[number][i]
	}
	return n
}

// nth returns the place of a live cell of a side in the numbers given. Cells are counted by stripes
// of 64 columns, in each row by row.
func nth(number, n int) int {
	stripe := 0
	for n >= living[number][stripe] {
		n -= living[number][stripe]
		stripe += 1
	}
	for i := range (givens() - 4) / 3 {
		if given(4+3*i) == number && given(3+3*i)/64 == stripe {
			if n == 0 {
				return 2 + 3*i
			}
			n -= 1
		}
	}
	return 2
}

// surround reads the cells around a site, mirrored or not; those chosen in this turn count as own.
func surround(siteY, siteX int, mirrored bool) {
	for i := range 13 {
		for j := range 13 {
			y := siteY + i - 6
			x := siteX + j - 6
			if mirrored {
				x = siteX + 6 - j
			}
			onBoard[i][j] = y >= 0 && y < height && x >= 0 && x < width
			around[i][j] = 0
			if onBoard[i][j] {
				around[i][j] = board[y*width+x]
			}
		}
	}
	for n := range chosen {
		i := chosenY[n] - siteY + 6
		j := chosenX[n] - siteX + 6
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
			i := y*side + x
			a := around[y+1][x+1]
			on := onBoard[y+1][x+1]
			held[layerOwn][i] = a == own
			held[layerEnemy][i] = a == enemy
			held[layerEmpty][i] = on && a == 0
			held[layerOwnBirths][i] = on && born(y+1, x+1, own)
			held[layerEnemyBirths][i] = on && born(y+1, x+1, enemy)
			held[layerOff][i] = !on
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

// worth is what a stamp is worth at the site, turned as the trees see it.
func worth(stamp int) float32 {
	if stamp == 0 {
		return worthGlider()
	}
	if stamp == 1 {
		return worthBlock()
	}
	if stamp == 2 {
		return worthGrowth()
	}
	return worthCell()
}

// offer compares the stamps at a site with the best one so far.
func offer(y, x int, mirrored bool) {
	surround(y, x, mirrored)
	draw()
	for stamp := range 4 {
		if sizes[stamp] > cellsATurn-chosen {
			continue
		}
		ways := 4
		if stamp == 1 || stamp == 3 {
			ways = 1
		}
		for k := range ways {
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
	n = n + below(9) - 4
	if n < 0 {
		return 0
	}
	if n > limit {
		return limit
	}
	return n
}

// site draws a site near an own cell, near an enemy cell, or anywhere, and offers what can be
// placed there.
func site(kind int) {
	number := own
	if kind == 1 {
		number = enemy
	}
	live := total(number)
	y := 0
	x := 0
	if kind == 2 || live == 0 {
		y = below(height)
		x = below(width)
	} else {
		at := nth(number, below(live))
		y = near(given(at), height-1)
		x = near(given(at+1), width-1)
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

// decide places the best stamp of each round. The numbers drawn follow from the generation and the
// own number.
func decide() {
	if givens() < 4 || given(0) != height || given(1) != width {
		return
	}
	own = given(givens() - 2)
	enemy = 3 - own
	generation := given(givens() - 1)
	seed(2*generation + own)
	readBoard()
	chosen = 0
	senseOwnTotal = float32(total(own)) / 1000
	senseEnemyTotal = float32(total(enemy)) / 1000
	senseGenerationsLeft = float32(generations-generation) / generations
	for range rounds {
		if chosen == cellsATurn {
			break
		}
		senseCellsLeft = float32(cellsATurn-chosen) / cellsATurn
		best = 0
		for kind := range 3 {
			site(kind)
		}
		if best > 0 {
			place()
		}
	}
	wipe()
	for i := range chosen {
		answer(chosenY[i])
		answer(chosenX[i])
	}
}
