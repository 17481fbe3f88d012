package darwin

// leftHand keeps a wall at its left: it turns left, then right until the way is free, and makes one
// step. It looks before every step, and attacks creatures of other species that stand in its way.
func leftHand(briefing) program {
	return func(c *creature) { c.followWall((*creature).turnLeft, (*creature).turnRight) }
}

// tortoise keeps a wall at its right.
func tortoise(briefing) program {
	return func(c *creature) { c.followWall((*creature).turnRight, (*creature).turnLeft) }
}

// followWall walks along a wall for ever.
func (c *creature) followWall(toHand, away func(*creature)) {
	for {
		c.because("keeps its hand at the wall, and looks before it steps")
		toHand(c)
		for o := c.observe(); o.free() == 0; o = c.observe() {
			if foe(c.body, &o.seen) {
				c.because("another species stands in its way: attacks")
				c.attack()
			} else {
				c.because("blocked: turns away from its hand")
				away(c)
			}
		}
		c.because("the way is free: a step")
		c.moveForward()
	}
}

// skunk searches depth first and remembers nothing: all that it knows is in the texts that it
// leaves. On a new square it leaves the way back and the number of exits tried. It backs off from a
// marked square, and goes back when all exits are tried.
func skunk(briefing) program {
	return func(c *creature) {
		c.because("a root of its search: no way back")
		mark(c, 'R', 0) // the root: no way back
		for {
			switch back, tried := read(c); {
			case tried == 4 && back == 'R':
				c.because("all exits of the root are tried: starts over")
				// everything has been searched, so others must have moved: start over
				mark(c, 'R', 0)
			case tried == 4:
				c.because("all exits are tried: goes back by its scent")
				c.face(directionOf(back))
				mark(c, back, 5)
				c.push()
			// sent back by its own scent: a friend's trail, or a search that is over
			case tried > 4:
				c.because("an old scent: makes this its root")
				mark(c, 'R', 0)
			default:
				c.because("marks the square and tries its next exit")
				mark(c, back, tried+1)
				c.sniff(direction(tried), back)
			}
		}
	}
}

// sniff tries one exit of a square: it goes there if the next square is free and without a scent.
func (c *creature) sniff(d direction, back byte) {
	if back == d.String()[0] {
		return
	}
	c.face(d)
	o := c.observe()
	if o.free() == 0 {
		if foe(c.body, &o.seen) {
			c.because("another species stands in the exit: attacks")
			c.attack()
		}
		return
	}
	if !c.moveForward() {
		return
	}
	if c.text() != "" {
		c.because("a scent: it was here, backs off")
		c.moveBackward()
		return
	}
	mark(c, d.back().String()[0], 0)
}

// mark leaves the way back and the number of exits tried.
func mark(c *creature, back byte, tried int) { c.emit(string([]byte{back, byte('0' + tried)})) }

// read reads such a mark. Without one, or with another text, the square is a root.
func read(c *creature) (back byte, tried int) {
	t := c.text()
	if len(t) != 2 || t[1] < '0' || t[1] > '5' {
		return 'R', 0
	}
	return t[0], int(t[1] - '0')
}

// directionOf is the inverse of direction.String.
func directionOf(c byte) direction {
	for d := north; d < east; d++ {
		if d.String()[0] == c {
			return d
		}
	}
	return east
}
