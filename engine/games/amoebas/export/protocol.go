//go:build ignore

package player

// What an amoeba sees, and what actions need, as the facts of a game say.
var far int
var fuelOf, whoOf, energyOf, healthOf, dataOf [cells]int

// largest bounds all numbers of an amoeba. Energy is below 0 where dividing costs more than it
// needs.
const largest = 1073741823

// learnFacts learns how far an amoeba sees and what actions need.
func learnFacts(at int) {
	far = wholeAt(memberOf(at, "view-distance"), 1, side/2)
	moveEnergy = wholeAt(memberOf(at, "move-energy"), 0, largest)
	attackEnergy = wholeAt(memberOf(at, "attack-energy"), 0, largest)
	minDivideEnergy = wholeAt(memberOf(at, "min-divide-energy"), 0, largest)
}

// observe gives what one amoeba sees.
func observe(at int) {
	for i := range cells {
		fuelOf[i] = -1
		whoOf[i] = 0
		energyOf[i] = 0
		healthOf[i] = 0
		dataOf[i] = 0
	}
	species := longAt(memberOf(at, "species"))
	row := firstItem(memberOf(at, "fuel"))
	for y := range 2*far + 1 {
		item := firstItem(row)
		for x := range 2*far + 1 {
			fuelOf[(y+side/2-far)*side+x+side/2-far] = wholeAt(item, 0, largest)
			item = nextItem(item)
		}
		row = nextItem(row)
	}
	list := memberOf(at, "amoebas")
	item := firstItem(list)
	for item < closing(list) {
		x := wholeAt(memberOf(item, "x"), -far, far) + side/2
		y := wholeAt(memberOf(item, "y"), -far, far) + side/2
		i := y*side + x
		whoOf[i] = 2
		energyOf[i] = wholeAt(memberOf(item, "energy"), -largest, largest)
		healthOf[i] = wholeAt(memberOf(item, "health"), 0, largest)
		if longAt(memberOf(item, "species")) == species {
			whoOf[i] = 1
			dataOf[i] = wholeAt(memberOf(item, "data"), -largest-1, largest)
		}
		item = nextItem(item)
	}
	whoOf[cells/2] = 1
	energyOf[cells/2] = wholeAt(memberOf(at, "energy"), -largest, largest)
	healthOf[cells/2] = wholeAt(memberOf(at, "health"), 0, largest)
	give(energyOf[cells/2])
	give(healthOf[cells/2])
	give(wholeAt(memberOf(at, "round"), 0, largest))
	give(wholeAt(memberOf(at, "start"), 0, 7))
	for i := range cells {
		give(fuelOf[i])
		give(whoOf[i])
		give(energyOf[i])
		give(healthOf[i])
	}
	if !remembers {
		return
	}
	give(wholeAt(memberOf(at, "data"), -largest-1, largest))
	for i := range cells {
		give(dataOf[i])
	}
}

// reply prints the action.
func reply() {
	emit("{\"action\":\"")
	emitWord("rest|move |hit |divide ", answered(0))
	if answered(0) > 0 {
		emitWord("nw|n|ne|e|se|s|sw|w", answered(1))
	}
	emit("\"")
	if remembers {
		emit(",\"data\":")
		emitNumber(answered(2))
		emit(",\"child\":")
		emitNumber(answered(2))
	} else {
		emit(",\"data\":0")
	}
	emit("}")
	endLine()
}
