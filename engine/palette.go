package engine

import (
	"image"
	"image/color"
)

// Indices into Palette. Seat i has the colour Seats+i; Tints+i is a paler one, for its trail or
// territory. Ramp is the first of RampLen steps from pale to dark for an amount.
const (
	Paper   = 0 // background
	Ink     = 1 // text, outlines
	Grid    = 2 // lines between cells
	Veil    = 3 // cells that cannot be seen
	Goods   = 4 // food, energy, anything to be won
	Hazard  = 5 // anything harmful
	Seats   = 6
	Tints   = Seats + MaxSeats
	Ramp    = Tints + MaxSeats
	RampLen = 32
)

// Distinct holds the colours that tell seats, groups and series apart, in the one order that
// boards, terminals, figures and the page share: those of Okabe and Ito (2008, "Color universal
// design"), with brown in place of black, which people with all common kinds of colour vision can
// tell apart. Those dark enough for a line on white come first.
var Distinct = [8]color.RGBA{
	{0, 114, 178, 255},   // blue
	{213, 94, 0, 255},    // vermillion
	{0, 158, 115, 255},   // bluish green
	{204, 121, 167, 255}, // reddish purple
	{230, 159, 0, 255},   // orange
	{86, 180, 233, 255},  // sky blue
	{240, 228, 66, 255},  // yellow
	{120, 82, 48, 255},   // brown
}

// Palette returns a new palette for scenes; a game that needs other colours has its own. The first
// eight seats have the colours of Distinct, the second eight the same but darker.
func Palette() color.Palette {
	p := make(color.Palette, inks)
	p[Paper] = color.RGBA{255, 255, 255, 255}
	p[Ink] = color.RGBA{0, 0, 0, 255}
	p[Grid] = color.RGBA{222, 222, 222, 255}
	p[Veil] = color.RGBA{176, 176, 176, 255}
	p[Goods] = color.RGBA{90, 150, 40, 255}
	p[Hazard] = color.RGBA{170, 20, 40, 255}
	for i := range MaxSeats {
		c := [3]uint8{Distinct[i%8].R, Distinct[i%8].G, Distinct[i%8].B}
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
	paints(p)
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

// Picture draws a scene into a new picture.
func Picture(s Scene, scale int) *image.Paletted {
	img := image.NewPaletted(image.Rectangle{Max: s.Size(scale)}, nil)
	s.Draw(img, scale)
	return img
}

// Fill paints the part of a rectangle that lies in the picture with one colour.
func Fill(img *image.Paletted, r image.Rectangle, colour uint8) {
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := img.Pix[img.PixOffset(r.Min.X, y):][:r.Dx()]
		for x := range row {
			row[x] = colour
		}
	}
}
