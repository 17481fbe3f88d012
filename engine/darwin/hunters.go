package darwin

// pirate hunts: it looks around, and charges the first creature of another species that it sees;
// with none in sight it sails the longest free line.
func pirate(Briefing) Program {
	return func(c *Creature) {
		for {
			best, length := c.Facing(), 0
			for range 4 {
				o := c.Observe()
				if foe(c.Body, &o.Seen) {
					c.charge(o.Distance)
					length = 0
					break
				}
				if free := o.Free(); free > length {
					best, length = c.Facing(), free
				}
				if length > 5 { // far enough: go
					break
				}
				c.TurnLeft()
			}
			if length > 0 {
				c.Face(best)
				c.sail(length)
			}
		}
	}
}

// charge runs at what was seen at a distance, attacking whatever it meets, for as long as that
// helps.
func (c *Creature) charge(distance int) {
	for range distance - 1 {
		if !c.MoveForward() {
			break
		}
	}
	for c.Attack() {
	}
}

// sail goes ahead, and attacks what gets in the way.
func (c *Creature) sail(steps int) {
	for range steps {
		if !c.MoveForward() {
			c.Attack()
			return
		}
	}
}

// ambusher goes to the end of a line, turns its back to what is there, and waits for others to come
// before it: it attacks whom it sees next to it, and turns when nobody has come for some time.
func ambusher(Briefing) Program {
	return func(c *Creature) {
		o := c.Observe()
		c.sail(o.Free())
		c.Face(c.Facing().Back())
		for idle := 0; ; idle++ {
			o := c.Observe()
			switch {
			case foe(c.Body, &o.Seen) && o.Distance <= 2:
				c.Attack()
				idle = 0
			case o.Free() == 0 || idle >= 8:
				c.TurnRight()
				idle = 0
			}
		}
	}
}

// herd keeps together: its creatures know where the others are, go toward their middle when they
// have strayed, and attack what comes near.
func herd(Briefing) Program {
	places := map[int]Point{}
	return func(c *Creature) {
		id := c.ID()
		defer delete(places, id)
		for {
			places[id] = c.Position()
			o := c.Observe()
			switch {
			case foe(c.Body, &o.Seen) && o.Distance <= 3:
				c.charge(o.Distance)
			case c.Position().Distance(middle(places)) > 3:
				c.toward(middle(places), o.Free())
			case o.Free() > 0 && c.Random().Below(3) == 0:
				c.MoveForward()
			default:
				c.TurnLeft()
			}
		}
	}
}

// middle returns the mean of places; the order of a map does not change a sum.
func middle(places map[int]Point) Point {
	x, y := 0, 0
	for _, p := range places {
		x, y = x+int(p.X), y+int(p.Y)
	}
	n := max(1, len(places))
	return Point{int16(x / n), int16(y / n)}
}

// toward makes one step nearer to a place, or around what is in the way; free is the number of free
// squares ahead.
func (c *Creature) toward(to Point, free int) {
	p := c.Position()
	if free > 0 && p.Toward(c.Facing()).Distance(to) < p.Distance(to) {
		c.MoveForward()
		return
	}
	for _, d := range [2]Direction{c.Facing().Left(), c.Facing().Right()} {
		if p.Toward(d).Distance(to) < p.Distance(to) || c.Random().Below(4) == 0 {
			c.Face(d)
			if !c.MoveForward() {
				c.Attack()
			}
			return
		}
	}
	c.TurnLeft()
	if !c.MoveForward() {
		c.Attack()
	}
}

// follower has a leader: the creature of its species that has lived longest roams, the others keep
// near to it, and all attack what they meet.
func follower(Briefing) Program {
	places := map[int]Point{}
	return func(c *Creature) {
		id := c.ID()
		defer delete(places, id)
		for {
			places[id] = c.Position()
			o := c.Observe()
			leader := eldest(places)
			switch {
			case foe(c.Body, &o.Seen):
				c.charge(o.Distance)
			case id == leader:
				c.sail(o.Free())
				c.TurnRight()
			case c.Position().Distance(places[leader]) > 4:
				c.toward(places[leader], o.Free())
			default:
				c.TurnLeft()
			}
		}
	}
}

// eldest returns the smallest number.
func eldest(places map[int]Point) int {
	first := 0
	for id := range places {
		if first == 0 || id < first {
			first = id
		}
	}
	return first
}
