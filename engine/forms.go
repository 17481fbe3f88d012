package engine

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// form draws a piece around the origin.
func (b brush) form(kind *Kind, p Piece) {
	ink := b.colour(kind, p)
	for part := range strings.SplitSeq(string(kind.Form), "+") {
		one := b.in(ink)
		if f := Form(part); p.Facing > 0 && (f == Ant || f == Walker || f == Flytrap) {
			one = one.moved(0, 0, 1, p.Facing)
		}
		one.draw(Form(part), kind, p)
	}
	if kind.Letter != "" {
		b.in(Paper).text(kind.Letter, 0, 0, 0.5)
	}
}

func (b brush) draw(form Form, kind *Kind, p Piece) {
	switch form {
	case Filled:
		b.box(-0.5, -0.5, 11.0/12, 11.0/12)
	case Wash:
		if p.Seat >= 0 {
			b.ink = washes + b.seat(p)
		} else if b.ink >= Seats && b.ink < Tints {
			b.ink += washes - Seats
		}
		b.over = true
		b.box(-0.5, -0.5, 11.0/12, 11.0/12)
	case Dot: // each seat has its own corner, so that dots of several show
		at := [4][2]float64{{-1, 1}, {1, 1}, {-1, -1}, {1, -1}}[max(p.Seat, 0)%4]
		b.disc(0.32*at[0], 0.32*at[1], 0.09, 0.09)
	case Grain:
		if kind.Form != Grain {
			b.ink = Goods
		}
		b.disc(0, 0.02, 0.22, 0.24)
	case Spark:
		var corners []float64
		for i := range 16 {
			far := [2]float64{0.42, 0.2}[i&1]
			corners = append(corners, far*sine(2*i), -far*sine(2*i+8))
		}
		b.shape(corners...)
	case Cross:
		b.line(0.12, -0.28, -0.28, 0.28, 0.28)
		b.line(0.12, 0.28, -0.28, -0.28, 0.28)
	case Pips:
		b.pips(p.Number)
	case Blob:
		b.disc(0, 0, 0.38, 0.38)
		b.in(Paper).disc(0.08, -0.06, 0.1, 0.1)
	case Amount:
		b.in(Ramp+uint8(min(RampLen-1, p.Number*RampLen/220))).box(-0.5, -0.5, 11.0/12, 11.0/12)
	case Ant, Fox, Hen, Viper, Walker, Flytrap:
		b.animal(form)
	case Apple, Chest, Thicket, Wall, Thorns, Mud, Fog, Shrine:
		b.thing(form)
	default:
		b.disc(0, 0, 0.38, 0.38)
	}
}

// eyes draws two eyes with pupils.
func (b brush) eyes(y, apart, r float64) {
	for _, x := range []float64{-apart, apart} {
		b.in(Paper).disc(x, y, r, r)
		b.in(pupil).disc(x, y-r/4, r/2, r/2)
	}
}

func (b brush) animal(form Form) {
	switch form {
	case Ant:
		for _, side := range []float64{-1, 1} {
			for _, leg := range [][3]float64{{-0.06, 0.3, -0.2}, {0.02, 0.34, 0.06}, {0.1, 0.3, 0.3}} {
				b.line(0.035, side*0.05, leg[0], side*0.2, (leg[0]+leg[2])/2, side*leg[1], leg[2])
			}
			b.line(0.03, side*0.04, -0.26, side*0.1, -0.37, side*0.2, -0.42)
		}
		b.disc(0, 0.22, 0.16, 0.2)
		b.disc(0, -0.01, 0.11, 0.14)
		b.disc(0, -0.22, 0.14, 0.12)
	case Fox:
		b.shape(-0.4, -0.4, -0.1, -0.24, 0.1, -0.24, 0.4, -0.4, 0.34, 0.02, 0, 0.4, -0.34, 0.02)
		b.in(Paper).shape(-0.32, 0.04, -0.08, 0.08, 0, 0.3, -0.02, 0.38)
		b.in(Paper).shape(0.32, 0.04, 0.08, 0.08, 0, 0.3, 0.02, 0.38)
		for _, x := range []float64{-0.14, 0.14} {
			b.in(pupil).disc(x, -0.05, 0.045, 0.045)
		}
		b.in(pupil).disc(0, 0.34, 0.06, 0.05)
	case Hen:
		for _, at := range [][2]float64{{0.1, -0.315}, {0.2, -0.355}, {0.28, -0.315}} {
			b.in(red).disc(at[0], at[1], 0.065, 0.065)
		}
		b.shape(-0.44, -0.2, -0.2, 0, -0.12, 0.24, -0.34, 0.16)
		b.disc(-0.02, 0.14, 0.3, 0.24)
		b.disc(0.18, -0.16, 0.17, 0.17)
		b.in(beak).shape(0.32, -0.2, 0.46, -0.12, 0.32, -0.06)
		b.in(beak).line(0.04, -0.08, 0.36, -0.08, 0.46)
		b.in(beak).line(0.04, 0.06, 0.36, 0.06, 0.46)
		b.in(Paper).disc(0.21, -0.19, 0.05, 0.05)
	case Viper:
		b.line(0.15, -0.36, 0.36, -0.1, 0.4, 0.15, 0.36, 0.22, 0.24, 0.02, 0.12, -0.2, 0.04, -0.22,
			-0.12, -0.1, -0.2, 0.08, -0.2)
		b.disc(0.16, -0.22, 0.19, 0.14)
		b.in(red).line(0.03, 0.34, -0.2, 0.42, -0.2, 0.47, -0.25)
		b.in(red).line(0.03, 0.42, -0.2, 0.47, -0.15)
		b.in(Paper).disc(0.2, -0.27, 0.05, 0.05)
	case Walker:
		for _, x := range []float64{-0.3, 0.3} {
			b.disc(x, 0.02, 0.1, 0.16)
		}
		b.disc(0, 0.06, 0.3, 0.34)
		b.shape(-0.18, -0.22, 0, -0.47, 0.18, -0.22)
		b.eyes(-0.12, 0.12, 0.1)
	case Flytrap:
		b.in(leaf).disc(0, 0, 0.38, 0.38)
		b.in(red).shape(-0.24, -0.34, 0, 0.08, 0.24, -0.34)
		for _, at := range [][2]float64{{-0.2, -0.26}, {-0.12, -0.12}, {0.2, -0.26}, {0.12, -0.12}} {
			b.in(Paper).disc(at[0], at[1], 0.04, 0.04)
		}
	}
}

func (b brush) thing(form Form) {
	switch form {
	case Apple:
		b.in(red).disc(-0.1, 0.08, 0.22, 0.28)
		b.in(red).disc(0.1, 0.08, 0.22, 0.28)
		b.in(stem).line(0.06, 0, -0.12, 0.04, -0.34)
		b.in(leaf).disc(0.16, -0.28, 0.13, 0.07)
	case Chest:
		b.in(chest).box(-0.36, -0.24, 0.72, 0.52)
		b.in(gold).box(-0.36, -0.04, 0.72, 0.07)
		b.in(gold).box(-0.07, -0.1, 0.14, 0.2)
	case Thicket:
		b.in(bush).disc(-0.2, 0.14, 0.27, 0.27)
		b.in(darkBush).disc(0.22, 0.16, 0.26, 0.26)
		b.in(paleBush).disc(0, -0.16, 0.3, 0.3)
	case Wall:
		b.in(stone).box(-0.5, -0.5, 1, 1)
		b.in(paleStone).box(-0.5, -0.5, 1, 0.16)
		b.in(darkStone).box(-0.5, 0.4, 1, 0.1)
	case Thorns:
		b.in(thorn).disc(0, 0.2, 0.42, 0.2)
		for _, at := range [][2]float64{{-0.28, -0.08}, {-0.12, -0.3}, {0.06, -0.44}, {0.22, -0.22},
			{0.34, -0.02}} {
			b.in(thornTip).shape(at[0]-0.08, 0.26, at[0], at[1], at[0]+0.08, 0.26)
		}
	case Mud:
		b.in(mudPale).box(-0.5, -0.5, 1, 1)
		for _, at := range [][3]float64{{-0.2, -0.16, 0.16}, {0.2, 0.1, 0.2}, {-0.16, 0.3, 0.12}} {
			b.in(mudDark).disc(at[0], at[1], at[2], at[2]/2)
		}
	case Fog:
		b.stipple = true
		for _, at := range [][3]float64{{-0.16, 0.06, 0.28}, {0.18, 0.1, 0.28}, {0, -0.16, 0.26}} {
			b.disc(at[0], at[1], at[2], at[2])
		}
	case Shrine:
		for _, x := range []float64{-0.24, 0.24} {
			b.line(0.11, x, -0.3, x, 0.42)
		}
		b.line(0.09, -0.34, -0.08, 0.34, -0.08)
		b.shape(-0.46, -0.42, 0, -0.36, 0.46, -0.42, 0.4, -0.22, -0.4, -0.22)
	}
}

// pips draws a die.
func (b brush) pips(number int32) {
	b.box(-0.26, -0.26, 0.52, 0.52)
	b.in(Paper).box(-0.23, -0.23, 0.46, 0.46)
	places := [][]int{{}, {4}, {0, 8}, {0, 4, 8}, {0, 2, 6, 8}, {0, 2, 4, 6, 8}, {0, 2, 3, 5, 6, 8}}
	for _, i := range places[min(max(number, 0), 6)] {
		b.disc(0.13*float64(i%3-1), 0.13*float64(i/3-1), 0.05, 0.05)
	}
}

// units draws how much each seat has on a cell, as a pie with the numbers.
func (b brush) units(all []Piece, kind int) {
	cells := map[[2]int16][]Piece{}
	most := int32(1)
	for _, p := range all {
		if int(p.Kind) == kind {
			at := [2]int16{p.X, p.Y}
			cells[at] = append(cells[at], p)
			most = max(most, p.Number)
		}
	}
	for at, parts := range cells { // in any order: cells do not overlap
		slices.SortFunc(parts, func(p, q Piece) int { return cmp.Compare(p.Seat, q.Seat) })
		sum := int32(0)
		for _, p := range parts {
			sum += p.Number
		}
		one := b.moved(float64(at[0])+0.5, float64(at[1])+0.5, 1, 0)
		r := 0.24 + float64(0.18*math.Sqrt(min(1, float64(sum)/float64(most))))
		var words []string
		from := 0.0
		for _, p := range parts {
			to := from + float64(32*p.Number)/float64(max(sum, 1))
			corners := []float64{0, 0}
			for at := from; ; at = min(to, math.Floor(at)+1) {
				x, y := around(at)
				if corners = append(corners, r*x, r*y); at == to {
					break
				}
			}
			one.in(Seats + b.seat(p)).shape(corners...)
			from = to
			words = append(words, strconv.Itoa(int(p.Number)))
		}
		one.in(Paper).text(strings.Join(words, ":"), 0, 0, 0.24)
	}
}

// wall draws an upright wall on a cell of a tilted board.
func (b brush) wall() {
	const up = -0.7
	b.in(stone).shape(-tiltWide, up, 0, up+tiltHigh, 0, tiltHigh, -tiltWide, 0)
	b.in(darkStone).shape(tiltWide, up, 0, up+tiltHigh, 0, tiltHigh, tiltWide, 0)
	b.in(paleStone).shape(-tiltWide, up, 0, up+tiltHigh, tiltWide, up, 0, up-tiltHigh)
}

// walker draws a creature on two feet that looks ahead. Its eyes are hidden where it looks away
// from the viewer.
func (b brush) walker(ink uint8, facing int8) {
	shade := ink - Seats + shades
	x, y := -1.0, -1.0 // where it looks, to the right and down
	if facing == 0 || facing == 2 {
		x = 1
	}
	if facing == 2 || facing == 4 {
		y = 1
	}
	b = b.moved(0, 0, 0.04, 0)
	b.in(shade).disc(-5, 0, 4, 3)
	b.in(shade).disc(5, 0, 4, 3)
	nose := func() { b.in(shade).disc(7*x, -26+3*y, 4, 3) }
	if y < 0 {
		nose()
	}
	b.in(ink).disc(0, -12, 11, 12)
	b.in(shade).disc(-4*x, -10, 6, 9)
	b.in(ink).disc(2*x, -28, 9, 9)
	if y < 0 {
		return
	}
	for _, side := range []float64{-2, 5} {
		b.in(Paper).disc(2*x+side, -30, 3, 3)
		b.in(pupil).disc(3*x+side, -29, 1.4, 2)
	}
	nose()
}
