package engine

import (
	"image"
	"image/color"
)

// Indices into Palette. Seat i has the colour Seats+i, and Tints+i is the same colour paler, for a
// trail or a territory. Ramp is the first of RampLen steps from pale to dark for an amount.
const (
	Paper   = 0 // background
	Ink     = 1 // text, outlines
	Grid    = 2 // lines between cells
	Veil    = 3 // what cannot be seen
	Goods   = 4 // food, energy, what is to be won
	Hazard  = 5 // what harms
	Seats   = 6
	Tints   = Seats + MaxSeats
	Ramp    = Tints + MaxSeats
	RampLen = 32
)

// Palette returns colours for scenes; a game that needs others has a palette of its own. The first
// eight seats are the colours of Okabe and Ito (2008) without black and with brown, which
// colour-blind people tell apart. The second eight are the same, darker.
func Palette() color.Palette {
	okabeIto := [8][3]uint8{
		{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {86, 180, 233}, {230, 159, 0},
		{240, 228, 66}, {120, 82, 48},
	}
	p := make(color.Palette, Ramp+RampLen)
	p[Paper] = color.RGBA{255, 255, 255, 255}
	p[Ink] = color.RGBA{0, 0, 0, 255}
	p[Grid] = color.RGBA{222, 222, 222, 255}
	p[Veil] = color.RGBA{176, 176, 176, 255}
	p[Goods] = color.RGBA{90, 150, 40, 255}
	p[Hazard] = color.RGBA{170, 20, 40, 255}
	for i := range MaxSeats {
		c := okabeIto[i%8]
		if i >= 8 {
			c = blend(c, [3]uint8{}, 102)
		}
		p[Seats+i] = color.RGBA{c[0], c[1], c[2], 255}
		t := blend(c, [3]uint8{255, 255, 255}, 166)
		p[Tints+i] = color.RGBA{t[0], t[1], t[2], 255}
	}
	for i := range RampLen {
		c := blend([3]uint8{247, 244, 230}, [3]uint8{8, 48, 90}, i*255/(RampLen-1))
		p[Ramp+i] = color.RGBA{c[0], c[1], c[2], 255}
	}
	return p
}

// blend returns the colour that lies share/255 of the way from a to b.
func blend(a, b [3]uint8, share int) [3]uint8 {
	var c [3]uint8
	for i := range c {
		c[i] = uint8((int(a[i])*(255-share) + int(b[i])*share) / 255)
	}
	return c
}

// Fill paints a rectangle, as far as it lies in the picture, with one colour.
func Fill(img *image.Paletted, r image.Rectangle, colour uint8) {
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := img.Pix[img.PixOffset(r.Min.X, y):][:r.Dx()]
		for x := range row {
			row[x] = colour
		}
	}
}
