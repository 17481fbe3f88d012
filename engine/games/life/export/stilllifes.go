//go:build ignore

package player

// lives tells whether a place is on the board and holds a live cell of a side.
func lives(number, y, x int) bool {
	return y >= 0 && y < height && x >= 0 && x < width && board[y*width+x] == number
}

// hundredths are the cells that a side can wake in some generations, in hundredths of the board's.
func hundredths(n int) float32 {
	return 100 * (float32(n) * float32(cellsATurn) / float32(height*width))
}

// clear tells whether the cells of a plot are on the board, and none is live or chosen.
func clear(y, x, rows, columns int) bool {
	if y+rows > height || x+columns > width {
		return false
	}
	for i := range rows {
		for j := range columns {
			if board[(y+i)*width+x+j] != 0 {
				return false
			}
		}
	}
	for n := range chosen {
		if chosenY[n] >= y && chosenY[n] < y+rows && chosenX[n] >= x && chosenX[n] < x+columns {
			return false
		}
	}
	return true
}

// plots is how many plots of a size there are along a side, at least one.
func plots(along, size int) int {
	return max(along/size, 1)
}

// plotSite offers what is placed in the middle of such plots alone, if it finds one that is clear.
func plotSite(kind, rows, columns int) {
	y := 0
	x := 0
	found := false
	for range 8 {
		if !found {
			y = below(plots(height, rows)) * rows
			x = below(plots(width, columns)) * columns
			found = clear(y, x, rows, columns)
		}
	}
	if found {
		kindOfSite = kind
		offer(y+rows/2, x+columns/2, false)
		kindOfSite = 0
	}
}

// The rows and columns around a stamp of which its neighbours' cells are looked at.
const patchRows = 10
const patchColumns = 30
const patch = 300

// The cells around a stamp, own ones and behind them the enemy's: before anything happens, now and
// in the next generation.
var start, now, next [600]bool

// sideCells is how many cells of a side lie in the square around a cell.
func sideCells(first, i, j int) int {
	n := 0
	for a := range 3 {
		for b := range 3 {
			y := i + a - 1
			x := j + b - 1
			if y >= 0 && y < patchRows && x >= 0 && x < patchColumns {
				if now[first+y*patchColumns+x] {
					n += 1
				}
			}
		}
	}
	return n
}

// stepSide computes a side's cells of the next generation.
func stepSide(first int) {
	for i := range patchRows {
		for j := range patchColumns {
			friends := sideCells(first, i, j)
			at := first + i*patchColumns + j
			if now[at] {
				next[at] = friends == 3 || friends == 4
			} else {
				next[at] = friends == 3 && sideCells(patch-first, i, j) == 0
			}
		}
	}
}

// unchanged tells whether no own cell in the middle has died, and, at the end, none has changed.
func unchanged(end bool) bool {
	for i := range 4 {
		for j := range 13 {
			at := (i+3)*patchColumns + j + 3
			if start[at] && !next[at] || end && now[at] != next[at] {
				return false
			}
		}
	}
	return true
}

// settles tells whether the own cells in the middle stay for three generations.
func settles() bool {
	for i := range 2 * patch {
		now[i] = start[i]
	}
	for n := range 3 {
		stepSide(0)
		stepSide(patch)
		if !unchanged(n == 2) {
			return false
		}
		for i := range 2 * patch {
			now[i] = next[i]
		}
	}
	return true
}

// put marks a cell of a side at the start, if it lies around the stamp.
func put(first, y, x int) {
	if y >= 0 && y < patchRows && x >= 0 && x < patchColumns {
		start[first+y*patchColumns+x] = true
	}
}

// stampColumn is where a stamp's cell lies at the site.
func stampColumn(stamp, i int) int {
	if siteMirrored {
		return siteX - stampX[stamp][i]
	}
	return siteX + stampX[stamp][i]
}

// isFree tells whether a cell is on the board, dead and not chosen.
func isFree(y, x int) bool {
	if y < 0 || y >= height || x < 0 || x >= width || board[y*width+x] != 0 {
		return false
	}
	for n := range chosen {
		if chosenY[n] == y && chosenX[n] == x {
			return false
		}
	}
	return true
}

// stays tells whether a block, or what becomes one, turns into a still life at the site that takes
// nothing from own cells beside it, whether enemies go on as they are or are gone.
func stays(stamp int) bool {
	if kindOf[stamp] == 0 || kindOf[stamp] == 2 {
		return true
	}
	for i := range sizes[stamp] {
		if !isFree(siteY+stampY[stamp][i], stampColumn(stamp, i)) {
			return false
		}
	}
	top := height
	left := width
	for i := range sizes[stamp] {
		top = min(top, siteY+stampY[stamp][i])
		left = min(left, stampColumn(stamp, i))
	}
	for i := range 2 * patch {
		start[i] = false
	}
	for i := range patchRows {
		for j := range patchColumns {
			y := top + i - 4
			x := left + j - 4
			if lives(own, y, x) {
				put(0, i, j)
			}
			if lives(enemy, y, x) {
				put(patch, i, j)
			}
		}
	}
	for n := range chosen {
		put(0, chosenY[n]-top+4, chosenX[n]-left+4)
	}
	for i := range sizes[stamp] {
		put(0, siteY+stampY[stamp][i]-top+4, stampColumn(stamp, i)-left+4)
	}
	if !settles() {
		return false
	}
	for i := range patch {
		start[patch+i] = false
	}
	return settles()
}

// blockSite offers a pre-block and a block where one of them stands, if it finds such a place.
func blockSite() {
	found := false
	for range 8 {
		if !found {
			siteY = below(height)
			siteX = below(width)
			siteMirrored = false
			found = stays(1) || stays(0)
		}
	}
	if found {
		kindOfSite = 3
		offer(siteY, siteX, false)
		kindOfSite = 0
	}
}
