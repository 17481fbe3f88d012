package figure

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"clade/analysis"
	"clade/engine/durable"
	"clade/engine/parallel"
)

// Format is a file format of figures.
type Format string

// The formats.
const (
	PNG Format = "png" // 300 dots an inch, less beyond 16,000 pixels
	SVG Format = "svg" // text stays text, and the caption is the description
	PDF Format = "pdf" // fonts embedded
	TeX Format = "tex" // commands of pgf, to be compiled alone or taken in by \input
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
}

// Save writes the figure in the given formats, all of them if none is given, and its data as CSV,
// into a directory that it makes if need be. Each file is written whole or not at all, and what a
// process that was killed had begun goes. It returns the paths, the data's last.
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

// SaveAll saves figures with their data, side by side, and returns the paths.
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
		c := vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(f.dpi()))
		return f.render(c, vgimg.PngCanvas{Canvas: c})
	case SVG:
		c := &svgCanvas{Canvas: vgsvg.New(f.Width, f.Height)}
		data, err := f.render(c, c)
		description := "<desc>" + html.EscapeString(f.Caption) + "</desc>\n<g "
		return bytes.Replace(c.fit(data), []byte("<g "), []byte(description), 1), err
	case PDF:
		repeatable()
		c := vgpdf.New(f.Width, f.Height)
		return f.render(pdfCanvas{c}, c)
	case TeX:
		c := newTexCanvas(f.Width, f.Height)
		return f.render(c, c)
	default:
		return nil, fmt.Errorf("figure: no format %q; there are png, svg, pdf, tex", format)
	}
}

// dpi returns the resolution of the PNG: that of the theme, or less for a picture that would be too
// large for common viewers, as that of a huge genome.
func (f *Figure) dpi() int {
	const most = 16000 // pixels a side
	return max(30, min(pngDPI, int(most*vg.Inch/max(f.Width, f.Height))))
}

// render draws on white and returns what the canvas writes.
func (f *Figure) render(c vg.CanvasSizer, out io.WriterTo) ([]byte, error) {
	canvas := draw.New(c)
	canvas.FillPolygon(paper, corners(canvas.Rectangle))
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

// repeatable makes the PDF library leave out the time of day and write its fonts in fixed order, so
// that equal figures are equal files. vgpdf hides its document, therefore this goes through the
// library's defaults; all users of them in this process want the same.
var repeatable = sync.OnceFunc(func() {
	fpdf.SetDefaultCatalogSort(true)
	fpdf.SetDefaultCreationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	fpdf.SetDefaultModificationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
})

// svgCanvas notes how wide texts are in the theme's face, so that they keep their width where a
// viewer has another one only.
type svgCanvas struct {
	*vgsvg.Canvas
	widths []vg.Length
}

// FillString implements vg.Canvas.
func (c *svgCanvas) FillString(f font.Face, at vg.Point, s string) {
	c.widths = append(c.widths, f.Width(s))
	c.Canvas.FillString(f, at, s)
}

// fit writes the widths into the texts of a file, which are in the order of their drawing, and
// names faces that look like the theme's.
func (c *svgCanvas) fit(svg []byte) []byte {
	const start = "<text "
	var fitted bytes.Buffer
	for _, width := range c.widths {
		at := bytes.Index(svg, []byte(start))
		if at < 0 {
			break
		}
		at += len(start)
		fitted.Write(svg[:at])
		if svg = svg[at:]; width > 0 {
			fmt.Fprintf(&fitted, "textLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\" ",
				width.Points())
		}
	}
	fitted.Write(svg)
	return bytes.ReplaceAll(fitted.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;"))
}

// pdfCanvas gets round two faults of vgpdf: it writes UTF-8 where its fonts are encoded in
// Windows-1252, and multiplies a translucent colour by its alpha twice. Characters outside the
// encoding become question marks.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString implements vg.Canvas.
func (c pdfCanvas) FillString(f font.Face, at vg.Point, s string) {
	s = strings.NewReplacer("−", "–", "≤", "<=").Replace(s)
	if t, err := encoding.ReplaceUnsupported(charmap.Windows1252.NewEncoder()).String(
		s); err == nil {
		s = strings.ReplaceAll(t, "\x1a", "?")
	}
	c.Canvas.FillString(f, at, s)
}

// SetColor implements vg.Canvas.
func (c pdfCanvas) SetColor(clr color.Color) { c.Canvas.SetColor(unmultiply(clr)) }

// unmultiplied is a colour whose RGBA method breaks that method's contract in the way vgpdf
// expects: alpha stands apart.
type unmultiplied struct{ color.NRGBA }

func unmultiply(c color.Color) unmultiplied {
	if c == nil {
		c = color.Black
	}
	return unmultiplied{color.NRGBAModel.Convert(c).(color.NRGBA)}
}

// RGBA implements color.Color.
func (u unmultiplied) RGBA() (r, g, b, a uint32) {
	return 0x101 * uint32(u.R), 0x101 * uint32(u.G), 0x101 * uint32(u.B), 0x101 * uint32(u.A)
}
