//go:build ignore

// Each line of input is one decision of one amoeba: its energy, its health, the round from 0, and a
// direction from which it looks around, drawn anew each time (0 to 7); then the 49 cells around it,
// row by row from the upper left, each with its fuel (-1 where the amoeba does not see), who is
// there (0 nobody, 1 the own species, 2 another), and that one's energy and health. A species with
// memory reads more: its own data, and, for each of the 49 cells, the data of who is there if that
// is a friend, else 0. The answer is a line with the command (0 rest, 1 move, 2 hit, 3 divide) and
// the direction: 0 to 7 for NW, N, NE, E, SE, S, SW, W; with memory also the data that the amoeba
// and its child have from now on.

package player

// stepX and stepY are the steps of the directions.
var stepX = [8]int{-1, 0, 1, 1, 1, 0, -1, -1}
var stepY = [8]int{-1, -1, -1, 0, 1, 1, 1, 0}

// The best action so far.
var command, direction int
var most float32
var found bool

// begin has nothing to forget.
func begin() {
}

// cell returns what is given of a cell: 0 its fuel, 1 who is there, 2 and 3 that one's energy and
// health.
func cell(i, what int) int {
	return given(4 + 4*i + what)
}

// draw draws the view into the layers that the trees read.
func draw() {
	for i := range cells {
		drawCell(i)
		weighCell(i)
	}
}

// offer takes an action if it is worth more than all before. A worth that is no number loses; that
// of resting, with which the comparison begins, counts as less than all numbers then.
func offer(does, toward int, worth float32) {
	var least float32 = -3e38
	least = least * 10
	if found && worth > most || !found && worth > least {
		command = does
		direction = toward
		most = worth
		found = true
	}
}

// check holds that a line is a decision.
func check() {
	if givens() != 4+4*cells && (!remembers || givens() != 5+5*cells) {
		fail("a decision has another number of numbers")
	}
	for i := range 4 * cells {
		if i%4 == 1 {
			givenIn(4+i, 0, 2)
		}
	}
	givenIn(3, 0, 7)
}

// decide offers rest, then in each direction the move, the hit and the division that is possible.
func decide() {
	check()
	draw()
	energy := given(0)
	computeSelf()
	turns = 0
	command = 0
	direction = 0
	most = worthRest()
	found = most == most
	for i := range 8 {
		d := (given(3) + i) % 8
		turns = d / 2
		who := cell((3+stepY[d])*side+3+stepX[d], 1)
		straight := d%2 == 1
		if who == 2 && energy >= attackEnergy {
			if straight {
				offer(2, d, worthHit())
			} else {
				offer(2, d, worthHitDiagonal())
			}
		}
		if who == 0 && energy >= moveEnergy {
			if straight {
				offer(1, d, worthMove())
			} else {
				offer(1, d, worthMoveDiagonal())
			}
		}
		if who == 0 && energy >= minDivideEnergy {
			if straight {
				offer(3, d, worthDivide())
			} else {
				offer(3, d, worthDivideDiagonal())
			}
		}
	}
	answer(command)
	answer(direction)
}
