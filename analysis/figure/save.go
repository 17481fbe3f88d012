package figure

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
