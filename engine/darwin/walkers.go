package darwin

// leftHand keeps a wall at its left: it turns left, then right until the way is free, and makes one
// step. It looks before every step, and attacks creatures of other species that stand in its way.
func leftHand(Briefing) Program {
	return func(c *Creature) { c.followWall((*Creature).TurnLeft, (*Creature).TurnRight) }
}

// tortoise keeps a wall at its right.
func tortoise(Briefing) Program {
	return func(c *Creature) { c.followWall((*Creature).TurnRight, (*Creature).TurnLeft) }
}

// followWall walks for ever with a hand on the wall.
func (c *Creature) followWall(toHand, away func(*Creature)) {
	for {
		toHand(c)
		for o := c.Observe(); o.Free() == 0; o = c.Observe() {
			if foe(c.Body, &o.Seen) {
				c.Attack()
			} else {
				away(c)
			}
		}
		c.MoveForward()
	}
}

// skunk searches in depth and remembers nothing: all it knows stands in the texts that it leaves.
// On a square that it enters for the first time it leaves the way back and how many exits it has
// tried; from one that it finds marked it backs off; when all exits are tried it goes back.
func skunk(Briefing) Program {
	return func(c *Creature) {
		mark(c, 'R', 0) // the root: no way back
		for {
			switch back, tried := read(c); {
			case tried == 4 && back == 'R':
				// everything has been searched, so others must have moved: start over
				mark(c, 'R', 0)
			case tried == 4:
				c.Face(directionOf(back))
				mark(c, back, 5)
				if !c.MoveForward() {
					c.Attack()
				}
			// sent back by its own scent: a friend's trail, or a search that is over
			case tried > 4:
				mark(c, 'R', 0)
			default:
				mark(c, back, tried+1)
				c.sniff(Direction(tried), back)
			}
		}
	}
}

// sniff tries one exit of a square: it goes there if the next square is free and without a scent.
func (c *Creature) sniff(d Direction, back byte) {
	if back == d.String()[0] {
		return
	}
	c.Face(d)
	o := c.Observe()
	if o.Free() == 0 {
		if foe(c.Body, &o.Seen) {
			c.Attack()
		}
		return
	}
	if !c.MoveForward() {
		return
	}
	if c.Text() != "" {
		c.MoveBackward()
		return
	}
	mark(c, d.Back().String()[0], 0)
}

// mark leaves the way back and the number of exits tried.
func mark(c *Creature, back byte, tried int) { c.Emit(string([]byte{back, byte('0' + tried)})) }

// read reads such a mark; where there is none, or somebody else's, the square is a root.
func read(c *Creature) (back byte, tried int) {
	t := c.Text()
	if len(t) != 2 || t[1] < '0' || t[1] > '5' {
		return 'R', 0
	}
	return t[0], int(t[1] - '0')
}

// directionOf is the inverse of Direction.String.
func directionOf(c byte) Direction {
	for d := North; d < East; d++ {
		if d.String()[0] == c {
			return d
		}
	}
	return East
}
