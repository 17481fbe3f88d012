package figure

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"clade/analysis"
	"clade/engine/system/durable"
	"clade/engine/system/parallel"
)

// Format is a file format of figures.
type Format string

// The formats.
const (
	PNG Format = "png" // 300 dots an inch, less beyond 16,000 pixels
	SVG Format = "svg" // letters are outlines, and the caption is the description
	PDF Format = "pdf" // the letters that occur are embedded
	TeX Format = "tex" // commands of pgf, to be compiled alone or taken in by \input
	// SVG whose texts are text elements, for editors of drawings. It needs Liberation Sans or Arial
	// to look the same. AllFormats does not have it.
	EditableSVG Format = "text.svg"
)

// AllFormats returns every format, in the order in which Save writes them.
func AllFormats() []Format { return []Format{PNG, SVG, PDF, TeX} }

// Figure is a picture with its data, ready to be saved.
type Figure struct {
	Name          string // of its files, without extension
	Caption       string // sentences: what it shows, and how to read it
	Width, Height vg.Length
	Draw          func(c draw.Canvas) // on white, inside the canvas' rectangle
	Data          *analysis.Table     // what is drawn; never nil
	fit           func(wanted vg.Length) (*Figure, error)
}

// fitting returns the figure that draw makes in its own width (wanted is 0), which must be no
// error, and that Fit can draw in other widths.
func fitting(draw func(wanted vg.Length) (*Figure, error)) *Figure {
	f, err := draw(0)
	if err != nil {
		panic("figure: " + err.Error())
	}
	f.fit = draw
	return f
}

// Fit returns the figure in another width with its text in the same size: names are shortened and
// numbers left out where there is no room. A drawn genome keeps its width.
func (f *Figure) Fit(width Width) (*Figure, error) {
	wanted, err := width.length()
	if err != nil {
		return nil, fmt.Errorf("the width of a figure %w", err)
	}
	if wanted == 0 || f.fit == nil {
		return f, nil
	}
	return f.fit(wanted)
}

// Save writes the figure in the given formats, by default all of AllFormats, and its data as CSV,
// into a directory that it makes if needed. Each file is written whole or not at all, and
// unfinished files of a killed process are removed. It returns the paths, that of the data last.
func (f *Figure) Save(dir string, formats ...Format) ([]string, error) {
	if len(formats) == 0 {
		formats = AllFormats()
	}
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = durable.Sweep(dir, time.Minute) // others may be writing here
	}
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	var paths []string
	write := func(extension string, data []byte) error {
		path := filepath.Join(dir, f.Name+"."+extension)
		if err := durable.WriteFile(path, data, 0o666); err != nil {
			return fmt.Errorf("figure: %w", err)
		}
		paths = append(paths, path)
		return nil
	}
	for _, format := range formats {
		data, err := f.Encode(format)
		if err != nil {
			return paths, err
		}
		if err := write(string(format), data); err != nil {
			return paths, err
		}
	}
	var data bytes.Buffer
	if err := f.Data.WriteCSV(&data); err != nil {
		return paths, err
	}
	return paths, write("csv", data.Bytes())
}

// SaveAll saves figures with their data, in parallel, and returns the paths.
func SaveAll(figures []*Figure, dir string, formats []Format) ([]string, error) {
	saved := make([][]string, len(figures))
	err := parallel.Each(context.Background(), len(figures), 0, func(_, i int) (err error) {
		saved[i], err = figures[i].Save(dir, formats...)
		return err
	})
	return slices.Concat(saved...), err
}

// Encode returns the figure as a file of the format.
func (f *Figure) Encode(format Format) ([]byte, error) {
	switch format {
	case PNG:
		c := newPNGCanvas(f.Width, f.Height, f.dpi())
		return f.render(c, c)
	case SVG, EditableSVG:
		c := &svgCanvas{Canvas: vgsvg.New(f.Width, f.Height)}
		data, err := f.render(c, c)
		if err != nil {
			return nil, err
		}
		return c.finish(data, f.Caption, format == EditableSVG), nil
	case PDF:
		c := newPDFCanvas(f.Width, f.Height)
		return f.render(c, c)
	case TeX:
		c := newTexCanvas(f.Width, f.Height)
		return f.render(c, c)
	default:
		return nil, fmt.Errorf("figure: no format %q; there are png, svg, pdf, tex", format)
	}
}

// dpi returns the resolution of the PNG: that of the theme, or less for a figure that would be too
// large for common viewers, such as a huge genome.
func (f *Figure) dpi() int {
	const most = 16000 // pixels a side
	return max(30, min(pngDPI, int(most*vg.Inch/max(f.Width, f.Height))))
}

// render draws on white and returns the file that the canvas writes.
func (f *Figure) render(c vg.CanvasSizer, out io.WriterTo) ([]byte, error) {
	canvas := draw.New(c)
	if _, white := c.(pngCanvas); !white {
		canvas.FillPolygon(paper, corners(canvas.Rectangle))
	}
	f.Draw(canvas)
	var b bytes.Buffer
	if _, err := out.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("figure: %s: %w", f.Name, err)
	}
	return b.Bytes(), nil
}

// corners returns the outline of a rectangle.
func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// svgCanvas replaces texts by outlines of their letters, so that the figure looks the same with any
// fonts of the viewer and no text leaves its box. Gonum would embed the whole face.
type svgCanvas struct {
	*vgsvg.Canvas
	texts []svgText
}

type svgText struct {
	face plotfont.Face
	at   vg.Point
	text string
}

func (c *svgCanvas) FillString(f plotfont.Face, at vg.Point, s string) {
	c.texts = append(c.texts, svgText{f, at, s})
	c.Canvas.FillString(f, at, s)
}

// svgWritten finds the texts in a file, in the order of their drawing, and their colour.
var svgWritten = regexp.MustCompile(`<text [^>]*>[^<]*</text>\n`)
var svgFill = regexp.MustCompile(`fill:(#[0-9A-Fa-f]{6})`)

// finish adds the caption as the file's description and, unless editable, replaces texts by
// outlines. Each letter is defined once and used wherever it occurs.
func (c *svgCanvas) finish(svg []byte, caption string, editable bool) []byte {
	desc := "<desc>" + html.EscapeString(caption) + "</desc>\n"
	if editable {
		svg = bytes.Replace(svg, []byte("<g "), []byte(desc+"<g "), 1)
		return bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans;"),
			[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"))
	}
	letters := map[sfnt.GlyphIndex]string{}
	n := 0
	body := svgWritten.ReplaceAllFunc(svg, func(element []byte) []byte {
		fill := ""
		if m := svgFill.FindSubmatch(element); m != nil {
			fill = fmt.Sprintf(" fill=\"%s\"", m[1])
		}
		n++
		return c.texts[n-1].outlined(fill, letters)
	})
	var head strings.Builder
	head.WriteString(desc + "<defs>\n")
	for _, letter := range slices.Sorted(maps.Keys(letters)) {
		fmt.Fprintf(&head, "<path id=\"letter%d\" d=\"%s\"/>\n", letter, letters[letter])
	}
	head.WriteString("</defs>\n<g ")
	return bytes.Replace(body, []byte("<g "), []byte(head.String()), 1)
}

// outlined returns a text as uses of letters, in the units of its face, and adds missing outlines
// to letters.
func (t svgText) outlined(fill string, letters map[sfnt.GlyphIndex]string) []byte {
	var b bytes.Buffer
	var buffer sfnt.Buffer
	face := t.face.Face
	em := fixed.Int26_6(face.UnitsPerEm()) // so that a unit of the face is one of fixed
	scale := t.face.Font.Size.Points() / float64(em)
	fmt.Fprintf(&b, "<g role=\"img\" aria-label=\"%s\"%s transform=\"translate(%.2f %.2f) "+
		"scale(%.6f %.6f)\">", html.EscapeString(t.text), fill, t.at.X.Points(), t.at.Y.Points(),
		scale, -scale)
	x, before := fixed.Int26_6(0), sfnt.GlyphIndex(0)
	for i, r := range t.text {
		letter, err := face.GlyphIndex(&buffer, r)
		if err != nil {
			panic("figure: " + err.Error()) // the face is compiled in
		}
		if i > 0 {
			if kern, err := face.Kern(&buffer, before, letter, em, font.HintingNone); err == nil {
				x += kern // most pairs have none, which is an error
			}
		}
		if _, ok := letters[letter]; !ok {
			letters[letter] = outline(face, &buffer, letter, em)
		}
		if letters[letter] != "" {
			fmt.Fprintf(&b, "<use xlink:href=\"#letter%d\" x=\"%d\"/>", letter, x)
		}
		advance, err := face.GlyphAdvance(&buffer, letter, em, font.HintingNone)
		if err != nil {
			panic("figure: " + err.Error())
		}
		x, before = x+advance, letter
	}
	b.WriteString("</g>\n")
	return b.Bytes()
}

// outline returns a letter's outline as the data of an SVG path.
func outline(face *sfnt.Font, buffer *sfnt.Buffer, letter sfnt.GlyphIndex,
	em fixed.Int26_6) string {
	segments, err := face.LoadGlyph(buffer, letter, em, nil)
	if err != nil {
		panic("figure: " + err.Error())
	}
	var b strings.Builder
	for _, s := range segments {
		b.WriteByte("MLQC"[s.Op])
		points := 1
		if s.Op > sfnt.SegmentOpLineTo {
			points = int(s.Op)
		}
		for i, p := range s.Args[:points] {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%d %d", p.X, p.Y)
		}
	}
	return b.String()
}

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

// FillString draws a box for a letter that the face lacks, as outlines have one, where gg draws
// nothing.
func (c pngCanvas) FillString(f plotfont.Face, at vg.Point, s string) {
	var buffer sfnt.Buffer
	c.Canvas.FillString(f, at, strings.Map(func(r rune) rune {
		if letter, err := f.Face.GlyphIndex(&buffer, r); err == nil && letter == 0 {
			return '□'
		}
		return r
	}, s))
}

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
