package figure

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

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

// FillString implements vg.Canvas.
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
