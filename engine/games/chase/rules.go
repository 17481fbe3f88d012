package chase

import (
	"clade/engine"
	"clade/gp"
)

// round is one game under way.
type round struct {
	torus  *gp.Grid
	random engine.Random
	seed   uint64
	step   int
	grain  gp.Bits
	wood   gp.Bits // thickets
	each   [seats]creature
}

// creature is the creature of a seat.
type creature struct {
	at      int
	here    gp.Bits        // its cell
	view    gp.Bits        // what is near enough to be seen
	past    [trail]gp.Bits // where it left tracks, the oldest at step % trail
	tracks  gp.Bits        // all of them
	known   gp.Bits        // grains that it sees or remembers
	been    gp.Bits
	wood    gp.Bits // thickets that it has seen
	eaten   int
	catches int
	caught  int
}

func (c *creature) points() int { return c.eaten + perCatch*c.catches }

// preyOf and hunterOf return the next seat in the ring and the one before.
func preyOf(seat int) int   { return (seat + 1) % seats }
func hunterOf(seat int) int { return (seat + seats - 1) % seats }

// Begin deals grains, and creatures on cells of their own without grains.
func (r *round) Begin(_ int, seed uint64) {
	*r = round{torus: r.torus, random: engine.NewRandom(seed), seed: seed}
	for r.grain.Count() < grains {
		r.grain.Set(r.random.Below(cells))
	}
	for r.wood.Count() < thickets {
		r.wood.Set(r.random.Below(cells))
	}
	taken := r.grain.Or(r.wood)
	for seat := range r.each {
		c := &r.each[seat]
		c.at = r.free(taken)
		r.look(c)
		taken = taken.Or(c.here)
	}
}

// free returns a cell that is not taken.
func (r *round) free(taken gp.Bits) int {
	for {
		if at := r.random.Below(cells); !taken.Has(at) {
			return at
		}
	}
}

// look updates what a creature sees and remembers after it came to its cell.
func (r *round) look(c *creature) {
	c.here, c.view = r.torus.Square(c.at, 0), r.torus.Square(c.at, reach)
	c.known = c.known.AndNot(c.view).Or(r.grain.And(c.view))
	c.wood = c.wood.Or(r.wood.And(c.view))
	c.been = c.been.Or(c.here)
}

// inView tells whether a creature is near enough to a cell to see what is there.
func (r *round) inView(c *creature, cell int) bool { return c.view.Has(cell) }

// hidden tells whether a seat's creature is where others do not see it, however near.
func (r *round) hidden(seat int) bool { return r.wood.Has(r.each[seat].at) }

// sees tells whether one seat sees another's creature.
func (r *round) sees(seat, other int) bool {
	return r.inView(&r.each[seat], r.each[other].at) && !r.hidden(other)
}

func (r *round) Live() uint32 {
	if r.step == steps {
		return 0
	}
	return 1<<seats - 1
}

func (r *round) Sense(seat int, f *gp.Frame) (possible uint64) {
	c, prey, hunter := &r.each[seat], &r.each[preyOf(seat)], &r.each[hunterOf(seat)]
	there, danger := prey.here.AndNot(r.wood), hunter.here.AndNot(r.wood)
	f.Centre(r.torus, c.at)
	f.Draw(layerGrain, c.known)
	f.Draw(layerPrey, there)
	f.Draw(layerHunter, danger)
	f.Draw(layerPreyTracks, prey.tracks.AndNot(r.wood))
	f.Draw(layerHunterTracks, hunter.tracks.AndNot(r.wood))
	f.Draw(layerBeen, c.been)
	f.Draw(layerThicket, c.wood)
	if f.Reads().Layers>>layerDanger&1 == 0 || danger.And(c.view).Empty() {
		f.Draw(layerDanger, gp.Bits{})
	} else {
		f.Draw(layerDanger, danger.Or(r.torus.Neighbours(danger)))
	}
	f.SetScalar(scalarLeft, float32(steps-r.step))
	f.SetScalar(scalarPoints, float32(c.points()))
	return 15
}

func (r *round) Step(chosen *[engine.MaxSeats]int) {
	var from [seats]int
	for seat := range r.each {
		c := &r.each[seat]
		from[seat] = c.at
		c.past[r.step%trail] = c.here
		c.at = r.torus.Towards(c.at, chosen[seat])
	}
	r.step++
	var caught [seats]bool
	for seat := range r.each {
		p := preyOf(seat)
		hunter, prey := &r.each[seat], &r.each[p]
		if hunter.at == prey.at || hunter.at == from[p] && prey.at == from[seat] {
			hunter.catches++
			prey.caught++
			caught[p] = true
		}
	}
	var taken gp.Bits
	for seat := range r.each {
		c := &r.each[seat]
		taken.Set(c.at)
		if !caught[seat] && r.grain.Has(c.at) {
			r.grain.Clear(c.at)
			c.eaten++
		}
	}
	for seat := range r.each {
		if c := &r.each[seat]; caught[seat] {
			c.at = r.free(taken)
			taken.Set(c.at)
			clear(c.past[:])
		}
	}
	for seat := range r.each {
		c := &r.each[seat]
		tracks := gp.Bits{}
		for i := range c.past {
			tracks = tracks.Or(c.past[i])
		}
		c.tracks = tracks
		r.look(c)
	}
}

func (r *round) Result() engine.Result {
	result := engine.Result{Steps: r.step}
	for seat := range r.each {
		c := &r.each[seat]
		result.Scores[seat] = float64(c.points())
		result.Marks[seat] = [engine.MaxMarks]float32{float32(c.eaten), float32(c.catches),
			float32(c.caught)}
	}
	result.WinBest(seats)
	return result
}
