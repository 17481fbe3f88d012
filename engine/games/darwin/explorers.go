package darwin

import "slices"

// pilgrim explores with a map of its own. It takes the cheapest path to a creature of another
// species that it remembers, or to a place that faces an unseen square, where it looks. When it is
// enchanted and knows its shrine, it goes there.
func pilgrim(b briefing) program {
	return func(c *creature) { c.explore(newAtlas(b.width, b.height)) }
}

// surveyor is a pilgrim whose species shares one map.
func surveyor(b briefing) program {
	shared := newAtlas(b.width, b.height)
	return func(c *creature) { c.explore(shared) }
}

// stalker has a map of its own and looks ahead before each action. It goes the cheapest way to prey
// that it remembers, without any to an unseen square; when it is enchanted and knows its shrine, it
// goes there. While it sees a creature of another species ahead it stands still: who comes beside it
// is attacked first.
func stalker(b briefing) program {
	return func(c *creature) {
		a := newAtlas(b.width, b.height)
		for {
			c.because("looks ahead before each action, and stands while another is ahead")
			switch o := c.look(a); {
			case foe(c.body, &o.seen) && o.distance == 1:
				c.because("another species beside it: attacks")
				c.attack()
			case !foe(c.body, &o.seen) || o.seen.class < firstClass:
				c.stalk(a)
			}
		}
	}
}

// stalk takes the next action.
func (c *creature) stalk(a *atlas) {
	c.because("goes the cheapest way to its shrine, to prey or to an unseen square")
	if v, ok := c.ascent(a); ok {
		c.act(action(v))
		return
	}
	for _, aim := range [...]landmark{prey, unseen} {
		if v, here, ok := c.way(a, aim); ok && !here {
			c.act(action(v))
			return
		}
	}
	c.because("no goal within reach: forgets its map and turns")
	a.forget()
	c.turnLeft()
}

// way returns the next action on the cheapest path to where a landmark is ahead, as atlas.path does.
func (c *creature) way(a *atlas, to landmark) (v verb, here, ok bool) {
	if !slices.Contains(a.known, to) {
		return 0, false, false // without a search of all that it knows
	}
	return a.path(c.position(), c.facing, func(_, ahead int) bool { return a.known[ahead] == to })
}

// ascent returns the next action of an enchanted creature that knows a way onto its shrine.
func (c *creature) ascent(a *atlas) (v verb, ok bool) {
	if !c.enchanted {
		return 0, false
	}
	v, here, ok := c.way(a, altar)
	if here {
		v = forward
	}
	return v, ok
}

// explore goes on for ever.
func (c *creature) explore(a *atlas) {
	for {
		v, here, ok := c.plan(a)
		switch {
		case !ok: // all is known, or friends are in the way
			a.forget()
			c.because("no goal within reach: forgets its map and steps aside")
			c.face(direction(c.random.Below(4)))
			c.survey(a)
			for range 1 + c.random.Below(4) {
				if a.known[a.index(c.position().toward(c.facing))] != open || !c.moveForward() {
					break
				}
			}
		case here && v == observe:
			c.survey(a)
		case here && v == attack:
			ahead := a.index(c.position().toward(c.facing))
			c.because("remembers prey ahead: attacks")
			if !c.attack() {
				c.survey(a)
			} else {
				a.known[ahead] = friend
			}
		case v == forward:
			c.because("goes the cheapest way to prey, a shrine or an unseen square")
			if !c.moveForward() {
				c.survey(a)
			}
		default:
			c.because("turns on its way to prey, a shrine or an unseen square")
			c.act(action(v))
		}
	}
}

// survey looks because the map has gaps or errors.
func (c *creature) survey(a *atlas) {
	c.because("looks at squares that it has not seen, or that were not as it thought")
	c.look(a)
}

// look observes and enters what there is to see.
func (c *creature) look(a *atlas) observation {
	o := c.observe()
	a.note(c.body, &o)
	return o
}

// plan returns the next action. here says that the creature has arrived and the action is what it
// came for.
func (c *creature) plan(a *atlas) (v verb, here, ok bool) {
	if v, ok = c.ascent(a); ok {
		return v, false, true
	}
	unseenAhead := false
	v, here, ok = a.path(c.position(), c.facing, func(_, ahead int) bool {
		unseenAhead = a.known[ahead] == unseen
		return unseenAhead || a.known[ahead] == prey
	})
	if here && unseenAhead {
		return observe, true, true
	}
	if here {
		return attack, true, true
	}
	return v, false, ok
}

// solver searches a maze depth first, by recursion. Its species shares the map, so that several
// creatures take different branches.
func solver(b briefing) program {
	seen := make([]bool, b.width*b.height)
	return func(c *creature) {
		at := func(p point) *bool { return &seen[int(p.y)*b.width+int(p.x)] }
		var search func()
		search = func() {
			*at(c.position()) = true
			ahead := c.facing
			for _, d := range [4]direction{ahead, ahead.left(), ahead.right(), ahead.back()} {
				if *at(c.position().toward(d)) {
					continue
				}
				c.because("tries the next way that it has not been, ahead first")
				c.face(d)
				o := c.observe()
				for o.distance == 1 && foe(c.body, &o.seen) && c.attack() {
					o = c.observe()
				}
				if o.free() == 0 {
					if o.seen.kind != kindAnimal {
						*at(o.seen.point) = true
					}
					continue
				}
				if !*at(c.position().toward(d)) && c.moveForward() {
					search()
					c.because("all is tried from here: goes back")
					c.face(d)
					c.moveBackward()
				}
			}
		}
		for {
			search()
			c.because("the maze is searched: starts over")
			clear(seen)
			c.delay()
		}
	}
}
