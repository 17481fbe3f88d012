package figure

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// texMost is the greatest length in TeX, in points of 1/72 inch.
const texMost vg.Length = 16320

// The beginning and end of a TeX file. It needs only pgf and geometry, and a document that has
// loaded pgf can \input it unchanged.
const (
	texHead = `%% A figure. Compile it alone, or \input it into a document that loads pgf.
\ifdefined\pgfpicture\def\figureend{}\else\def\figureend{\end{document}}
\documentclass{article}
\usepackage[papersize={%[1]sbp,%[2]sbp},margin=0pt]{geometry}
\usepackage{pgf}
\IfFileExists{ot1uhv.fd}{\usepackage{helvet}}{}%% only with its fonts, which are packed with that file
\pagestyle{empty}\parindent=0pt
\begin{document}
\fi
\begin{pgfpicture}
\pgfpathrectangle{\pgfpointorigin}{\pgfpoint{%[1]sbp}{%[2]sbp}}
\pgfusepath{use as bounding box}
\sffamily
`
	texFoot = "\\end{pgfpicture}%\n\\figureend\n"
)

// texCanvas writes a drawing as commands of pgf. Gonum's vgtex does so too, but takes its points
// for TeX's, which are smaller, writes small numbers in a form that TeX cannot read, leaves
// outlines open, repeats all settings before every stroke, and needs the class standalone.
type texCanvas struct {
	bytes.Buffer
	width, height vg.Length
	texState
	stack []texState
}

// texState is what a scope of pgf restores: the pen that is wanted, and the one that was last
// written.
type texState struct{ wanted, written texPen }

type texPen struct {
	colour color.NRGBA
	width  vg.Length
	dashes string
}

// newTexCanvas returns an empty canvas.
func newTexCanvas(width, height vg.Length) *texCanvas {
	c := &texCanvas{width: width, height: height}
	c.written.width = -1 // the surrounding document's is not known
	vg.Initialize(c)
	return c
}

func (c *texCanvas) Size() (width, height vg.Length) { return c.width, c.height }
func (c *texCanvas) SetLineWidth(w vg.Length)        { c.wanted.width = w }

func (c *texCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	var b strings.Builder
	for _, d := range pattern {
		b.WriteString("{" + texNumber(float64(d)) + "bp}")
	}
	c.wanted.dashes = "{" + b.String() + "}{" + texNumber(float64(offset)) + "bp}"
}

func (c *texCanvas) SetColor(clr color.Color) {
	c.wanted.colour = color.NRGBA{A: 0xff}
	if clr != nil {
		c.wanted.colour = color.NRGBAModel.Convert(clr).(color.NRGBA)
	}
}

func (c *texCanvas) Rotate(rad float64) {
	fmt.Fprintf(c, "\\pgftransformrotate{%s}\n", texNumber(rad*180/math.Pi))
}

func (c *texCanvas) Translate(pt vg.Point) {
	fmt.Fprintf(c, "\\pgftransformshift{%s}\n", texPoint(pt))
}

func (c *texCanvas) Scale(x, y float64) {
	fmt.Fprintf(c, "\\pgftransformxscale{%s}\\pgftransformyscale{%s}\n", texNumber(x), texNumber(y))
}

func (c *texCanvas) Push() {
	c.WriteString("\\begin{pgfscope}\n")
	c.stack = append(c.stack, c.texState)
}

func (c *texCanvas) Pop() {
	c.WriteString("\\end{pgfscope}\n")
	c.texState = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

// colour writes the wanted colour if it has changed.
func (c *texCanvas) colour() {
	if w := c.wanted.colour; w != c.written.colour {
		alpha := texNumber(float64(w.A) / 0xff)
		fmt.Fprintf(c, "\\color[RGB]{%d,%d,%d}\\pgfsetstrokeopacity{%s}\\pgfsetfillopacity{%s}\n",
			w.R, w.G, w.B, alpha, alpha)
		c.written.colour = w
	}
}

func (c *texCanvas) Stroke(p vg.Path) {
	if c.wanted.width <= 0 {
		return
	}
	c.colour()
	if c.wanted.width != c.written.width {
		fmt.Fprintf(c, "\\pgfsetlinewidth{%sbp}\n", texNumber(float64(c.wanted.width)))
	}
	if c.wanted.dashes != c.written.dashes {
		fmt.Fprintf(c, "\\pgfsetdash%s\n", c.wanted.dashes)
	}
	c.written = c.wanted
	c.path(p, "stroke")
}

func (c *texCanvas) Fill(p vg.Path) {
	c.colour()
	c.path(p, "fill")
}

// texPiece is the number of points after which a stroked path is cut in two, because TeX's memory
// for a path is limited.
const texPiece = 2000

// path writes a path, to be stroked or filled.
func (c *texCanvas) path(p vg.Path, use string) {
	open := 0 // points since the path was last used
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			if use == "stroke" && open > texPiece {
				fmt.Fprintf(c, "\\pgfusepath{%s}\n", use)
				open = 0
			}
			fmt.Fprintf(c, "\\pgfpathmoveto{%s}", texPoint(comp.Pos))
		case vg.LineComp:
			fmt.Fprintf(c, "\\pgfpathlineto{%s}", texPoint(comp.Pos))
		case vg.ArcComp:
			start := vg.Point{X: comp.Pos.X + vg.Length(comp.Radius*vg.Length(math.Cos(comp.Start))),
				Y: comp.Pos.Y + vg.Length(comp.Radius*vg.Length(math.Sin(comp.Start)))}
			join := "lineto"
			if open == 0 {
				join = "moveto"
			}
			fmt.Fprintf(c, "\\pgfpath%s{%s}\\pgfpatharc{%s}{%s}{%sbp}", join, texPoint(start),
				texNumber(comp.Start*180/math.Pi), texNumber((comp.Start+comp.Angle)*180/math.Pi),
				texNumber(float64(comp.Radius)))
		case vg.CurveComp:
			a, b := comp.Control[0], comp.Control[len(comp.Control)-1]
			fmt.Fprintf(c, "\\pgfpathcurveto{%s}{%s}{%s}", texPoint(a), texPoint(b), texPoint(comp.Pos))
		case vg.CloseComp:
			c.WriteString("\\pgfpathclose")
		default:
			panic(fmt.Sprintf("figure: path component %d", comp.Type))
		}
		c.WriteByte('\n')
		open++
	}
	fmt.Fprintf(c, "\\pgfusepath{%s}\n", use)
}

// FillString implements vg.Canvas. Text is centred where it would be in the theme's face, so that
// another face of the document shifts it little.
func (c *texCanvas) FillString(f font.Face, at vg.Point, s string) {
	c.colour()
	size := texNumber(float64(f.Font.Size))
	at.X += f.Width(s) / 2
	fmt.Fprintf(c, "\\pgftext[base,at={%s}]{\\fontsize{%sbp}{%sbp}\\selectfont %s}\n", texPoint(at),
		size, size, TeXText(s))
}

// DrawImage implements vg.Canvas. No figure has images.
func (c *texCanvas) DrawImage(vg.Rectangle, image.Image) { panic("figure: an image in a figure") }

func (c *texCanvas) WriteTo(w io.Writer) (int64, error) {
	if c.width > texMost || c.height > texMost {
		return 0, fmt.Errorf("%.0f x %.0f points are more than TeX can hold; choose another format",
			c.width, c.height)
	}
	head := fmt.Sprintf(texHead, texNumber(float64(c.width)), texNumber(float64(c.height)))
	n, err := io.WriteString(w, head+c.String()+texFoot)
	return int64(n), err
}

// texNumber prints a number as TeX reads it, to a thousandth.
func texNumber(v float64) string {
	// + 0 turns -0 into 0
	return strconv.FormatFloat(math.Round(v*1000)/1000+0, 'f', -1, 64)
}

func texPoint(p vg.Point) string {
	return "\\pgfpoint{" + texNumber(float64(p.X)) + "bp}{" + texNumber(float64(p.Y)) + "bp}"
}

// texSigns are the signs that LaTeX writes otherwise, or sets in its letters for formulas.
var texSigns = func() map[rune]string {
	signs := map[rune]string{'\\': `\textbackslash{}`, '%': `\%`, '_': `\_`, '&': `\&`, '#': `\#`,
		'$': `\$`, '{': `\{`, '}': `\}`, '~': `\textasciitilde{}`, '\u00a0': `~`,
		'^': `\textasciicircum{}`, '<': `$<$`, '>': `$>$`, '|': `$|$`, '"': "''", '−': `$-$`,
		'≤': `$\le$`, '≥': `$\ge$`, '–': `--`, '×': `$\times$`, '≠': `$\ne$`, '≈': `$\approx$`,
		'→': `$\to$`, '∞': `$\infty$`, 'ε': `$\varepsilon$`, 'φ': `$\varphi$`}
	for _, word := range strings.Fields("αalpha βbeta γgamma δdelta ζzeta ηeta θtheta ιiota κkappa " +
		"λlambda μmu νnu ξxi πpi ρrho σsigma τtau υupsilon χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta " +
		"ΛLambda ΞXi ΠPi ΣSigma ΦPhi ΨPsi ΩOmega") {
		letter, size := utf8.DecodeRuneInString(word)
		signs[letter] = `$\` + word[size:] + `$`
	}
	return signs
}()

// TeXText escapes text for LaTeX, in any common encoding of its fonts. Letters that are no signs and
// stand neither in Windows-1252 nor in Unicode's Latin Extended-A, of which LaTeX's first encoding
// lacks some, become question marks.
func TeXText(s string) string {
	var b strings.Builder
	for _, r := range s {
		sign, ok := texSigns[r]
		_, western := charmap.Windows1252.EncodeRune(r)
		switch {
		case ok:
			b.WriteString(sign)
		case western, r >= 'Ā' && r <= 'ž' && !strings.ContainsRune("ĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲų", r):
			b.WriteRune(r)
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
