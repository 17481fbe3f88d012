package terminal

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
)

// Colours is the set of colours that a terminal can show. Coloured text is legible on any
// background, since each colour is the background of black or white letters.
type Colours int

// Kinds of colours.
const (
	NoColours Colours = iota // letters and reversed letters only
	Indexed                  // the 240 of 256 that no theme changes
	TrueColours
)

// ColoursOf finds the colours of a terminal from NO_COLOR, COLORTERM and TERM. A terminal that does
// not announce true colour gets the indexed ones, which every emulator shows or maps to its own.
func ColoursOf(env func(string) string) Colours {
	term := env("TERM")
	switch {
	case env("NO_COLOR") != "", term == "dumb", strings.HasPrefix(term, "vt"),
		strings.HasSuffix(term, "-m"), strings.HasSuffix(term, "-mono"):
		return NoColours
	case term == "", slices.Contains([]string{"truecolor", "24bit"}, env("COLORTERM")),
		strings.HasSuffix(term, "-direct"):
		return TrueColours
	}
	return Indexed
}

// letter returns the escape sequence for letters of a colour.
func (c Colours) letter(colour color.NRGBA) string { return c.sequence(38, colour) }

// ground returns the escape sequence for a background; the zero colour is the terminal's own.
func (c Colours) ground(colour color.NRGBA) string {
	if colour.A == 0 {
		return "\x1b[49m"
	}
	return c.sequence(48, colour)
}

func (c Colours) sequence(layer int, colour color.NRGBA) string {
	if c == TrueColours {
		return fmt.Sprintf("\x1b[%d;2;%d;%d;%dm", layer, colour.R, colour.G, colour.B)
	}
	return fmt.Sprintf("\x1b[%d;5;%dm", layer, nearest(colour, nil))
}

// table holds the 6 x 6 x 6 colours and 24 greys that all terminals with 256 colours have, from
// entry 16 on.
var table = func() (t [240]color.NRGBA) {
	steps := [6]uint8{0, 95, 135, 175, 215, 255}
	for i := range 216 {
		t[i] = color.NRGBA{steps[i/36], steps[i/6%6], steps[i%6], 255}
	}
	for i := range 24 {
		grey := uint8(8 + 10*i)
		t[216+i] = color.NRGBA{grey, grey, grey, 255}
	}
	return t
}()

// nearest returns the entry, from 16 on, that looks most like a colour. An entry that is taken is
// used again only if it is much nearer than the next.
func nearest(c color.NRGBA, taken map[int]bool) int {
	const much = 4000
	best, least := 0, math.MaxInt
	for i, other := range table {
		n := apart(c, other)
		if taken[16+i] {
			n += much
		}
		if n < least {
			best, least = i, n
		}
	}
	return 16 + best
}

// shown returns the colour that a terminal shows for each entry of a palette. Entries get different
// colours as far as possible, those in first before others; entries of the ground may look the
// same.
func (c Colours) shown(palette color.Palette, first []uint8, ground func(entry int) bool) (
	colours []color.NRGBA) {
	for _, other := range palette {
		colours = append(colours, color.NRGBAModel.Convert(other).(color.NRGBA))
	}
	if c != Indexed {
		return colours
	}
	entries := make([]int, 0, len(first)+len(palette))
	for _, entry := range first {
		entries = append(entries, int(entry))
	}
	for entry := range palette {
		entries = append(entries, entry)
	}
	taken, done := map[int]bool{}, map[color.NRGBA]int{}
	for _, entry := range entries {
		one := colours[entry]
		if _, known := done[one]; known {
			continue
		}
		done[one] = nearest(one, taken)
		taken[done[one]] = !ground(entry)
	}
	for i, one := range colours {
		colours[i] = table[done[one]-16]
	}
	return colours
}

// apart returns the distance of two colours. Hue and saturation count more than lightness, because
// they are what distinguishes pale colours.
func apart(a, b color.NRGBA) int {
	r, g, l := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + l*l + 2*((r-g)*(r-g)+(g-l)*(g-l)+(l-r)*(l-r))
}

// Chip returns a text on a background of the given colour, in black or white, whichever has more
// contrast. It is legible whatever the terminal's own background is.
func (c Colours) Chip(text string, on color.Color) string {
	if c == NoColours || text == "" {
		return text
	}
	back := color.NRGBAModel.Convert(on).(color.NRGBA)
	seen := back
	if c == Indexed {
		seen = table[nearest(back, nil)-16]
	}
	front := color.NRGBA{A: 255}
	if luminance(seen) < 0.179 { // where both have the same contrast, 4.58
		front = color.NRGBA{255, 255, 255, 255}
	}
	return c.letter(front) + c.ground(back) + text + "\x1b[0m"
}

// luminance returns the relative luminance of a colour, from 0 to 1, as the Web Content
// Accessibility Guidelines define it.
func luminance(c color.NRGBA) float64 {
	sum := 0.0
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		part := float64(v) / 255 / 12.92
		if v > 10 {
			part = math.Pow((float64(v)/255+0.055)/1.055, 2.4)
		}
		sum += part * [3]float64{0.2126, 0.7152, 0.0722}[i]
	}
	return sum
}
