//go:build ignore

// The first line of input tells whether there is food in the cell ahead of the ant: 1 or 0. The
// answer is a line with what the ant does: 0 turn left, 1 turn right, 2 move. After each action a
// line tells what is ahead then.

package player

// play does what the tree says, over and over.
func play() {
	if !hear() {
		stop()
	}
	for {
		ant()
	}
}

// act does an action and hears what is ahead then.
func act(action int) {
	answer(action)
	say()
	if !hear() {
		stop()
	}
}

func foodAhead() bool {
	return given(0) == 1
}

func left() {
	act(0)
}

func right() {
	act(1)
}

func move() {
	act(2)
}
