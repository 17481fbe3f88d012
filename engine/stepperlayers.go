//go:build ignore

package player

// layersAt reads the layers from a line of numbers, and returns which number stands behind.
func layersAt(at int) int {
	for l := range layers {
		for i := range cells {
			held[l][i] = false
		}
		count := givenIn(at, 0, cells)
		at += 1
		for range count {
			cell := givenIn(at, 0, cells-1)
			held[l][cell] = true
			weight[l][cell] = given(at + 1)
			at += 2
		}
	}
	return at
}

// takeLayer reads the cells of a layer.
func takeLayer(at, l int) {
	for i := range cells {
		held[l][i] = false
	}
	item := firstItem(at)
	for item < closing(at) {
		x := firstItem(item)
		y := nextItem(x)
		cell := (wholeAt(y, -(side/2), side/2)+side/2)*side + wholeAt(x, -(side/2), side/2) + side/2
		held[l][cell] = true
		weight[l][cell] = 0
		if nextItem(y) < closing(item) {
			weight[l][cell] = wholeAt(nextItem(y), -2147483647, 2147483647)
		}
		item = nextItem(item)
	}
}
