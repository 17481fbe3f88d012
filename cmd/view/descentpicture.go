package view

import (
	"math"
	"net/http"
	"slices"
	"strconv"

	"clade/analysis"
	"clade/cmd/view/site"
)

// Bounds of a picture of descent, in pixels a side.
const maxPixels = 4096

// frame is the visible part of a layout, and its size in pixels.
type frame struct {
	from, to, low, high float64
	width, height       int
}

func (f frame) x(t float64) float64 { return (t - f.from) / (f.to - f.from) * float64(f.width) }
func (f frame) y(y float64) float64 { return (y - f.low) / (f.high - f.low) * float64(f.height) }

// far returns the distance, in pixels, of a place from the line between a taxon and its parent.
func (f frame) far(d *analysis.Descent, i int, x, y float64) float64 {
	toX, toY := f.x(d.Taxa[i].Origin), f.y(d.Y[i])
	fromX, fromY := toX, toY
	if p := d.Taxa[i].Parents; len(p) > 0 {
		fromX, fromY = f.x(d.Taxa[p[0]].Origin), f.y(d.Y[p[0]])
	}
	if d.Lives[i] {
		toX = f.x(d.End)
	}
	within := func(v, a, b float64) float64 { return v - max(min(a, b), min(v, max(a, b))) }
	return min(math.Hypot(x-fromX, within(y, fromY, toY)), math.Hypot(within(x, fromX, toX), y-toY))
}

// frameOf reads the frame of a link; by default it is the whole layout.
func frameOf(r *http.Request, d *analysis.Descent) (frame, error) {
	f := frame{from: d.Start, to: math.Max(d.End, d.Start+1), low: -1,
		high: math.Max(1, float64(d.Leaves))}
	var err error
	if f.width, err = site.Number(r, "width", 1000, 16, maxPixels); err != nil {
		return f, err
	}
	if f.height, err = site.Number(r, "height", 500, 16, maxPixels); err != nil {
		return f, err
	}
	for name, v := range map[string]*float64{"from": &f.from, "to": &f.to, "low": &f.low,
		"high": &f.high} {
		if text := r.FormValue(name); text != "" {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(n) || math.Abs(n) > 1e12 {
				return f, site.Refuse("%s %q is not a number", name, text)
			}
			*v = n
		}
	}
	if f.to-f.from < 1e-6 || f.high-f.low < 1e-6 {
		return f, site.Refuse("the part to be shown is empty: from %g to %g, rows %g to %g", f.from,
			f.to, f.low, f.high)
	}
	return f, nil
}

// descentNow is a picture of descent: every line of every individual, collapsed to the pixels that
// it covers, so that its size depends on the picture and not on the individuals.
type descentNow struct {
	Individuals int     `json:"individuals"`
	Leaves      int     `json:"leaves"`
	From        float64 `json:"from"`
	To          float64 `json:"to"`
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	Width       int     `json:"width"`
	Height      int     `json:"height"`
	// runs of pixels, three numbers each: the row, the first column, and how many; then the same of
	// columns: the column, the first row, and how many. First the extinct, then those that survive;
	// with a measure those of which it is unknown, then from the least to the most
	Across [][]int `json:"across"`
	Down   [][]int `json:"down"`
	// champions, in pixels, and which of the colours each has, of a measure that only they have
	Dots [][3]float64 `json:"dots,omitempty"`
	// what lines, and then champions, can be coloured by, and between which values By does so
	Measures [2][]string `json:"measures"`
	By       string      `json:"by,omitempty"`
	Least    float64     `json:"least"`
	Most     float64     `json:"most"`
	// the survivors' most recent common ancestor, in pixels; nil where it is not in the picture
	Ancestor *[2]float64 `json:"ancestor,omitempty"`
	// the last champion that is on record and its first parents, back to a founder, in pixels, and
	// which of the colours each has
	Champion [][3]float64 `json:"champion,omitempty"`
}

func (s *descents) showDescent(r *http.Request) (any, error) {
	done, err := s.Work(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	d, err := s.descent(r)
	if err != nil {
		return nil, err
	}
	f, err := frameOf(r, d.Descent)
	if err != nil {
		return nil, err
	}
	shade := survival(d.Descent)
	by := r.FormValue("by")
	chosen := slices.IndexFunc(d.measures, func(m measure) bool { return m.name == by })
	if chosen < 0 && by != "" {
		return nil, site.Refuse("individuals of this run do not differ in %q", by)
	}
	if chosen >= 0 && d.measures[chosen].ofChampions {
		shade = func(int) int { return 0 }
	} else if chosen >= 0 {
		shade = d.measures[chosen].shade
	}
	now := collapse(d.Descent, f, shade)
	for i, m := range d.measures {
		k := 0
		if m.ofChampions {
			k = 1
		}
		now.Measures[k] = append(now.Measures[k], m.name)
		if i != chosen {
			continue
		}
		now.By, now.Least, now.Most = by, m.least, m.most
		for i := range d.Taxa {
			if n := m.shade(i); m.ofChampions && n > 0 {
				now.Dots = append(now.Dots, [3]float64{f.x(d.Taxa[i].Origin), f.y(d.Y[i]), float64(n)})
			}
		}
	}
	for _, i := range d.champion {
		now.Champion = append(now.Champion, [3]float64{f.x(d.Taxa[i].Origin), f.y(d.Y[i]),
			float64(shade(i))})
	}
	return now, nil
}

// survival returns the shades that tell survivors from others.
func survival(d *analysis.Descent) func(taxon int) int {
	return func(i int) int {
		if d.Survives[i] {
			return 1
		}
		return 0
	}
}

// collapse draws a frame of a layout, with a shade for each taxon.
func collapse(d *analysis.Descent, f frame, shade func(taxon int) int) *descentNow {
	now := &descentNow{Individuals: len(d.Taxa), Leaves: d.Leaves, From: f.from, To: f.to,
		Low: f.low, High: f.high, Width: f.width, Height: f.height}
	var across, down [shades + 1]bitmap
	for i := range across {
		across[i], down[i] = newBitmap(f.height, f.width), newBitmap(f.width, f.height)
	}
	for i := range d.Taxa {
		t := &d.Taxa[i]
		kind := shade(i)
		y := f.y(d.Y[i])
		if len(t.Parents) > 0 {
			up := t.Parents[0]
			x := f.x(d.Taxa[up].Origin)
			down[kind].fill(x, f.y(d.Y[up]), y)
			across[kind].fill(y, x, f.x(t.Origin))
		} else {
			across[kind].fill(y, f.x(t.Origin), f.x(t.Origin))
		}
		if d.Lives[i] {
			across[kind].fill(y, f.x(t.Origin), f.x(d.End))
		}
	}
	for i := range across {
		now.Across = append(now.Across, across[i].runs(1))
		now.Down = append(now.Down, down[i].runs(2))
	}
	if m := d.MRCA; m >= 0 {
		at := [2]float64{f.x(d.Taxa[m].Origin), f.y(d.Y[m])}
		if at[0] >= 0 && at[0] <= float64(f.width) && at[1] >= 0 && at[1] <= float64(f.height) {
			now.Ancestor = &at
		}
	}
	return now
}

// bitmap is lines of pixels.
type bitmap struct {
	length int
	lines  [][]bool
}

func newBitmap(lines, length int) bitmap {
	b := bitmap{length, make([][]bool, lines)}
	for i := range b.lines {
		b.lines[i] = make([]bool, length)
	}
	return b
}

// fill sets the pixels between two places of a line, as far as they are in the picture.
func (b *bitmap) fill(line, from, to float64) {
	if !(line >= 0 && line < float64(len(b.lines))) {
		return
	}
	if from > to {
		from, to = to, from
	}
	if to < 0 || from >= float64(b.length) {
		return
	}
	row := b.lines[int(line)]
	for i := int(math.Max(0, from)); i <= int(math.Min(float64(b.length-1), to)); i++ {
		row[i] = true
	}
}

// runs lists the runs of pixels of at least some length.
func (b *bitmap) runs(least int) []int {
	all := []int{}
	for line, row := range b.lines {
		for i := 0; i < b.length; i++ {
			if !row[i] {
				continue
			}
			first := i
			for i < b.length && row[i] {
				i++
			}
			if i-first >= least {
				all = append(all, line, first, i-first)
			}
		}
	}
	return all
}
