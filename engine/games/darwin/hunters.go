package darwin

// pirate looks around and charges the first creature of another species that it sees. If it sees
// none, it goes along the longest free line.
func pirate(briefing) program {
	return func(c *creature) {
		for {
			best, length := c.facing, 0
			for range 4 {
				c.because("looks around for prey, or for the longest free line")
				o := c.observe()
				if foe(c.body, &o.seen) {
					c.charge(o.distance)
					length = 0
					break
				}
				if free := o.free(); free > length {
					best, length = c.facing, free
				}
				if length > 5 { // far enough: go
					break
				}
				c.turnLeft()
			}
			if length > 0 {
				c.because("saw no prey: goes along the longest free line")
				c.face(best)
				c.sail(length)
			}
		}
	}
}

// charge goes up to what was seen at a distance, and attacks until an attack fails.
func (c *creature) charge(distance int) {
	c.because("charges a creature of another species")
	for range distance - 1 {
		if !c.moveForward() {
			break
		}
	}
	c.because("attacks until an attack fails")
	for c.attack() {
	}
}

// sail goes ahead, and attacks what gets in the way.
func (c *creature) sail(steps int) {
	for range steps {
		if !c.push() {
			return
		}
	}
}

// push steps ahead, or attacks what is in the way. It tells whether it moved.
func (c *creature) push() bool {
	if c.moveForward() {
		return true
	}
	c.because("something is in the way: attacks it")
	c.attack()
	return false
}

// ambusher goes to the end of a line, turns its back to it, and waits. It attacks creatures of
// other species within two squares ahead, and turns when none has come for some time.
func ambusher(briefing) program {
	return func(c *creature) {
		c.because("looks for the end of the line")
		o := c.observe()
		c.because("goes to the end of the line")
		c.sail(o.free())
		c.because("turns its back to the end")
		c.face(c.facing.back())
		for idle := 0; ; idle++ {
			c.because("waits, and looks who comes")
			o := c.observe()
			switch {
			case foe(c.body, &o.seen) && o.distance <= 2:
				c.because("prey within two squares: attacks")
				c.attack()
				idle = 0
			case o.free() == 0 || idle >= 8:
				c.because("nobody came, or nothing to see here: turns")
				c.turnRight()
				idle = 0
			}
		}
	}
}

// places are the positions of a species' creatures, by number.
type places map[int32]point

// together returns a species whose creatures share their positions. Each looks ahead and then
// moves, again and again.
func together(move func(c *creature, o *observation, all places)) straight {
	return func(briefing) program {
		all := places{}
		return func(c *creature) {
			id := c.id
			defer delete(all, id)
			for {
				all[id] = c.position()
				c.because("looks ahead before each step")
				o := c.observe()
				move(c, &o, all)
			}
		}
	}
}

// herd goes toward the middle of its creatures when it has strayed, and attacks what comes near.
func herd(c *creature, o *observation, all places) {
	switch {
	case foe(c.body, &o.seen) && o.distance <= 3:
		c.charge(o.distance)
	case c.position().distance(all.middle()) > 3:
		c.because("strayed: back to the middle of its like")
		c.toward(all.middle(), o.free())
	case o.free() > 0 && c.random.Below(3) == 0:
		c.because("near its like: a step ahead, by lot")
		c.moveForward()
	default:
		c.because("near its like: turns")
		c.turnLeft()
	}
}

// middle returns the mean of the positions; the order of a map does not change a sum.
func (all places) middle() point {
	x, y := 0, 0
	for _, p := range all {
		x, y = x+int(p.x), y+int(p.y)
	}
	n := max(1, len(all))
	return point{int16(x / n), int16(y / n)}
}

// toward makes one step nearer to a place, or around what is in the way; free is the number of free
// squares ahead.
func (c *creature) toward(to point, free int) {
	p := c.position()
	if free > 0 && p.toward(c.facing).distance(to) < p.distance(to) {
		c.moveForward()
		return
	}
	for _, d := range [2]direction{c.facing.left(), c.facing.right()} {
		if p.toward(d).distance(to) < p.distance(to) || c.random.Below(4) == 0 {
			c.face(d)
			c.push()
			return
		}
	}
	c.turnLeft()
	c.push()
}

// follower keeps near to the leader, the oldest creature of its species, which roams. All attack
// what they meet.
func follower(c *creature, o *observation, all places) {
	leader := c.id
	for id := range all {
		leader = min(leader, id)
	}
	switch {
	case foe(c.body, &o.seen):
		c.charge(o.distance)
	case c.id == leader:
		c.because("the eldest: leads to the end of the line")
		c.sail(o.free())
		c.turnRight()
	case c.position().distance(all[leader]) > 4:
		c.because("far from the eldest: goes to it")
		c.toward(all[leader], o.free())
	default:
		c.because("near the eldest: turns")
		c.turnLeft()
	}
}
