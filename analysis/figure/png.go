package figure

import (
	"cmp"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"slices"

	"gonum.org/v1/plot/vg/vgimg"
)

// pngWriter writes a canvas as PNG.
type pngWriter struct{ *vgimg.Canvas }

// WriteTo implements io.WriterTo.
func (w pngWriter) WriteTo(to io.Writer) (int64, error) {
	img := w.Image().(*image.RGBA)
	return 0, png.Encode(to, indexed(img))
}

// indexed reduces a picture to at most 256 colours: the 192 most frequent ones, and 64 frequent
// ones that differ clearly from all before. The others, at the edges of letters and lines, become
// the nearest of those. The file takes a third of the space and time of one with all colours.
func indexed(from *image.RGBA) *image.Paletted {
	const exact, apart = 192, 16 * 16 // a squared distance over the channels
	count := map[color.RGBA]int{}
	eachRun(from, func(_, n int, c color.RGBA) { count[c] += n })
	order := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(packed(a))-int(packed(b)))
	})
	to := image.NewPaletted(from.Rect, nil)
	index := map[color.RGBA]uint8{}
	var others []color.RGBA
	for _, c := range order {
		n := len(to.Palette)
		if n < 256 && (n < exact || distance(to.Palette[to.Palette.Index(c)], c) >= apart) {
			index[c] = uint8(n)
			to.Palette = append(to.Palette, c)
		} else {
			others = append(others, c)
		}
	}
	for _, c := range others {
		index[c] = uint8(to.Palette.Index(c))
	}
	eachRun(from, func(start, n int, c color.RGBA) {
		i := index[c]
		for at := range to.Pix[start : start+n] {
			to.Pix[start+at] = i
		}
	})
	return to
}

func distance(a, b color.Color) (sum int) {
	x, y := a.(color.RGBA), b.(color.RGBA)
	for _, d := range [3]int{int(x.R) - int(y.R), int(x.G) - int(y.G), int(x.B) - int(y.B)} {
		sum += d * d
	}
	return sum
}

func packed(c color.RGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}

// eachRun calls f with every run of pixels of one colour, by their numbers row by row.
func eachRun(img *image.RGBA, f func(start, n int, c color.RGBA)) {
	at := func(i int) color.RGBA {
		p := img.Pix[4*i : 4*i+4 : 4*i+4]
		return color.RGBA{p[0], p[1], p[2], p[3]}
	}
	for start, all := 0, len(img.Pix)/4; start < all; {
		n, c := 1, at(start)
		for start+n < all && at(start+n) == c {
			n++
		}
		f(start, n, c)
		start += n
	}
}
