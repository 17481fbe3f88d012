package gp

import (
	"math"
	"math/bits"
)

// Load prepares a frame for Eval with this code: it makes room for the registers and copies the
// constants. Scalars stay. It must be called again after another genome's code was loaded.
func (c *Code) Load(f *Frame) {
	if len(f.registers) < c.registers {
		f.registers = append(f.registers, make([]Quad, c.registers-len(f.registers))...)
	}
	if len(f.truths) < c.truths {
		f.truths = make([]uint8, c.truths)
	}
	for i, v := range c.constants {
		f.registers[c.scalars+i] = Quad{v, v, v, v}
	}
}

// Eval sets a quad to the value of a slot's tree in a frame under the four quarter turns, by the
// program of a situation, which must hold. The frame must have been loaded with this code. Eval
// allocates nothing.
//
// Lanes are read and written one by one: a 16-byte load right after four 4-byte stores waits until
// all of them have left the store buffer, which cost 15 % in Ant Wars. Each instruction is
// dispatched once for all four turns, and a branch is skipped where no lane takes it.
func (c *Code) Eval(slot, situation int, f *Frame, to *Quad) {
	p := &c.programs[slot*c.stride+situation]
	code, regs, truths := p.code, f.registers, f.truths
	for pc := 0; pc < len(code); pc++ {
		in := &code[pc]
		switch in.op {
		case opAdd:
			d, a, b := &regs[in.dst], &regs[in.a], &regs[in.b]
			d[0], d[1], d[2], d[3] = a[0]+b[0], a[1]+b[1], a[2]+b[2], a[3]+b[3]
		case opSub:
			d, a, b := &regs[in.dst], &regs[in.a], &regs[in.b]
			d[0], d[1], d[2], d[3] = a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		case opMul:
			d, a, b := &regs[in.dst], &regs[in.a], &regs[in.b]
			d[0], d[1], d[2], d[3] = a[0]*b[0], a[1]*b[1], a[2]*b[2], a[3]*b[3]
		case opBlend:
			blend(&regs[in.dst], &regs[in.a], &regs[in.b], &blendMasks[truths[in.c]&15])
		case opCount, opNearCount:
			l, m := &f.Layers[in.a&(MaxLayers-1)], &c.masks[in.b]
			d := &regs[in.dst]
			d[0], d[1], d[2], d[3] = count(l, &m[0]), count(l, &m[1]), count(l, &m[2]), count(l, &m[3])
		case opWordCount:
			l, m := f.Layers[in.a&(MaxLayers-1)].Low, &c.masks[in.b]
			d := &regs[in.dst]
			d[0], d[1] = float32(bits.OnesCount64(l&m[0].Low)), float32(bits.OnesCount64(l&m[1].Low))
			d[2], d[3] = float32(bits.OnesCount64(l&m[2].Low)), float32(bits.OnesCount64(l&m[3].Low))
		case opSum, opNearSum:
			m := &c.masks[in.b]
			r := &regs[in.dst]
			for k := range r {
				r[k] = c.sum(f, int(in.a), &m[k])
			}
		case opRowSum:
			rows, b, unit := f.Rows[in.a&(MaxLayers-1)], &c.bands[in.b], c.units[in.a&(MaxLayers-1)]
			d := &regs[in.dst]
			d[0], d[1] = float32(rows.sum(&b[0]))*unit, float32(rows.sum(&b[1]))*unit
			d[2], d[3] = float32(rows.sum(&b[2]))*unit, float32(rows.sum(&b[3]))*unit
		case opLeast, opGreatest:
			m := &c.masks[in.b]
			r := &regs[in.dst]
			for k := range r {
				r[k] = c.extreme(f, int(in.a), &m[k], in.op == opGreatest)
			}
		case opAny, opNearAny:
			l, m := &f.Layers[in.a&(MaxLayers-1)], &c.masks[in.b]
			truths[in.dst] = meets(l, &m[0]) | meets(l, &m[1])<<1 | meets(l, &m[2])<<2 | meets(l, &m[3])<<3
		case opSmaller:
			a, b := &regs[in.a], &regs[in.b]
			truths[in.dst] = bit(a[0] < b[0]) | bit(a[1] < b[1])<<1 | bit(a[2] < b[2])<<2 |
				bit(a[3] < b[3])<<3
		case opEqual:
			a, b := &regs[in.a], &regs[in.b]
			truths[in.dst] = bit(a[0] == b[0]) | bit(a[1] == b[1])<<1 | bit(a[2] == b[2])<<2 |
				bit(a[3] == b[3])<<3
		case opAnd:
			truths[in.dst] = truths[in.a] & truths[in.b]
		case opOr:
			truths[in.dst] = truths[in.a] | truths[in.b]
		case opNot:
			truths[in.dst] = truths[in.a] ^ 15
		case opFlag:
			truths[in.dst] = f.Flags[in.a&(MaxFlags-1)] & 15
		case opSkipNone:
			if truths[in.c] == 0 {
				pc += int(in.a)
			}
		case opSkipAll:
			if truths[in.c] == 15 {
				pc += int(in.a)
			}
		default:
			c.call(in, f, 0, Lanes)
		}
	}
	r := &regs[p.result]
	to[0], to[1], to[2], to[3] = r[0], r[1], r[2], r[3]
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func meets(l, m *Bits) uint8 { return bit(l.Low&m.Low|l.High&m.High != 0) }

func count(l, m *Bits) float32 {
	return float32(bits.OnesCount64(l.Low&m.Low) + bits.OnesCount64(l.High&m.High))
}

// blendMasks holds, for each set of lanes, a word a lane: all ones where the lane is in the set,
// else 0.
var blendMasks = func() (t [16]struct{ a, b [Lanes]uint32 }) {
	for i := range t {
		for k := range Lanes {
			t[i].a[k] = -uint32(i >> k & 1)
			t[i].b[k] = ^t[i].a[k]
		}
	}
	return t
}()

// blend takes each lane from a where its bit is set, else from b, without a branch.
func blend(d, a, b *Quad, m *struct{ a, b [Lanes]uint32 }) {
	d[0] = math.Float32frombits(math.Float32bits(a[0])&m.a[0] | math.Float32bits(b[0])&m.b[0])
	d[1] = math.Float32frombits(math.Float32bits(a[1])&m.a[1] | math.Float32bits(b[1])&m.b[1])
	d[2] = math.Float32frombits(math.Float32bits(a[2])&m.a[2] | math.Float32bits(b[2])&m.b[2])
	d[3] = math.Float32frombits(math.Float32bits(a[3])&m.a[3] | math.Float32bits(b[3])&m.b[3])
}

// sum adds the weights of a layer's cells in a mask. Weights are integers, so the order does not
// matter.
func (c *Code) sum(f *Frame, layer int, m *Bits) float32 {
	var s int32
	weights := f.Weights[layer]
	for left := f.Layers[layer].And(*m); !left.Empty(); left = left.Rest() {
		s += weights[left.First()]
	}
	return float32(s) * c.units[layer]
}

// extreme returns the least or greatest weight of a layer's cells in a mask, 0 without any.
func (c *Code) extreme(f *Frame, layer int, m *Bits, greatest bool) float32 {
	var best int32
	first := true
	weights := f.Weights[layer]
	for left := f.Layers[layer].And(*m); !left.Empty(); left = left.Rest() {
		if w := weights[left.First()]; first || (w > best) == greatest {
			best, first = w, false
		}
	}
	return float32(best) * c.units[layer]
}
