package engine

import (
	"image"
	"math"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// brush fills shapes with one colour. Products are rounded before they are added, so that no
// processor fuses them and all machines draw the same pixels.
type brush struct {
	img     *image.Paletted
	plan    *Plan
	to      [6]float64 // from cells, or sides of one, to pixels: x and y of a step right, down, and 0
	ink     uint8
	over    bool // shows what is below
	stipple bool // leaves every second pixel
}

func (b brush) in(ink uint8) brush {
	b.ink = ink
	return b
}

func (b brush) at(x, y float64) (float64, float64) {
	t := &b.to
	return float64(t[0]*x) + float64(t[2]*y) + float64(t[4]),
		float64(t[1]*x) + float64(t[3]*y) + float64(t[5])
}

// moved returns the brush with its origin at (x, y), scaled by times and turned clockwise by
// eighths of a turn.
func (b brush) moved(x, y, times float64, eighths int8) brush {
	sin, cos := times*sine(4*int(eighths)), times*sine(4*int(eighths)+8)
	t := b.to
	b.to[4], b.to[5] = b.at(x, y)
	b.to[0], b.to[1] = float64(t[0]*cos)+float64(t[2]*sin), float64(t[1]*cos)+float64(t[3]*sin)
	b.to[2], b.to[3] = float64(t[2]*cos)-float64(t[0]*sin), float64(t[3]*cos)-float64(t[1]*sin)
	return b
}

// side is how many pixels the side of a cell has.
func (b brush) side() float64 { return length(b.to[0], b.to[1]) }

func length(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// sines are the sines of 0 to 90 degrees in eight steps, as a table because math.Sin may differ
// between machines.
var sines = [9]float64{0, 0.19509032201612828, 0.3826834323650898, 0.5555702330196022,
	0.7071067811865476, 0.8314696123025452, 0.9238795325112867, 0.9807852804032304, 1}

// sine returns the sine of an angle in 32nds of a turn.
func sine(i int) float64 {
	switch i &= 31; {
	case i > 16:
		return -sine(i - 16)
	case i > 8:
		i = 16 - i
	}
	return sines[i]
}

// around returns a point of the unit circle, drawn as a polygon of 32 corners, by its 32nds of a
// turn clockwise from the top.
func around(parts float64) (x, y float64) {
	i := int(parts)
	between := func(a, b float64) float64 { return a + float64((parts-float64(i))*(b-a)) }
	return between(sine(i), sine(i+1)), -between(sine(i+8), sine(i+9))
}

func (b brush) set(x, y int) {
	if !image.Pt(x, y).In(b.img.Rect) || b.stipple && (x+y)&1 != 0 {
		return
	}
	p := &b.img.Pix[b.img.PixOffset(x, y)]
	switch is := *p; {
	case !b.over || is == Paper:
		*p = b.ink
	case is >= washes && is < washAll && is != b.ink:
		*p = washAll
	}
}

// shape fills a polygon: all pixels whose middles are inside by the even-odd rule.
func (b brush) shape(corners ...float64) {
	n := len(corners) / 2
	xs, ys := make([]float64, n), make([]float64, n)
	for i := range n {
		xs[i], ys[i] = b.at(corners[2*i], corners[2*i+1])
	}
	var cuts []float64
	for y := int(slices.Min(ys) - 1); y <= int(slices.Max(ys)); y++ {
		cuts = cuts[:0]
		middle := float64(y) + 0.5
		for i := range n {
			j := (i + 1) % n
			if (ys[i] <= middle) != (ys[j] <= middle) {
				cuts = append(cuts, xs[i]+(xs[j]-xs[i])*(middle-ys[i])/(ys[j]-ys[i]))
			}
		}
		slices.Sort(cuts)
		for i := 0; i+1 < len(cuts); i += 2 {
			for x := int(math.Ceil(cuts[i] - 0.5)); float64(x)+0.5 < cuts[i+1]; x++ {
				b.set(x, y)
			}
		}
	}
}

func (b brush) box(x, y, wide, high float64) {
	b.shape(x, y, x+wide, y, x+wide, y+high, x, y+high)
}

func (b brush) disc(x, y, wide, high float64) {
	var corners []float64
	for i := range 32 {
		corners = append(corners, float64(x)+float64(wide*sine(i)),
			float64(y)-float64(high*sine(i+8)))
	}
	b.shape(corners...)
}

// line draws a line through points, at least a pixel wide.
func (b brush) line(width float64, points ...float64) {
	half := max(width, 1/b.side()) / 2
	for i := 0; i+3 < len(points); i += 2 {
		x, y, u, v := points[i], points[i+1], points[i+2], points[i+3]
		far := length(u-x, v-y)
		right, down := float64((u-x)/far*half), float64((v-y)/far*half)
		b.shape(x-down, y+right, x+down, y-right, u+down, v-right, u-down, v+right)
		b.disc(u, v, half, half)
	}
}

// text writes words centred on a point, in letters of the given height, and nothing where the
// letters would be too small.
func (b brush) text(words string, x, y, high float64) {
	face := basicfont.Face7x13
	times := int(high * b.side() / 10)
	if times == 0 {
		return
	}
	written := image.NewAlpha(image.Rect(0, 0, face.Advance*len(words), face.Height))
	d := font.Drawer{Dst: written, Src: image.Opaque, Face: face, Dot: fixed.P(0, face.Ascent)}
	d.DrawString(words)
	u, v := b.at(x, y)
	at := image.Pt(int(u), int(v)).Sub(written.Rect.Max.Mul(times).Div(2))
	at = image.Pt(max(at.X, 0), max(at.Y, 0))
	for i, is := range written.Pix {
		if is > 0 {
			to := at.Add(image.Pt(i%written.Stride, i/written.Stride).Mul(times))
			Fill(b.img, image.Rectangle{to, to.Add(image.Pt(times, times))}, b.ink)
		}
	}
}
