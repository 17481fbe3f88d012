//go:build ignore

package player

// learnFacts learns how long a game lasts.
func learnFacts(at int) {
	timeLimit = longAt(memberOf(at, "limit"))
	if timeLimit < 1 {
		fail("the game has no time")
	}
	forgetAll()
}

// compass returns the number of a direction.
func compass(at int) int {
	if same(at, "N") {
		return 0
	}
	if same(at, "W") {
		return 1
	}
	if same(at, "S") {
		return 2
	}
	if !same(at, "E") {
		fail("a direction is none of N, W, S and E")
	}
	return 3
}

// bit is 1 where the member is there and true.
func bit(at int, name string) int {
	place := findMember(at, name)
	if place > 0 && truthAt(place) {
		return 1
	}
	return 0
}

// number is a whole number, 0 where there is no member of the name.
func number(at int, name string) int {
	place := findMember(at, name)
	if place == 0 {
		return 0
	}
	return wholeAt(place, -2147483647, 2147483647)
}

// kindOf tells what stands on a square: 0 nothing, 1 a wall, 2 a hazard, 3 a creature.
func kindOf(at int) int {
	if same(at, "empty") {
		return 0
	}
	if same(at, "wall") {
		return 1
	}
	if same(at, "hazard") {
		return 2
	}
	if !same(at, "creature") {
		fail("a square of the line is of an unknown kind")
	}
	return 3
}

// mine is 1 where a shrine is of the creature's own species.
func mine(at, kin int) int {
	if number(at, "shrine") == kin {
		return 1
	}
	return 0
}

// births notes where creatures of the species were born since the turn before.
func births(at int) {
	informed = true
	wide = wholeAt(memberOf(at, "width"), 1, mostSquares)
	high = wholeAt(memberOf(at, "height"), 1, mostSquares)
	unroll()
	list := findMember(at, "born")
	if list == 0 {
		return
	}
	kin := wholeAt(memberOf(at, "class"), 0, 1000000)
	newborn := firstItem(list)
	for newborn < closing(list) {
		visit(wholeAt(memberOf(newborn, "x"), 0, wide-1), wholeAt(memberOf(newborn, "y"), 0, high-1),
			bit(newborn, "mud") == 1, mine(newborn, kin) == 1)
		newborn = nextItem(newborn)
	}
}

// observe gives the turn of one creature.
func observe(at int) {
	id := wholeAt(memberOf(at, "id"), 0, 16777216)
	fresh := selfOf(id)
	if fresh != same(memberOf(at, "last"), "") {
		fail("creatures remember their lives, so that every turn must be heard, as with persist:")
	}
	if sharesMap {
		knownOf(0)
		births(at)
	} else {
		knownOf(id)
	}
	giveLong(longAt(memberOf(at, "spent")))
	giveLong(longAt(memberOf(at, "clock")))
	give(wholeAt(memberOf(at, "width"), 1, mostSquares))
	give(wholeAt(memberOf(at, "height"), 1, mostSquares))
	give(wholeAt(memberOf(at, "x"), 0, mostSquares))
	give(wholeAt(memberOf(at, "y"), 0, mostSquares))
	give(compass(memberOf(at, "facing")))
	kin := wholeAt(memberOf(at, "class"), 0, 1000000)
	give(kin)
	give(bit(at, "enchanted"))
	give(bit(at, "done"))
	give(bit(at, "mud"))
	give(mine(at, kin))
	line := findMember(at, "line")
	if line == 0 {
		return
	}
	end := firstItem(line)
	square := end
	for square < closing(line) {
		end = square
		square = nextItem(square)
	}
	give(kindOf(memberOf(end, "kind")))
	give(number(end, "class"))
	give(number(end, "id"))
	if findMember(end, "facing") > 0 {
		give(compass(findMember(end, "facing")))
	} else {
		give(0)
	}
	give(0)
	give(bit(at, "mud"))
	give(mine(at, kin))
	square = firstItem(line)
	for square < closing(line) {
		what := kindOf(memberOf(square, "kind"))
		if what == 3 {
			what = 0
		}
		give(what)
		give(bit(square, "mud"))
		give(mine(square, kin))
		square = nextItem(square)
	}
}

// reply prints the action.
func reply() {
	emit("{\"action\":\"")
	emitWord("end|forward|backward|left|right|attack|observe|delay", answered(0))
	emit("\",\"effort\":")
	emitNumber(effort)
	emit("}")
	endLine()
}
