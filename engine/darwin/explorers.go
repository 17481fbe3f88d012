package darwin

// pilgrim explores: it keeps a map of its own of what it has seen, goes the cheapest way to the
// nearest creature of another species that it remembers, or else to the nearest place that faces an
// unseen square, and looks. When it is enchanted and knows its shrine, it goes there.
func pilgrim(b Briefing) Program {
	return func(c *Creature) { c.explore(newAtlas(b.Width, b.Height)) }
}

// surveyor is a pilgrim whose species shares one map.
func surveyor(b Briefing) Program {
	shared := newAtlas(b.Width, b.Height)
	return func(c *Creature) { c.explore(shared) }
}

// explore goes on for ever.
func (c *Creature) explore(a *atlas) {
	for {
		v, here, ok := c.plan(a)
		switch {
		case !ok: // all is known, or friends are in the way: forget it, and step aside
			a.forget()
			c.Face(Direction(c.Random().Below(4)))
			c.look(a)
			for range 1 + c.Random().Below(4) {
				if a.known[a.index(c.Position().Toward(c.Facing()))] != open || !c.MoveForward() {
					break
				}
			}
		case here && v == Observe:
			c.look(a)
		case here && v == Attack:
			ahead := a.index(c.Position().Toward(c.Facing()))
			if !c.Attack() {
				c.look(a)
			} else {
				a.known[ahead] = friend
			}
		case v == Forward:
			if !c.MoveForward() {
				c.look(a)
			}
		default:
			c.do(v)
		}
	}
}

// look observes and enters what there is to see.
func (c *Creature) look(a *atlas) {
	o := c.Observe()
	a.note(c.Body, &o)
}

// plan returns the next action; here tells that the creature is where it wants to be, and the
// action is what it came for.
func (c *Creature) plan(a *atlas) (v Verb, here, ok bool) {
	p, d := c.Position(), c.Facing()
	if c.Enchanted() {
		if v, here, ok = a.way(p,
			d, func(at, ahead int) bool { return a.known[ahead] == altar }); ok {
			if here {
				return Forward, true, true
			}
			return v, false, true
		}
	}
	unseenAhead := false
	v, here, ok = a.way(p, d, func(at, ahead int) bool {
		unseenAhead = a.known[ahead] == unseen
		return unseenAhead || a.known[ahead] == prey
	})
	if here && unseenAhead {
		return Observe, true, true
	}
	if here {
		return Attack, true, true
	}
	return v, false, ok
}

// solver searches a maze in depth with a map that its species shares, so that several runners take
// different branches. It is the recursive search of the textbooks, which a program of its own
// thread may simply write down.
func solver(b Briefing) Program {
	seen := make([]bool, b.Width*b.Height)
	return func(c *Creature) {
		at := func(p Point) *bool { return &seen[int(p.Y)*b.Width+int(p.X)] }
		var search func()
		search = func() {
			*at(c.Position()) = true
			ahead := c.Facing()
			for _, d := range [4]Direction{ahead, ahead.Left(), ahead.Right(), ahead.Back()} {
				if *at(c.Position().Toward(d)) {
					continue
				}
				c.Face(d)
				o := c.Observe()
				for o.Distance == 1 && foe(c.Body, &o.Seen) && c.Attack() {
					o = c.Observe()
				}
				if o.Free() == 0 {
					if o.Seen.Kind != Animal {
						*at(o.Seen.Point) = true
					}
					continue
				}
				if !*at(c.Position().Toward(d)) && c.MoveForward() {
					search()
					c.Face(d)
					c.MoveBackward()
				}
			}
		}
		for {
			search()
			for i := range seen {
				seen[i] = false
			}
			c.Delay()
		}
	}
}
