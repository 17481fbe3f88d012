package terminal

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
)

// Colours says in which colours a terminal can show something. What is written in them is read on
// any ground: each colour is a ground itself, with black or white letters.
type Colours int

// Kinds of colours.
const (
	NoColours Colours = iota // letters and reversed ones
	Indexed                  // those of 256 that no theme changes
	TrueColours
)

// ColoursOf tells by NO_COLOR, COLORTERM and TERM which colours a terminal has. One that does not
// say that it shows all of them gets those which every emulator knows, or turns into its own.
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

// letter returns what a terminal obeys to write letters of a colour from here on.
func (c Colours) letter(colour color.NRGBA) string { return c.sequence(38, colour) }

// ground is likewise for what stands behind letters; no colour is the terminal's own.
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

// table is what the 6 x 6 x 6 colours and 24 greys look like that all terminals with 256 colours
// have, from entry 16 on.
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

// nearest returns the entry of the table that looks most like a colour, from 16 on. One that is
// taken must look much more like it than the next.
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

// shown returns what a terminal is to show for the colours of a palette, as far as it can a colour
// for each, and best for those that come first. The ground's may look the same.
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

// apart is how far two colours are from each other. Hue and saturation count more than lightness:
// pale colours are told apart by them.
func apart(a, b color.NRGBA) int {
	r, g, l := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + l*l + 2*((r-g)*(r-g)+(g-l)*(g-l)+(l-r)*(l-r))
}

// Chip returns a text on a ground of a colour, in black or in white, whichever is read better: the
// ground of the terminal, which nobody knows, does not count.
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

// luminance is how bright a colour is, from 0 to 1, as in the guidelines of the web for contrast.
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
