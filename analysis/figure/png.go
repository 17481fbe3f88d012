package figure

import (
	"cmp"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"slices"

	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pngCanvas writes PNG. It begins white.
type pngCanvas struct{ *vgimg.Canvas }

// newPNGCanvas returns a canvas upon one image. vgimg by itself makes two, of some 6 MB each, and
// copies one to the other.
func newPNGCanvas(width, height vg.Length, dpi int) pngCanvas {
	dots := func(l vg.Length) int { return int(vg.Length(l/vg.Inch*vg.Length(dpi)) + 0.5) }
	img := image.NewRGBA(image.Rect(0, 0, dots(width), dots(height)))
	context := gg.NewContextForRGBA(img)
	context.SetLineCapButt()
	context.InvertY()
	return pngCanvas{vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi),
		func(c *vgimg.Canvas) uint32 {
			vgimg.UseImageWithContext(img, context)(c)
			return 0 // else it excludes UseWH, which has the size before it is rounded to dots
		})}
}

// WriteTo implements io.WriterTo.
func (c pngCanvas) WriteTo(to io.Writer) (int64, error) {
	return 0, png.Encode(to, indexed(c.Image().(*image.RGBA)))
}

// indexed reduces a picture to at most 256 colours: the 192 most frequent ones, and 64 frequent
// ones that differ clearly from all before. The others, at the edges of letters and lines, become
// the nearest of those. The file takes a third of the space and time of one with all colours.
func indexed(from *image.RGBA) *image.Paletted {
	const exact, apart = 192, 16 * 16 // a squared distance over the channels
	count := map[uint32]int{}
	eachRun(from, func(_, n int, c uint32) { count[c] += n })
	order := slices.SortedFunc(maps.Keys(count), func(a, b uint32) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a, b))
	})
	to := image.NewPaletted(from.Rect, nil)
	index := map[uint32]uint8{}
	var others []uint32
	for _, c := range order {
		n, full := len(to.Palette), unpacked(c)
		if n < 256 && (n < exact || distance(to.Palette[to.Palette.Index(full)], c) >= apart) {
			index[c] = uint8(n)
			to.Palette = append(to.Palette, full)
		} else {
			others = append(others, c)
		}
	}
	for _, c := range others {
		index[c] = uint8(to.Palette.Index(unpacked(c)))
	}
	eachRun(from, func(start, n int, c uint32) {
		if i := index[c]; i > 0 {
			for at := range to.Pix[start : start+n] {
				to.Pix[start+at] = i
			}
		}
	})
	return to
}

func distance(a color.Color, c uint32) (sum int) {
	x, y := a.(color.RGBA), unpacked(c)
	for _, d := range [3]int{int(x.R) - int(y.R), int(x.G) - int(y.G), int(x.B) - int(y.B)} {
		sum += d * d
	}
	return sum
}

// unpacked returns the colour of four bytes of a picture.
func unpacked(c uint32) color.RGBA {
	return color.RGBA{uint8(c >> 24), uint8(c >> 16), uint8(c >> 8), uint8(c)}
}

// eachRun calls f with every run of pixels of one colour, by their numbers row by row.
func eachRun(img *image.RGBA, f func(start, n int, c uint32)) {
	at := func(i int) uint32 { return binary.BigEndian.Uint32(img.Pix[4*i:]) }
	for start, all := 0, len(img.Pix)/4; start < all; {
		n, c := 1, at(start)
		for start+n < all && at(start+n) == c {
			n++
		}
		f(start, n, c)
		start += n
	}
}
