//go:build ignore

// Each line of input is a turn of one creature: the time that it has spent and that of the game's
// clock, in virtual nanoseconds; the width and the height of the map; its column and its row; which
// way it faces (0 north, 1 west, 2 south, 3 east); the number of its species; and, each 0 or 1,
// whether it is enchanted, whether its last action succeeded, and whether there is mud and a shrine
// of its species where it stands. If its last action was to observe, what it sees now follows: of
// the last square of the line what stands there (0 nothing, 1 a wall, 2 a hazard, 3 a creature),
// the number of that creature's species (10 a treasure, 11 an apple, 12 a flytrap), its own number
// and which way it faces; then, for each square of the line from its own on, whether there is a
// wall (1) or a hazard (2), and whether there is mud and a shrine of its species. The answer is a
// line with the action: 1 forward, 2 backward, 3 turn left, 4 turn right, 5 attack, 6 observe, 7
// delay. An empty line begins the life of another creature and has no answer.

package player

// The map that the creature remembers, with a margin around it. What lies outside is wall.
const margin = 5
const boardKnown = 0
const boardWall = 1
const boardHazard = 2
const boardApple = 3
const boardFlytrap = 4
const boardVisited = 5
const boardMud = 6
const boardShrine = 7
const boardTreasure = 8

// Creatures of species that are remembered at once.
const sightings = 32

// memory is the map of what a creature has seen, or all of a species where they share it.
type memory struct {
	// Nine boards one after the other, and when each square was last come to; where a shrine is.
	unrolled                 bool
	boards                   []bool
	trail                    []int
	visits, shrineX, shrineY int
	hasShrine                bool
	// Creatures of species, as last seen.
	seenX, seenY, seenNumber [sightings]int
	seenFriend               [sightings]bool
	seenTime                 [sightings]int64
	seen                     int
}

// known is the memory of the creature whose turn it is.
var known *memory

// creature is what one of them remembers besides.
type creature struct {
	// What was last seen in each direction, and where the creature bumped into something.
	looked                              [4]bool
	lookX, lookY, lookKind, lookSpecies [4]int
	lookFaces                           [4]bool
	lookTime                            [4]int64
	bumped                              [4]bool
	bumpX, bumpY                        [4]int
	// Whether it has lived a turn, and what it did last.
	begun bool
	last  int
}

// self is the creature whose turn it is.
var self *creature

// The turn: when, where, and what the creature is.
var now int64
var wide, high, atX, atY, facing, species int

// The steps of the directions.
var stepX = [4]int{0, -1, 0, 1}
var stepY = [4]int{-1, 0, 1, 0}

// informed says that births were told, which creatures that share their map must hear of.
var informed bool

// begin forgets all creatures. Turns in numbers are those of one creature.
func begin() {
	forgetAll()
	selfOf(0)
	knownOf(0)
}

func forgetAll() {
	selfNone()
	knownNone()
	informed = false
}

// square returns the number of a square in a board, which has a margin around the map.
func square(x, y int) int {
	return (y+margin)*(wide+2*margin) + x + margin
}

// on returns the number of a square among those of all boards.
func on(board, square int) int {
	return board*(wide+2*margin)*(high+2*margin) + square
}

func outside(x, y int) bool {
	return x < 0 || y < 0 || x >= wide || y >= high
}

// unroll makes an empty map where there is none.
func unroll() {
	if known.unrolled {
		return
	}
	known.unrolled = true
	squares := (wide + 2*margin) * (high + 2*margin)
	known.boards = make([]bool, 9*squares)
	known.trail = make([]int, squares)
	for row := range high + 2*margin {
		for column := range wide + 2*margin {
			x := column - margin
			y := row - margin
			known.boards[on(boardKnown, square(x, y))] = outside(x, y)
			known.boards[on(boardWall, square(x, y))] = outside(x, y)
		}
	}
}

// visit notes that a creature has come to a square.
func visit(x, y int, mud, shrine bool) {
	known.boards[on(boardVisited, square(x, y))] = true
	known.visits += 1
	known.trail[square(x, y)] = known.visits
	enter(x, y, 0, mud, shrine)
}

// arrive notes that the creature has come to where it stands.
func arrive() {
	visit(atX, atY, given(10) == 1, given(11) == 1)
}

// enter notes what a square is.
func enter(x, y, what int, mud, shrine bool) {
	i := square(x, y)
	known.boards[on(boardKnown, i)] = true
	known.boards[on(boardApple, i)] = false
	known.boards[on(boardFlytrap, i)] = false
	known.boards[on(boardTreasure, i)] = false
	if what == 2 {
		known.boards[on(boardHazard, i)] = true
	} else if what == 1 {
		known.boards[on(boardWall, i)] = true
	}
	if mud {
		known.boards[on(boardMud, i)] = true
	}
	if shrine {
		known.boards[on(boardShrine, i)] = true
		known.shrineX = x
		known.shrineY = y
		known.hasShrine = true
	}
}

// drop forgets a creature: the last one takes its place.
func drop(i int) {
	known.seen -= 1
	known.seenX[i] = known.seenX[known.seen]
	known.seenY[i] = known.seenY[known.seen]
	known.seenNumber[i] = known.seenNumber[known.seen]
	known.seenFriend[i] = known.seenFriend[known.seen]
	known.seenTime[i] = known.seenTime[known.seen]
}

// forgetLine forgets the creatures between two squares of a line.
func forgetLine(x1, y1, x2, y2 int) {
	i := 0
	for i < known.seen {
		if known.seenX[i] >= min(x1, x2) && known.seenX[i] <= max(x1, x2) &&
			known.seenY[i] >= min(y1, y2) && known.seenY[i] <= max(y1, y2) {
			drop(i)
		} else {
			i += 1
		}
	}
}

// sight remembers a creature: in place of the same one, or else of the oldest.
func sight(x, y, number int, friend bool) {
	place := 0
	met := false
	for i := range known.seen {
		if met {
			continue
		}
		if known.seenNumber[i] == number && number > 0 {
			place = i
			met = true
		} else if known.seenTime[i] < known.seenTime[place] {
			place = i
		}
	}
	if !met && known.seen < sightings {
		place = known.seen
		known.seen += 1
	}
	known.seenX[place] = x
	known.seenY[place] = y
	known.seenNumber[place] = number
	known.seenFriend[place] = friend
	known.seenTime[place] = now
}

// notice enters an observation.
func notice() {
	kind := given(12)
	kin := given(13)
	n := (givens() - 16) / 3
	farX := atX + (n-1)*stepX[facing]
	farY := atY + (n-1)*stepY[facing]
	forgetLine(atX, atY, farX, farY)
	for i := range n {
		enter(atX+i*stepX[facing], atY+i*stepY[facing], given(16+3*i), given(17+3*i) == 1,
			given(18+3*i) == 1)
	}
	if kind == 3 {
		if kin >= 28 {
			sight(farX, farY, given(14), kin == species)
		} else if kin == 11 {
			known.boards[on(boardApple, square(farX, farY))] = true
		} else if kin == 12 {
			known.boards[on(boardFlytrap, square(farX, farY))] = true
		} else if kin == 10 {
			known.boards[on(boardTreasure, square(farX, farY))] = true
		}
	}
	self.bumped[facing] = false
	remember(farX, farY, kind, kin, kind == 3 && given(15) == (facing+2)%4)
}

// remember keeps what was last seen ahead.
func remember(x, y, kind, kin int, faces bool) {
	self.looked[facing] = true
	self.lookX[facing] = x
	self.lookY[facing] = y
	self.lookKind[facing] = kind
	self.lookSpecies[facing] = kin
	self.lookFaces[facing] = faces
	self.lookTime[facing] = now
}

// learn takes over what the last action taught.
func learn() {
	done := given(9) == 1
	if self.last == 1 || self.last == 2 {
		if done {
			arrive()
		} else {
			d := facing
			if self.last == 2 {
				d = (facing + 2) % 4
			}
			self.bumped[d] = true
			self.bumpX[d] = atX + stepX[d]
			self.bumpY[d] = atY + stepY[d]
		}
	} else if self.last == 5 && done {
		x := atX + stepX[facing]
		y := atY + stepY[facing]
		forgetLine(x, y, x, y)
		enter(x, y, 0, false, false)
		sight(x, y, -1, true)
		remember(x, y, 3, species, false)
	} else if self.last == 6 && givens() > 16 {
		notice()
	}
}

// Creatures of the own species and of others, by cell of the window.
var friendThere, enemyThere [cells]bool

// draw draws the squares around the creature into the layers that the trees read.
func draw() {
	for i := range cells {
		friendThere[i] = false
		enemyThere[i] = false
	}
	n := 0
	for n < known.seen {
		if now-known.seenTime[n] > 20000000 {
			drop(n)
			continue
		}
		x := known.seenX[n] - atX + margin
		y := known.seenY[n] - atY + margin
		if x >= 0 && x < side && y >= 0 && y < side &&
			(known.seenX[n] != atX || known.seenY[n] != atY) {
			if known.seenFriend[n] {
				friendThere[y*side+x] = true
			} else {
				enemyThere[y*side+x] = true
			}
		}
		n += 1
	}
	for y := range side {
		for x := range side {
			drawCell(y*side+x, square(atX+x-margin, atY+y-margin))
		}
	}
}

// onLine tells whether what was seen still lies ahead.
func onLine(d int) bool {
	if d == 0 {
		return self.lookX[d] == atX && self.lookY[d] < atY
	}
	if d == 2 {
		return self.lookX[d] == atX && self.lookY[d] > atY
	}
	if d == 1 {
		return self.lookY[d] == atY && self.lookX[d] < atX
	}
	return self.lookY[d] == atY && self.lookX[d] > atX
}

// cold tells how long ago the creature came to a square: from 0 for just now to 1 for never.
func cold(x, y int) float32 {
	if outside(x, y) || known.trail[square(x, y)] == 0 {
		return 1
	}
	since := float32(known.visits - known.trail[square(x, y)])
	return since / (since + 10)
}

// What is known of the direction to which the trees look: its number, the next square, what was
// last seen on the line, -1 if nothing was, of which species, and how far away; whether it can be
// won; whether something is in the way. Where the own shrine lies, to the right and down, as the
// direction points up.
var direction, nextX, nextY, kindAhead, speciesAhead, distance int
var preyAhead, blocked bool
var shrineX, shrineY int

// age is the time since the last look ahead.
func age() float32 {
	if kindAhead < 0 {
		return 100
	}
	spent := float32(now-self.lookTime[direction]) / 1000000
	if spent < 100 {
		return spent
	}
	return 100
}

// trail tells how long ago the creature came to the next square.
func trail() float32 {
	if blocked {
		return 0
	}
	return cold(nextX, nextY)
}

// sense sets what the trees read of one direction: the world turned so that it points ahead.
func sense(quarters int) {
	turns = quarters % 4
	direction = (4 - turns) % 4
	nextX = atX + stepX[direction]
	nextY = atY + stepY[direction]
	kindAhead = -1
	speciesAhead = 0
	distance = 0
	if self.looked[direction] && onLine(direction) {
		x := self.lookX[direction]
		y := self.lookY[direction]
		kindAhead = self.lookKind[direction]
		speciesAhead = self.lookSpecies[direction]
		distance = max(atX-x, x-atX) + max(atY-y, y-atY)
	}
	preyAhead = kindAhead == 3 && speciesAhead != species
	blocked = known.boards[on(boardWall, square(nextX, nextY))] ||
		known.boards[on(boardHazard, square(nextX, nextY))] ||
		self.bumped[direction] && self.bumpX[direction] == nextX && self.bumpY[direction] == nextY ||
		distance == 1 && kindAhead > 0
	shrineX = 0
	shrineY = 0
	if known.hasShrine {
		shrineX = known.shrineX - atX
		shrineY = known.shrineY - atY
		for range direction {
			old := shrineX
			shrineX = -shrineY
			shrineY = old
		}
	}
	computeAhead()
}

// The best action so far.
var best int
var most float32

func offer(action int, worth float32) {
	if worth > most {
		best = action
		most = worth
	}
}

// mostSquares bounds the sides of a map.
const mostSquares = 4096

// check holds that a line is a turn on the map that the creature knows, and sets where it stands.
func check() {
	w := givenIn(2, 1, mostSquares)
	h := givenIn(3, 1, mostSquares)
	if self.begun && (w != wide || h != high) {
		fail("the map has another size than before; an empty line begins another creature")
	}
	wide = w
	high = h
	atX = givenIn(4, 0, wide-1)
	atY = givenIn(5, 0, high-1)
	facing = givenIn(6, 0, 3)
	for i := range 4 {
		givenIn(8+i, 0, 1)
	}
	if self.last != 6 || !self.begun {
		if givens() != 12 {
			fail("a turn has twelve numbers where the creature did not observe")
		}
		return
	}
	n := (givens() - 16) / 3
	if givens() != 16+3*n || n < 1 {
		fail("what was observed has another number of numbers")
	}
	farX := atX + (n-1)*stepX[facing]
	farY := atY + (n-1)*stepY[facing]
	if farX < -margin || farX >= wide+margin || farY < -margin || farY >= high+margin {
		fail("what was observed lies off the map")
	}
	givenIn(12, 0, 3)
	givenIn(15, 0, 3)
	for i := range n {
		givenIn(16+3*i, 0, 2)
		givenIn(17+3*i, 0, 1)
		givenIn(18+3*i, 0, 1)
	}
}

// decide takes the action of the greatest worth, the first among equals.
func decide() {
	check()
	now = givenLong(0)
	species = given(7)
	if sharesMap && !informed {
		fail("the creatures share their map, and only the protocol of players tells when others are born")
	}
	if self.begun {
		learn()
	} else {
		self.begun = true
		unroll()
		if !sharesMap {
			arrive()
		}
	}
	draw()
	ahead := (4 - facing) % 4
	sense(ahead)
	best = 1
	most = worthForward()
	offer(5, worthAttack())
	sense(ahead + 3)
	offer(3, worthTurn())
	sense(ahead + 1)
	offer(4, worthTurn())
	sense(ahead)
	offer(6, worthObserve())
	sense(ahead + 2)
	offer(2, worthBackward())
	sense(ahead)
	offer(7, worthDelay())
	self.last = best
	answer(best)
}
