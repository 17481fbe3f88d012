package figure

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas writes a drawing as PDF. Gonum's vgpdf does so too, but embeds whole faces, one of 200
// kB for a curve, in an encoding that lacks the minus sign, and dates its files. Here the library
// embeds the letters that occur.
//
// The transform is kept here and no scope of PDF is opened, because the library assumes that a font
// it has set stays set.
type pdfCanvas struct {
	doc           *fpdf.Fpdf
	width, height vg.Length
	pdfState
	stack []pdfState
	drawn pdfPen // as last written to the page
	faces []string
}

// pdfState is what Push saves.
type pdfState struct {
	pen    pdfPen
	colour color.NRGBA
	// a point x, y is at m[0]x + m[2]y + m[4], m[1]x + m[3]y + m[5], from the lower left
	m [6]float64
}

type pdfPen struct {
	width  vg.Length
	dashes []vg.Length
	offset vg.Length
}

// newPDFCanvas returns an empty canvas of one page.
func newPDFCanvas(width, height vg.Length) *pdfCanvas {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt",
		Size: fpdf.SizeType{Wd: width.Points(), Ht: height.Points()}})
	// so that equal figures are equal files
	doc.SetCatalogSort(true)
	doc.SetCreationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	doc.SetModificationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	doc.AddPage()
	c := &pdfCanvas{doc: doc, width: width, height: height}
	c.drawn.width = -1
	c.m = [6]float64{1, 0, 0, 1, 0, 0}
	vg.Initialize(c)
	return c
}

func (c *pdfCanvas) Size() (width, height vg.Length) { return c.width, c.height }
func (c *pdfCanvas) SetLineWidth(w vg.Length)        { c.pen.width = w }

func (c *pdfCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.pen.dashes, c.pen.offset = pattern, offset
}

func (c *pdfCanvas) SetColor(clr color.Color) {
	c.colour = color.NRGBA{A: 0xff}
	if clr != nil {
		c.colour = color.NRGBAModel.Convert(clr).(color.NRGBA)
	}
	r, g, b := int(c.colour.R), int(c.colour.G), int(c.colour.B)
	c.doc.SetFillColor(r, g, b)
	c.doc.SetDrawColor(r, g, b)
	c.doc.SetTextColor(r, g, b)
	c.doc.SetAlpha(float64(c.colour.A)/0xff, "Normal")
}

// transform puts another transform before the present one.
func (c *pdfCanvas) transform(t [6]float64) {
	m := c.m
	by := func(i, j int) float64 { return float64(m[i]*t[j]) + float64(m[i+2]*t[j+1]) }
	c.m = [6]float64{by(0, 0), by(1, 0), by(0, 2), by(1, 2), by(0, 4) + m[4], by(1, 4) + m[5]}
}

func (c *pdfCanvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	c.transform([6]float64{cos, sin, -sin, cos, 0, 0})
}

func (c *pdfCanvas) Translate(pt vg.Point) {
	c.transform([6]float64{1, 0, 0, 1, pt.X.Points(), pt.Y.Points()})
}

func (c *pdfCanvas) Scale(x, y float64) { c.transform([6]float64{x, 0, 0, y, 0, 0}) }
func (c *pdfCanvas) Push()              { c.stack = append(c.stack, c.pdfState) }

func (c *pdfCanvas) Pop() {
	c.pdfState = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	c.SetColor(c.colour)
}

// at returns the place of a point on the page, from the upper left, as the library wants it.
func (c *pdfCanvas) at(p vg.Point) (x, y float64) {
	px, py, m := p.X.Points(), p.Y.Points(), &c.m
	return float64(m[0]*px) + float64(m[2]*py) + m[4],
		c.height.Points() - (float64(m[1]*px) + float64(m[3]*py) + m[5])
}

func (c *pdfCanvas) Stroke(p vg.Path) {
	if c.pen.width <= 0 {
		return
	}
	if c.pen.width != c.drawn.width {
		c.doc.SetLineWidth(c.pen.width.Points())
	}
	if c.pen.offset != c.drawn.offset || !slices.Equal(c.pen.dashes, c.drawn.dashes) {
		dashes := make([]float64, len(c.pen.dashes))
		for i, d := range c.pen.dashes {
			dashes[i] = d.Points()
		}
		c.doc.SetDashPattern(dashes, c.pen.offset.Points())
	}
	c.drawn = c.pen
	c.path(p, "D")
}

func (c *pdfCanvas) Fill(p vg.Path) { c.path(p, "F") }

func (c *pdfCanvas) path(p vg.Path, use string) {
	open := false
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			c.doc.MoveTo(c.at(comp.Pos))
		case vg.LineComp:
			c.doc.LineTo(c.at(comp.Pos))
		case vg.ArcComp:
			c.arc(comp, open)
		case vg.CurveComp:
			x, y := c.at(comp.Pos)
			ax, ay := c.at(comp.Control[0])
			bx, by := c.at(comp.Control[len(comp.Control)-1])
			if len(comp.Control) == 1 {
				c.doc.CurveTo(ax, ay, x, y)
			} else {
				c.doc.CurveBezierCubicTo(ax, ay, bx, by, x, y)
			}
		case vg.CloseComp:
			c.doc.ClosePath()
		default:
			panic(fmt.Sprintf("figure: path component %d", comp.Type))
		}
		open = true
	}
	c.doc.DrawPath(use)
}

// arc draws an arc as cubic curves of a quarter of a circle or less, which lie within a thousandth
// of its radius.
func (c *pdfCanvas) arc(arc vg.PathComp, open bool) {
	on := func(angle, out float64) vg.Point { // out is how far along the tangent
		sin, cos := math.Sincos(angle)
		return arc.Pos.Add(vg.Point{X: vg.Length(arc.Radius * vg.Length(cos-float64(out*sin))),
			Y: vg.Length(arc.Radius * vg.Length(sin+float64(out*cos)))})
	}
	pieces := math.Max(1, math.Ceil(math.Abs(arc.Angle)/(math.Pi/2)))
	step := arc.Angle / pieces
	out := 4.0 / 3 * math.Tan(step/4)
	if open {
		c.doc.LineTo(c.at(on(arc.Start, 0)))
	} else {
		c.doc.MoveTo(c.at(on(arc.Start, 0)))
	}
	for i := range int(pieces) {
		from := arc.Start + float64(float64(i)*step)
		ax, ay := c.at(on(from, out))
		bx, by := c.at(on(from+step, -out))
		x, y := c.at(on(from+step, 0))
		c.doc.CurveBezierCubicTo(ax, ay, bx, by, x, y)
	}
}

func (c *pdfCanvas) FillString(f font.Face, at vg.Point, s string) {
	name := f.Name()
	if !slices.Contains(c.faces, name) {
		var face bytes.Buffer
		if _, err := f.Face.WriteSourceTo(nil, &face); err != nil {
			panic("figure: " + err.Error()) // of a face that is compiled in
		}
		c.doc.AddUTF8FontFromBytes(family(name), "", face.Bytes())
		c.faces = append(c.faces, name)
	}
	c.doc.SetFont(family(name), "", f.Font.Size.Points())
	s = strings.Map(func(r rune) rune { // the library has 65,536 numbers for letters
		if r > 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, s)
	x, y := c.at(at)
	if m := c.m; m[1] == 0 && m[0] == 1 {
		c.doc.Text(x, y, s)
		return
	}
	c.doc.TransformBegin()
	c.doc.Transform(fpdf.TransformMatrix{A: c.m[0], B: c.m[1], C: c.m[2], D: c.m[3], E: x,
		F: c.height.Points() - y})
	c.doc.Text(0, c.height.Points(), s)
	c.doc.TransformEnd()
}

// DrawImage implements vg.Canvas. No figure has images.
func (c *pdfCanvas) DrawImage(vg.Rectangle, image.Image) { panic("figure: an image in a figure") }

func (c *pdfCanvas) WriteTo(w io.Writer) (int64, error) {
	var page bytes.Buffer
	if err := c.doc.Output(&page); err != nil {
		return 0, err
	}
	n, err := w.Write(c.tagged(page.Bytes()))
	return int64(n), err
}

// family returns the name of a face for the library, which writes it in lower case after "utf8".
// That is as long as the standard's name of a subset.
func family(face string) string { return face + "tag" }

// tagged names the subsets of faces as the standard asks (ISO 32000, 9.9.2): with six letters that
// differ by file, so that a program that joins files does not take one for the whole face. The
// length of the file does not change, and so its cross-references stay valid.
func (c *pdfCanvas) tagged(page []byte) []byte {
	sum := sha256.Sum256(page)
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + sum[i]%26
	}
	for _, face := range c.faces {
		page = bytes.ReplaceAll(page, []byte("/utf8"+strings.ToLower(family(face))),
			[]byte("/"+string(tag)+"+"+face))
	}
	return page
}
