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

var boards [9][widest * widest]bool
var trail [widest * widest]int
var visits int
var shrineX int
var shrineY int
var hasShrine bool

// Creatures of species, as last seen.
const sightings = 32

var seenX [sightings]int
var seenY [sightings]int
var seenNumber [sightings]int
var seenFriend [sightings]bool
var seenTime [sightings]int64
var seen int

// What was last seen in each direction, and where the creature bumped into something.
var looked [4]bool
var lookX [4]int
var lookY [4]int
var lookKind [4]int
var lookSpecies [4]int
var lookFaces [4]bool
var lookTime [4]int64
var bumped [4]bool
var bumpX [4]int
var bumpY [4]int

// The turn: when, where, what the creature is, and what it did last.
var begun bool
var now int64
var wide int
var high int
var atX int
var atY int
var facing int
var species int
var last int

// The steps of the directions.
var stepX = [4]int{0, -1, 0, 1}
var stepY = [4]int{-1, 0, 1, 0}

// begin forgets everything.
func begin() {
	begun = false
	last = 0
	visits = 0
	hasShrine = false
	seen = 0
	for d := range 4 {
		looked[d] = false
		bumped[d] = false
	}
}

// square returns the number of a square in the boards.
func square(x, y int) int {
	return (y+margin)*widest + x + margin
}

func outside(x, y int) bool {
	return x < 0 || y < 0 || x >= wide || y >= high
}

// forget clears the map.
func forget() {
	for row := range high + 2*margin {
		for column := range wide + 2*margin {
			x := column - margin
			y := row - margin
			i := square(x, y)
			for b := range 9 {
				boards[b][i] = false
			}
			boards[boardKnown][i] = outside(x, y)
			boards[boardWall][i] = outside(x, y)
			trail[i] = 0
		}
	}
}

// visit notes that the creature has come to its square.
func visit() {
	boards[boardVisited][square(atX, atY)] = true
	visits += 1
	trail[square(atX, atY)] = visits
	enter(atX, atY, 0, given(10) == 1, given(11) == 1)
}

// enter notes what a square is.
func enter(x, y, what int, mud, shrine bool) {
	i := square(x, y)
	boards[boardKnown][i] = true
	boards[boardApple][i] = false
	boards[boardFlytrap][i] = false
	boards[boardTreasure][i] = false
	if what == 2 {
		boards[boardHazard][i] = true
	} else if what == 1 {
		boards[boardWall][i] = true
	}
	if mud {
		boards[boardMud][i] = true
	}
	if shrine {
		boards[boardShrine][i] = true
		shrineX = x
		shrineY = y
		hasShrine = true
	}
}

// drop forgets a creature: the last one takes its place.
func drop(i int) {
	seen -= 1
	seenX[i] = seenX[seen]
	seenY[i] = seenY[seen]
	seenNumber[i] = seenNumber[seen]
	seenFriend[i] = seenFriend[seen]
	seenTime[i] = seenTime[seen]
}

// forgetLine forgets the creatures between two squares of a line.
func forgetLine(x1, y1, x2, y2 int) {
	i := 0
	for i < seen {
		if seenX[i] >= min(x1, x2) && seenX[i] <= max(x1, x2) && seenY[i] >= min(y1, y2) &&
			seenY[i] <= max(y1, y2) {
			drop(i)
		} else {
			i += 1
		}
	}
}

// sight remembers a creature: in place of the same one, or else of the oldest.
func sight(x, y, number int, friend bool) {
	place := 0
	known := false
	for i := range seen {
		if known {
			continue
		}
		if seenNumber[i] == number && number > 0 {
			place = i
			known = true
		} else if seenTime[i] < seenTime[place] {
			place = i
		}
	}
	if !known && seen < sightings {
		place = seen
		seen += 1
	}
	seenX[place] = x
	seenY[place] = y
	seenNumber[place] = number
	seenFriend[place] = friend
	seenTime[place] = now
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
			boards[boardApple][square(farX, farY)] = true
		} else if kin == 12 {
			boards[boardFlytrap][square(farX, farY)] = true
		} else if kin == 10 {
			boards[boardTreasure][square(farX, farY)] = true
		}
	}
	bumped[facing] = false
	remember(farX, farY, kind, kin, kind == 3 && given(15) == (facing+2)%4)
}

// remember keeps what was last seen ahead.
func remember(x, y, kind, kin int, faces bool) {
	looked[facing] = true
	lookX[facing] = x
	lookY[facing] = y
	lookKind[facing] = kind
	lookSpecies[facing] = kin
	lookFaces[facing] = faces
	lookTime[facing] = now
}

// learn takes over what the last action taught.
func learn() {
	done := given(9) == 1
	if last == 1 || last == 2 {
		if done {
			visit()
		} else {
			d := facing
			if last == 2 {
				d = (facing + 2) % 4
			}
			bumped[d] = true
			bumpX[d] = atX + stepX[d]
			bumpY[d] = atY + stepY[d]
		}
	} else if last == 5 && done {
		x := atX + stepX[facing]
		y := atY + stepY[facing]
		forgetLine(x, y, x, y)
		enter(x, y, 0, false, false)
		sight(x, y, -1, true)
		remember(x, y, 3, species, false)
	} else if last == 6 && givens() > 16 {
		notice()
	}
}

// draw draws the squares around the creature into the layers that the trees read.
func draw() {
	for y := range side {
		for x := range side {
			i := y*side + x
			here := square(atX+x-margin, atY+y-margin)
			held[layerUnknown][i] = !boards[boardKnown][here]
			held[layerWalls][i] = boards[boardWall][here]
			held[layerHazards][i] = boards[boardHazard][here]
			held[layerApples][i] = boards[boardApple][here]
			held[layerFlytraps][i] = boards[boardFlytrap][here]
			held[layerVisited][i] = boards[boardVisited][here]
			held[layerMud][i] = boards[boardMud][here]
			held[layerShrines][i] = boards[boardShrine][here]
			held[layerTreasures][i] = boards[boardTreasure][here]
			held[layerFriends][i] = false
			held[layerEnemies][i] = false
		}
	}
	n := 0
	for n < seen {
		if now-seenTime[n] > 20000000 {
			drop(n)
			continue
		}
		x := seenX[n] - atX + margin
		y := seenY[n] - atY + margin
		if x >= 0 && x < side && y >= 0 && y < side && (seenX[n] != atX || seenY[n] != atY) {
			if seenFriend[n] {
				held[layerFriends][y*side+x] = true
			} else {
				held[layerEnemies][y*side+x] = true
			}
		}
		n += 1
	}
}

// onLine tells whether what was seen still lies ahead.
func onLine(d int) bool {
	if d == 0 {
		return lookX[d] == atX && lookY[d] < atY
	}
	if d == 2 {
		return lookX[d] == atX && lookY[d] > atY
	}
	if d == 1 {
		return lookY[d] == atY && lookX[d] < atX
	}
	return lookY[d] == atY && lookX[d] > atX
}

// cold tells how long ago the creature came to a square: from 0 for just now to 1 for never.
func cold(x, y int) float32 {
	if outside(x, y) || trail[square(x, y)] == 0 {
		return 1
	}
	since := float32(visits - trail[square(x, y)])
	return since / (since + 10)
}

// sense sets what the trees read of one direction: the world turned so that it points ahead.
func sense(quarters int) {
	turns = quarters % 4
	d := (4 - turns) % 4
	x := atX + stepX[d]
	y := atY + stepY[d]
	blocked := boards[boardWall][square(x, y)] || boards[boardHazard][square(x, y)] ||
		bumped[d] && bumpX[d] == x && bumpY[d] == y
	senseDistance = 0
	senseAge = 100
	senseLooked = false
	senseHazardAhead = false
	senseFriendAhead = false
	sensePreyAhead = false
	sensePreyNext = false
	senseEnemyAhead = false
	senseFacesMe = false
	if looked[d] && onLine(d) {
		distance := max(atX-lookX[d], lookX[d]-atX) + max(atY-lookY[d], lookY[d]-atY)
		senseDistance = float32(distance)
		age := float32(now-lookTime[d]) / 1000000
		if age < 100 {
			senseAge = age
		}
		blocked = blocked || distance == 1 && lookKind[d] != 0
		senseLooked = true
		kin := lookSpecies[d]
		if lookKind[d] == 2 {
			senseHazardAhead = true
		} else if lookKind[d] == 3 && kin == species {
			senseFriendAhead = true
		} else if lookKind[d] == 3 {
			sensePreyAhead = true
			sensePreyNext = distance == 1
			senseEnemyAhead = kin >= 28
			senseFacesMe = lookFaces[d] && (kin >= 28 || kin == 12)
		}
	}
	senseBlocked = blocked
	senseTrail = 0
	if !blocked {
		senseTrail = cold(x, y)
	}
	senseShrineAhead = 0
	senseShrineSide = 0
	if hasShrine {
		x = shrineX - atX
		y = shrineY - atY
		for range d {
			old := x
			x = -y
			y = old
		}
		senseShrineAhead = float32(-y)
		senseShrineSide = float32(x)
	}
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

// decide takes the action of the greatest worth, the first among equals.
func decide() {
	now = givenLong(0)
	wide = given(2)
	high = given(3)
	if wide+2*margin > widest || high+2*margin > widest {
		stop()
	}
	atX = given(4)
	atY = given(5)
	facing = given(6)
	species = given(7)
	if begun {
		learn()
	} else {
		begun = true
		forget()
		visit()
	}
	draw()
	senseTime = float32(givenLong(1)) / float32(timeLimit)
	senseEnchanted = given(8) == 1
	senseSucceeded = given(9) == 1
	senseKnowsShrine = hasShrine
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
	last = best
	answer(best)
}
