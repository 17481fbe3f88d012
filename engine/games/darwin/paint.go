package darwin

import (
	"image"
	"image/color"

	"clade/engine"
)

// Inks are entries of the game's own palette. Of each species there are a body ink, its seat's
// colour in engine.Palette, and a darker one.
const (
	inkClear = iota
	inkFloor
	inkGrid
	inkMud
	inkMudDark
	inkFog
	inkShrine
	inkGlow
	inkApple
	inkLeaf
	inkLeafDark
	inkChest
	inkChestDark
	inkGold
	inkThorn
	inkThornTip
	inkShadow
	inkEye
	inkPupil
	inkWalls                  // three walls of three shades: top, front, side
	inkSpecies = inkWalls + 9 // then body and shade of each seat
	numInks    = inkSpecies + 2*maxSeats
)

// wallInks are the shades of the three kinds of wall: lit, middle, dark.
var wallInks = [3][3]uint8{{inkWalls, inkWalls + 1, inkWalls + 2},
	{inkWalls + 3, inkWalls + 4, inkWalls + 5}, {inkWalls + 6, inkWalls + 7, inkWalls + 8}}

func bodyInk(seat int) uint8 { return uint8(inkSpecies + 2*seat) }

func shadeInk(seat int) uint8 { return bodyInk(seat) + 1 }

// palette returns the colours of the inks.
func palette() color.Palette {
	p := make(color.Palette, numInks)
	for ink, c := range map[int]uint32{
		inkClear: 0x2a2d34, inkFloor: 0xf3efe6, inkGrid: 0xe0dacb, inkMud: 0xb89b72,
		inkMudDark: 0x94784f, inkFog: 0xc4ccd4, inkShrine: 0x9a9a9a,
		inkGlow: 0xffd54a, inkApple: 0xc8281e, inkLeaf: 0x3f9142, inkLeafDark: 0x2a6630,
		inkChest: 0x8a5a2c, inkChestDark: 0x5f3c1b, inkGold: 0xf4c430,
		inkThorn: 0x5b2a3c, inkThornTip: 0xb8436a, inkShadow: 0xcfc8b8, inkEye: 0xffffff,
		inkPupil: 0x16181c,
	} {
		p[ink] = rgb(c)
	}
	for k, c := range [3]uint32{0x6f7886, 0x4f7a6a, 0x9c6b4a} {
		p[inkWalls+3*k], p[inkWalls+3*k+1], p[inkWalls+3*k+2] = rgb(lighter(c)), rgb(c),
			rgb(darker(c))
	}
	seats := engine.Palette()[engine.Seats:]
	for seat := range maxSeats {
		c := seats[seat].(color.RGBA)
		p[bodyInk(seat)] = c
		p[shadeInk(seat)] = rgb(darker(uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B)))
	}
	return p
}

func rgb(c uint32) color.RGBA { return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff} }

// darker takes away three tenths of each part of a colour.
func darker(c uint32) uint32 {
	return mapParts(c, func(v uint32) uint32 { return v * 7 / 10 })
}

// lighter goes three tenths of the way to white.
func lighter(c uint32) uint32 {
	return mapParts(c, func(v uint32) uint32 { return v + (255-v)*3/10 })
}

func mapParts(c uint32, f func(uint32) uint32) uint32 {
	return f(c>>16&255)<<16 | f(c>>8&255)<<8 | f(c&255)
}

// painter fills shapes inside a rectangle of a picture, in coordinates of which the rectangle's
// width has units.
type painter struct {
	img   *image.Paletted
	area  image.Rectangle
	units int
}

// at returns a coordinate in pixels.
func (p painter) at(v int) int { return v * p.area.Dx() / p.units }

// box fills a rectangle; the second corner is exclusive.
func (p painter) box(x0, y0, x1, y1 int, ink uint8) {
	engine.Fill(p.img, image.Rect(p.at(x0), p.at(y0), p.at(x1), p.at(y1)).Add(p.area.Min), ink)
}

// ellipse fills an ellipse around a point.
func (p painter) ellipse(cx, cy, rx, ry int, ink uint8) {
	x0, y0, a, b := p.at(cx), p.at(cy), p.at(rx), p.at(ry)
	for y := -b; y < b; y++ {
		for x := -a; x < a; x++ {
			// the pixel's middle, in half pixels
			u, v := 2*x+1, 2*y+1
			if u*u*b*b+v*v*a*a <= 4*a*a*b*b {
				p.img.SetColorIndex(p.area.Min.X+x0+x, p.area.Min.Y+y0+y, ink)
			}
		}
	}
}

// polygon fills a polygon given by its corners, by the even-odd rule.
func (p painter) polygon(ink uint8, corners ...int) {
	n := len(corners) / 2
	bottom := 0
	for k := range n {
		bottom = max(bottom, p.at(corners[2*k+1]))
	}
	for y := range bottom {
		var cuts []int
		for k := range n {
			x0, y0 := p.at(corners[2*k]), p.at(corners[2*k+1])
			l := (k + 1) % n
			x1, y1 := p.at(corners[2*l]), p.at(corners[2*l+1])
			if (y0 <= y) != (y1 <= y) {
				cuts = append(cuts, x0+((x1-x0)*(2*y+1-2*y0))/(2*(y1-y0)))
			}
		}
		for i := range cuts {
			for j := i; j > 0 && cuts[j] < cuts[j-1]; j-- {
				cuts[j], cuts[j-1] = cuts[j-1], cuts[j]
			}
		}
		for i := 0; i+1 < len(cuts); i += 2 {
			for x := cuts[i]; x < cuts[i+1]; x++ {
				p.img.SetColorIndex(p.area.Min.X+x, p.area.Min.Y+y, ink)
			}
		}
	}
}
