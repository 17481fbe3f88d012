package amoebas

import (
	"encoding/binary"
	"math/bits"
)

// act carries out what the amoeba in a cell decided. If the action's preconditions fail, it rests.
func (w *world) act(cell int, a action) {
	me := &w.who[cell]
	if !a.valid() {
		w.rest(cell, me)
		return
	}
	w.remember(cell, a.Data)
	if a.Command == doRest {
		w.rest(cell, me)
		return
	}
	target := w.g.toward(cell, a.Direction)
	empty := w.who[target].species == free
	c := &w.constants
	switch {
	case a.Command == doMove && empty && int(me.energy) >= c.MoveEnergy:
		w.move(cell, target)
	case a.Command == doHit && !empty && int(me.energy) >= c.AttackEnergy:
		w.spend(cell, me, c.AttackEnergy)
		w.hit(target, int(me.species))
	case a.Command == doDivide && empty && int(me.energy) >= c.MinDivideEnergy:
		w.divide(cell, target, a)
	default:
		w.rest(cell, me)
	}
}

// spend takes energy from the amoeba in a cell.
func (w *world) spend(cell int, o *occupant, cost int) {
	o.energy -= int16(cost)
	w.energies[o.species] -= cost
	w.note(planeEnergy, cell, o.energy)
}

// rest heals and feeds. An amoeba whose energy falls below zero starves; its cell's fuel is
// untouched.
func (w *world) rest(cell int, me *occupant) {
	c := &w.constants
	fuel := int(w.fuel[cell])
	eaten := min(fuel, c.MaxAmoebaEnergy-int(me.energy), c.MaxFuelingEnergy)
	if int(me.energy)+eaten < c.RestEnergy {
		w.deaths[me.species]++
		w.take(cell)
		return
	}
	if eaten != 0 {
		w.setFuel(cell, uint8(fuel-eaten))
	}
	if health := int16(min(int(me.health)+c.RecoveryGain, c.MaxAmoebaHealth)); health != me.health {
		me.health = health
		w.note(planeHealth, cell, health)
	}
	w.spend(cell, me, c.RestEnergy-eaten)
}

func (w *world) move(from, to int) {
	me := &w.who[from]
	me.energy -= int16(w.constants.MoveEnergy)
	w.energies[me.species] -= w.constants.MoveEnergy
	w.note(planeEnergy, from, 0)
	w.note(planeEnergy, to, me.energy)
	w.note(planeHealth, to, me.health)
	w.who[to] = *me
	if w.remembers {
		w.data[to], w.data[from] = w.data[from], 0
	}
	if w.lives != nil {
		w.lives[to] = w.lives[from]
	}
	species := int(w.who[from].species)
	w.mark(from, species)
	w.mark(to, species)
	w.who[from].species = free
}

// hit injures the amoeba in a cell. One whose health reaches zero dies, and its energy becomes fuel
// of its cell. (Janneck writes that health must become negative; the original program kills at
// zero, as its recorded games show.) Energy below zero, which only unusual constants allow, takes
// fuel from the cell, down to none.
func (w *world) hit(target, by int) {
	c, it := &w.constants, &w.who[target]
	if int(it.health) > c.HitLoss {
		it.health -= int16(c.HitLoss)
		w.note(planeHealth, target, it.health)
		return
	}
	w.setFuel(target, uint8(max(0, min(int(w.fuel[target])+int(it.energy), c.MaxCellEnergy))))
	w.deaths[it.species]++
	w.kills[by]++
	w.take(target)
}

// divide halves what is left of the parent's energy after the loss, cut toward zero, between parent
// and child.
func (w *world) divide(cell, target int, a action) {
	me := &w.who[cell]
	each := (int(me.energy) - w.constants.DivideEnergyLoss) / 2
	w.spend(cell, me, int(me.energy)-each)
	child := *me
	if a.Child != nil {
		child.function = w.adopt(a.Child)
	}
	w.births[child.species]++
	w.put(target, child, a.ChildData)
	if w.lives != nil {
		w.lives[target] = life{uint32(w.round), w.lives[cell].generation + 1}
	}
}

// schedule lists the occupied cells in classic order: those that act in this round.
func (w *world) schedule() {
	w.queue = w.queue[:0]
	for i, word := range w.present {
		for ; word != 0; word &= word - 1 {
			w.queue = append(w.queue, w.g.order[i<<6+bits.TrailingZeros64(word)])
		}
	}
}

// shine adds the sun's energy to every free cell, up to the greatest fuel: eight cells at a time,
// in sixteen-bit lanes. The margins hold copies of fuel and occupation alike, so they stay copies.
func (w *world) shine() {
	const lanes, tops = 0x0001000100010001, 0x8000800080008000
	sun, full := uint64(w.constants.SunEnergy)*lanes, uint64(w.constants.MaxCellEnergy)*lanes
	// more returns four fuels with the sun's energy added
	more := func(fuel uint64) uint64 {
		fuel += sun
		// the top bit of a lane stays where the sum is not too much
		fits := (full | tops - fuel) & tops
		fits |= fits - fits>>15
		return fuel&fits | full&^fits
	}
	for i := 0; i < w.g.cells; i += 8 {
		taken := spread(w.occupied[i>>3])
		if taken == 1<<64-1 {
			continue
		}
		eight := w.fuel[i : i+8 : i+8]
		fuel := binary.LittleEndian.Uint64(eight)
		even, odd := more(fuel&(0xff*lanes)), more(fuel>>8&(0xff*lanes))
		binary.LittleEndian.PutUint64(eight, fuel&taken|(even|odd<<8)&^taken)
	}
}

// spread turns each bit into a byte of eight equal bits.
func spread(b uint8) uint64 {
	x := uint64(b) * 0x0101010101010101 & 0x8040201008040201 // byte i keeps bit i
	x = (x + 0x7f7f7f7f7f7f7f7f) | x                         // its top bit says whether it is set
	return x >> 7 & 0x0101010101010101 * 0xff
}
