//go:build ignore

// Each line of input is a decision, in whole numbers: for each offer 1 where it is possible, else
// 0; each scalar under 0, 1, 2 and 3 quarter turns clockwise, as two numbers m and e for m times 2
// to the power of e, as short as can be; each flag under the four turns, 1 or 0; and for each layer
// how many cells it holds, then the number of each in the window, row by row from the upper left,
// with its weight, 0 in layers without. Offers, scalars, flags and layers stand in the order of the
// game's. The answer is a line with the number of the chosen offer, from 0.

package player

// begin has nothing to forget.
func begin() {}

// number is m times 2 to the power of e.
func number(m, e int) float32 {
	x := float32(m)
	for range e {
		x = x * 2
	}
	for range -e {
		x = x * 0.5
	}
	return x
}

// read takes the offers, the scalars and the flags from a line of numbers, then the layers.
func read() {
	at := offers
	for i := range offers {
		possible[i] = givenIn(i, 0, 1) == 1
	}
	for i := range scalars {
		for k := range 4 {
			scalar[i][k] = number(given(at), givenIn(at+1, -400, 400))
			at += 2
		}
	}
	for i := range flags {
		for k := range 4 {
			flag[i][k] = givenIn(at, 0, 1) == 1
			at += 1
		}
	}
	if layersAt(at) != givens() {
		fail("the line has more numbers than the decision needs")
	}
}

// decide chooses the first of the possible offers that are worth most. What is no number is worth
// least.
func decide() {
	if givens() > 0 {
		read()
	}
	chosen := -1
	known := false // whether the chosen one is worth a number
	var best float32 = 0
	for i := range offers {
		if !possible[i] {
			continue
		}
		face(offerTurn[i])
		worth := worthOf(offerSlot[i])
		if chosen < 0 || known && worth > best || !known && worth >= -3.4028235e38 {
			chosen = i
			known = worth == worth
			best = worth
		}
	}
	answer(chosen)
}
