//go:build ignore

// Each line of input holds eleven bits: the address a0, a1, a2 and the data d0 to d7. The answer is
// a line with one bit.

package player

// begin has nothing to forget.
func begin() {
}

func decide() {
	senseA0 = given(0) == 1
	senseA1 = given(1) == 1
	senseA2 = given(2) == 1
	senseD0 = given(3) == 1
	senseD1 = given(4) == 1
	senseD2 = given(5) == 1
	senseD3 = given(6) == 1
	senseD4 = given(7) == 1
	senseD5 = given(8) == 1
	senseD6 = given(9) == 1
	senseD7 = given(10) == 1
	if worthOutput() {
		answer(1)
	} else {
		answer(0)
	}
}
