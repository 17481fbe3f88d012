//go:build ignore

package player

// The frame is what the trees read: for each layer the cells of a square window around the actor,
// row by row from the upper left, and the weights of those cells.
var held [layers][cells]bool
var weight [layers][cells]int

// The trees see the world turned by this many quarter turns clockwise.
var turns int

// What a sensor asks about an area.
const askCount = 0
const askSum = 1
const askLeast = 2
const askGreatest = 3

// area answers for the cells of a layer in a rectangle, whose corners are relative to the actor, x
// to the right and y down.
func area(question, layer, left, top, right, bottom int) int {
	for range turns {
		oldTop := top
		top = left
		left = -bottom
		bottom = right
		right = -oldTop
	}
	found := 0
	result := 0
	rows := bottom - top + 1
	columns := right - left + 1
	if wraps { // each cell counts once
		rows = min(rows, side)
		columns = min(columns, side)
		top = wrapped(top)
		left = wrapped(left)
	}
	for i := range rows {
		y := top + i + side/2
		if wraps {
			y = y % side
		}
		if y < 0 || y >= side {
			continue
		}
		for j := range columns {
			x := left + j + side/2
			if wraps {
				x = x % side
			}
			if x < 0 || x >= side || !held[layer][y*side+x] {
				continue
			}
			w := weight[layer][y*side+x]
			found += 1
			if question == askSum {
				result += w
			} else if found == 1 || question == askLeast && w < result ||
				question == askGreatest && w > result {
				result = w
			}
		}
	}
	if question == askCount {
		return found
	}
	return result
}

// wrapped brings a column or a row of the torus to 0 or more.
func wrapped(place int) int {
	for place < 0 {
		place += side
	}
	return place
}

// holds tells whether some cell of a layer lies in the area.
func holds(layer, left, top, right, bottom int) bool {
	return area(askCount, layer, left, top, right, bottom) > 0
}

// count tells how many cells of a layer lie in the area.
func count(layer, left, top, right, bottom int) float32 {
	return float32(area(askCount, layer, left, top, right, bottom))
}

// sum adds the weights of a layer's cells in the area.
func sum(layer, left, top, right, bottom int) float32 {
	return float32(float32(area(askSum, layer, left, top, right, bottom)) * unit[layer])
}

// least is the least weight of a layer's cells in the area, 0 without any.
func least(layer, left, top, right, bottom int) float32 {
	return float32(float32(area(askLeast, layer, left, top, right, bottom)) * unit[layer])
}

// greatest is the greatest weight of a layer's cells in the area, 0 without any.
func greatest(layer, left, top, right, bottom int) float32 {
	return float32(float32(area(askGreatest, layer, left, top, right, bottom)) * unit[layer])
}
