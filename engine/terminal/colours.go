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
	index, _ := nearest(colour)
	return fmt.Sprintf("\x1b[%d;5;%dm", layer, index)
}

// nearest returns the entry nearest to a colour of the 6 x 6 x 6 colours and 24 greys that all
// terminals with 256 colours have from entry 16 on, and what it looks like.
func nearest(c color.NRGBA) (index int, shown color.NRGBA) {
	steps := [6]int{0, 95, 135, 175, 215, 255}
	index = 16
	var parts [3]uint8
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		best := 0
		for k, step := range steps {
			if distance(int(v), step) < distance(int(v), steps[best]) {
				best = k
			}
		}
		parts[i] = uint8(steps[best])
		index += best * [3]int{36, 6, 1}[i]
	}
	shown = color.NRGBA{parts[0], parts[1], parts[2], 255}
	k := min(max((int(c.R)+int(c.G)+int(c.B)-3*8+15)/30, 0), 23)
	if grey := uint8(8 + 10*k); apart(c, color.NRGBA{grey, grey, grey, 255}) < apart(c, shown) {
		return 232 + k, color.NRGBA{grey, grey, grey, 255}
	}
	return index, shown
}

// apart is how far two colours are from each other.
func apart(a, b color.NRGBA) int {
	return distance(int(a.R), int(b.R)) + distance(int(a.G), int(b.G)) +
		distance(int(a.B), int(b.B))
}

func distance(a, b int) int { return (a - b) * (a - b) }

// Chip returns a text on a ground of a colour, in black or in white, whichever is read better: the
// ground of the terminal, which nobody knows, does not count.
func (c Colours) Chip(text string, on color.Color) string {
	if c == NoColours || text == "" {
		return text
	}
	back := color.NRGBAModel.Convert(on).(color.NRGBA)
	seen := back
	if c == Indexed {
		_, seen = nearest(back)
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
