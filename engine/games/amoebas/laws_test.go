package amoebas

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// plain is the rules once more, with plain cell access and nothing clever: what the world must
// agree with.
type plain struct {
	c          constants
	fuel       [][]int // by column, row
	who        [][]*seenAmoeba
	lost       int // energy that left the world
	won        int // energy that the sun brought
	born, dead [engine.MaxSeats]int
}

// copyOf returns the plain form of a world.
func copyOf(w *world) *plain {
	p := &plain{c: w.constants}
	for x := range w.size() {
		p.fuel = append(p.fuel, make([]int, w.size()))
		p.who = append(p.who, make([]*seenAmoeba, w.size()))
		for y := range w.size() {
			p.fuel[x][y] = w.fuelAt(x, y)
			if o, ok := w.occupantAt(x, y); ok {
				p.who[x][y] = &o
			}
		}
	}
	return p
}

// act is the rule of one action.
func (p *plain) act(x, y int, a action) {
	me, n := p.who[x][y], p.c.WorldSize
	if a.valid() {
		me.Data = a.Data
		dx, dy := a.Direction.step()
		tx, ty := (x+dx+n)%n, (y+dy+n)%n
		target := &p.who[tx][ty]
		switch {
		case a.Command == doMove && me.Energy >= p.c.MoveEnergy && *target == nil:
			me.Energy -= p.c.MoveEnergy
			p.lost += p.c.MoveEnergy
			*target, p.who[x][y] = me, nil
			return
		case a.Command == doHit && me.Energy >= p.c.AttackEnergy && *target != nil:
			me.Energy -= p.c.AttackEnergy
			p.lost += p.c.AttackEnergy
			it := *target
			if it.Health -= p.c.HitLoss; it.Health <= 0 {
				full := p.fuel[tx][ty] + it.Energy
				p.fuel[tx][ty] = max(0, min(full, p.c.MaxCellEnergy))
				p.lost += full - p.fuel[tx][ty]
				p.dead[it.Species]++
				*target = nil
			}
			return
		case a.Command == doDivide && me.Energy >= p.c.MinDivideEnergy && *target == nil:
			each := (me.Energy - p.c.DivideEnergyLoss) / 2
			p.lost += me.Energy - 2*each
			me.Energy = each
			*target = &seenAmoeba{me.Species, each, me.Health, a.ChildData}
			p.born[me.Species]++
			return
		}
	}
	eaten := min(p.fuel[x][y], p.c.MaxAmoebaEnergy-me.Energy, p.c.MaxFuelingEnergy)
	if me.Energy+eaten-p.c.RestEnergy < 0 {
		p.lost += me.Energy
		p.dead[me.Species]++
		p.who[x][y] = nil
		return
	}
	p.fuel[x][y] -= eaten
	p.lost += p.c.RestEnergy
	me.Energy += eaten - p.c.RestEnergy
	me.Health = min(me.Health+p.c.RecoveryGain, p.c.MaxAmoebaHealth)
}

func (p *plain) shine() {
	for x := range p.fuel {
		for y, fuel := range p.fuel[x] {
			if p.who[x][y] == nil {
				p.fuel[x][y] = min(fuel+p.c.SunEnergy, p.c.MaxCellEnergy)
				p.won += p.fuel[x][y] - fuel
			}
		}
	}
}

// total returns all fuel and energy.
func (p *plain) total() (sum int) {
	for x := range p.fuel {
		for y, fuel := range p.fuel[x] {
			sum += fuel
			if o := p.who[x][y]; o != nil {
				sum += o.Energy
			}
		}
	}
	return sum
}

// differ tells where the world is not as the plain one.
func (p *plain) differ(w *world) string {
	for x := range p.fuel {
		for y := range p.fuel {
			o, ok := w.occupantAt(x, y)
			q := p.who[x][y]
			if w.fuelAt(x, y) != p.fuel[x][y] || ok != (q != nil) || ok && o != *q {
				return fmt.Sprintf(
					"cell (%d, %d): fuel %d, amoeba %+v %v; want fuel %d, amoeba %+v", x,
					y, w.fuelAt(x, y), o, ok, p.fuel[x][y], q)
			}
		}
	}
	return ""
}

// chaos does anything, much of it senseless.
type chaos struct{}

func (chaos) Act(v *view) action {
	r := v.Random
	a := action{Command: command(r.Below(5)), Direction: direction(r.Below(9)),
		Data: datum(r.Below(3)), heritage: heritage{ChildData: datum(r.Below(3))}}
	switch r.Below(40) {
	case 0:
		panic("a function that fails")
	case 1:
		a.Data = maxData + 1
	case 2:
		a.Child = mutating{brainy{10, 40 + r.Below(9), weakest}, 0.5, 3}
	case 3:
		a.Child = chaos{}
	default:
		if r.Below(3) > 0 {
			return action{Data: a.Data}
		}
	}
	return a
}

// randomConstants returns the default constants, or others.
func randomConstants(r *rand.Rand, size int) constants {
	c := defaultConstants()
	c.WorldSize = size
	if r.IntN(2) == 0 {
		return c
	}
	for _, v := range []*int{&c.SunEnergy, &c.RestEnergy, &c.MoveEnergy, &c.HitLoss, &c.RecoveryGain} {
		*v = r.IntN(6)
	}
	for _, v := range []*int{&c.MaxFuelingEnergy, &c.AttackEnergy, &c.DivideEnergyLoss,
		&c.MinDivideEnergy} {
		*v = r.IntN(40)
	}
	c.MaxCellEnergy, c.MaxAmoebaEnergy = r.IntN(maxFuel+1), 20+r.IntN(200)
	c.MaxAmoebaHealth, c.ViewDistance = 1+r.IntN(12), 1+r.IntN(maxView)
	return c
}

// follower is a recorder that plays a game along by the plain rules and checks every law after
// every round.
type follower struct {
	t      *testing.T
	a      *arena
	p      *plain
	before int
	rounds int
}

func (f *follower) Decide(_ int, decision uint64) {
	x, y := f.a.g.position(int(f.a.queue[f.a.next]))
	f.p.act(x, y, decode(decision))
}

func (f *follower) Step(s engine.Scene) {
	w := s.(*scene).w
	if f.p == nil {
		f.p = copyOf(w)
		f.before = f.p.total()
		return
	}
	f.p.shine()
	f.rounds++
	if text := f.p.differ(w); text != "" {
		f.t.Fatalf("round %d: %s", f.rounds, text)
	}
	if after := f.p.total(); after != f.before+f.p.won-f.p.lost {
		f.t.Fatalf("round %d: %d energy in the world; want %d + %d from the sun - %d spent and "+
			"lost", f.rounds, after, f.before, f.p.won, f.p.lost)
	}
	for i := range w.seats {
		if size, births, deaths := w.sizes[i], w.births[i], w.deaths[i]; size != births-deaths ||
			births != f.p.born[i]+1 || deaths != f.p.dead[i] {
			f.t.Fatalf("round %d, seat %d: %d amoebas, %d born, %d dead; want %d born, %d dead",
				f.rounds, i, size, births, deaths, f.p.born[i]+1, f.p.dead[i])
		}
	}
	for x := range w.size() {
		for y := range w.size() {
			o, _ := w.occupantAt(x, y)
			if w.fuelAt(x, y) > w.constants.MaxCellEnergy || o.Energy > w.constants.MaxAmoebaEnergy ||
				o.Health > w.constants.MaxAmoebaHealth {
				f.t.Fatalf("round %d: cell (%d, %d) holds too much: fuel %d, %+v", f.rounds, x, y,
					w.fuelAt(x, y), o)
			}
		}
	}
	compareCopies(f.t, w)
	if w.constants.byteEnergy() {
		compareEnergies(f.t, w)
	}
	if users := w.users(); users != "" {
		f.t.Fatalf("round %d: %s", f.rounds, users)
	}
}

// compareEnergies holds the plane of energies, which it starts, to the amoebas.
func compareEnergies(t *testing.T, w *world) {
	plane := w.plane(planeEnergy)
	for i := range w.g.cells {
		if i%w.g.pitch >= w.g.size+2*margin {
			continue // behind the row
		}
		want := 0
		if o := &w.who[w.g.home(i)]; o.species != free {
			want = int(o.energy)
		}
		if int(plane[i]) != want {
			t.Fatalf("the plane says %d of the energy in cell %d; want %d", plane[i], i, want)
		}
	}
}

// users tells which function's count of users is wrong.
func (w *world) users() string {
	count := make([]int, len(w.functions))
	for _, c := range w.g.order {
		if o := w.who[c]; o.species != free {
			count[o.function]++
		}
	}
	for i, f := range w.functions {
		if f.users != count[i] || f.users > 0 && f.decider == nil || f.users == 0 &&
			i >= w.seats && f.decider != nil {
			return fmt.Sprintf("function %d: %d users; counted %d", i, f.users, count[i])
		}
	}
	return ""
}

func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for game := range 60 {
		s := DefaultSettings()
		s.constants = randomConstants(r, minWorldSize+game%30)
		s.Rounds, s.Order, s.Placement = 40, []string{"classic", "shuffled"}[game%2],
			[]string{"random", "spaced"}[game/2%2]
		g := proof.Must(newGame(s))(t)
		all := []engine.Player{chaos{}, chaos{}, brainy{10, 40, random}, caesar{},
			mutating{brainy{10, 40, random}, 0.5, 5}}
		players := all[:1+r.IntN(len(all))]
		f := &follower{t: t, a: newArena(g.sizes[0].geometry())}
		g.seat(f.a, players, f)
		r := f.a.play(uint64(game))
		proof.Is(t, g.Play(players, uint64(game), nil), r, "game %d, unwatched", game)
		proof.Is(t, f.rounds, s.Rounds, "rounds")
	}
}

// TestNothingSeesBeyondTheView decides twice: in one world, and in one that differs everywhere
// beyond the view.
func TestNothingSeesBeyondTheView(t *testing.T) {
	proof.Slow(t)
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 200 {
		c := randomConstants(r, side+r.IntN(20))
		s := DefaultSettings()
		s.constants, s.Memory = c, true
		g := proof.Must(newGame(s))(t)
		const seats = 3
		functions := g.allFunctions(t, r)
		var actions [2][]action
		x0, y0 := r.IntN(c.WorldSize), r.IntN(c.WorldSize)
		inside, data := randomCells(r, &c), r.Uint64()
		for i := range actions {
			w := newWorld(g.sizes[0].geometry())
			w.reset(&c, make([]decider, seats))
			beyond := randomCells(r, &c)
			for y := range c.WorldSize {
				for x := range c.WorldSize {
					cells := beyond
					if dx, dy := around(x-x0, c.WorldSize),
						around(y-y0, c.WorldSize); max(dx, -dx, dy, -dy) <= c.ViewDistance {
						cells = inside
					}
					cell := cells[y*c.WorldSize+x]
					w.setFuel(w.g.cell(x, y), uint8(cell.fuel))
					if o := cell.who; cell.any || x == x0 && y == y0 {
						w.put(w.g.cell(x, y),
							occupant{int16(o.Energy), int16(o.Health), uint16(o.Species),
								uint8(o.Species)}, o.Data)
					}
				}
			}
			for _, f := range functions {
				draws := engine.NewRandom(data)
				v := view{w: w, Random: &draws}
				v.look(w.g.cell(x0, y0))
				actions[i] = append(actions[i], f.Act(&v))
			}
		}
		for i := range functions {
			if actions[0][i] != actions[1][i] {
				t.Errorf("trial %d: %T decides %+v, and %+v when the world differs beyond its view",
					trial, functions[i], actions[0][i], actions[1][i])
			}
		}
	}
}

// around returns the shorter way between two columns or rows.
func around(d, size int) int {
	return (d+size+size/2)%size - size/2
}

// randomCells returns a random cell for every one of a world.
func randomCells(r *rand.Rand, c *constants) []state {
	crowd := r.IntN(10)
	cells := make([]state, c.WorldSize*c.WorldSize)
	for i := range cells {
		cells[i] = state{
			fuel: r.IntN(c.MaxCellEnergy + 1), any: r.IntN(10) < crowd,
			who: seenAmoeba{r.IntN(3), r.IntN(c.MaxAmoebaEnergy + 1), 1 + r.IntN(c.MaxAmoebaHealth),
				datum(r.IntN(60))},
		}
	}
	return cells
}

// allFunctions returns the roster and some bred functions.
func (g *game) allFunctions(t *testing.T, r *rand.Rand) (all []decider) {
	for _, e := range g.Players() {
		p := proof.Must(e.New(""))(t)
		all = append(all, p.(decider))
	}
	for range 4 {
		p := proof.Must(g.Bind(g.grammar.Ramped(r, 3, 6)))(t)
		all = append(all, p.(decider))
	}
	return all
}
