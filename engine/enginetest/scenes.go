package enginetest

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/bits"
	"slices"
	"strings"

	"clade/engine"
)

// examiner is a Recorder that checks scenes in every way: the first, second, fourth and so on,
// because drawing is slow.
type examiner struct {
	seats   int
	seen    int
	last    int           // step of the previous scene
	events  []string      // of a Chronicler
	counts  [][]int       // of its events, by seat, in the previous scene
	palette color.Palette // of the first picture
	layers  []*examiner   // of a Layered scene
	layer   bool          // it examines a layer
	err     error
}

func (w *examiner) Decide(seat int, _ uint64) {
	if seat < 0 || seat >= w.seats {
		w.fault("seat %d of %d decides", seat, w.seats)
	}
}

func (w *examiner) Step(scene engine.Scene) {
	if step := scene.Step(); step < w.last {
		w.fault("step %d comes after step %d", step, w.last)
	} else {
		w.last = step
	}
	w.seen++
	if w.seen&(w.seen-1) == 0 && w.err == nil {
		w.look(scene)
	}
}

// place checks that pieces of the plan's kinds stand on its board.
func (w *examiner) place(plan *engine.Plan, pieces []engine.Piece) {
	for _, p := range pieces {
		if int(p.Kind) >= len(plan.Kinds) || int(p.Seat) >= w.seats || p.Facing > 7 || p.X < 0 ||
			p.Y < 0 || int(p.X) >= plan.Columns || int(p.Y) >= plan.Rows {
			w.fault("scene %d: %+v is no piece on a board of %d x %d with %d kinds and %d seats",
				w.seen, p, plan.Columns, plan.Rows, len(plan.Kinds), w.seats)
		}
	}
}

func (w *examiner) fault(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// look checks the scores, the picture at two scales, its squares, the text, the file and the texts
// about cells.
func (w *examiner) look(scene engine.Scene) {
	scores := scene.Scores([]float64{-1})
	if len(scores) != w.seats+1 || scores[0] != -1 {
		w.fault("scene %d: Scores appended %v for %d seats, not one score for each (those of an "+
			"engine.Board are its Points)", w.seen, scores[1:], w.seats)
	}
	for _, v := range scores {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			w.fault("scene %d: score %v", w.seen, v)
		}
	}
	few := bits.TrailingZeros(uint(w.seen))%4 == 0 // scenes 1, 16, 256, ...
	scales := []int{1, 3}
	if !few || w.layer && w.seen > 1 {
		scales = scales[:1] // the other has nine times the pixels
	}
	for _, scale := range scales {
		if err := w.draw(scene, scale); err != nil {
			w.fault("scene %d at scale %d: %w", w.seen, scale, err)
		}
	}
	if s, ok := scene.(engine.Speaker); ok {
		if text := s.Text(); text == "" || strings.ContainsAny(text, "\x1b\r") {
			w.fault("scene %d: its text is empty or has escape sequences: %q", w.seen, text)
		}
	}
	if s, ok := scene.(engine.Tiled); ok {
		if side, size := s.Tile(3), scene.Size(3); side < 0 || side > max(size.X, size.Y) {
			w.fault("scene %d: squares of %d pixels a side in a picture of %v", w.seen, side, size)
		}
	}
	if p, ok := scene.(engine.Planned); ok {
		if plan := p.Plan(); plan != nil {
			w.place(plan, p.Pieces(nil))
		}
	}
	if s, ok := scene.(engine.Exporter); ok {
		if text, extension := s.Export(); len(text) == 0 || len(extension) < 2 || extension[0] != '.' {
			w.fault("scene %d: exported are %d bytes with the extension %q", w.seen, len(text), extension)
		}
	}
	if s, ok := scene.(engine.Inspector); ok {
		size := scene.Size(3)
		for _, at := range []image.Point{{}, {-1, -1}, {1, 1}, size.Div(2),
			size.Sub(image.Pt(1, 1)), size, size.Mul(100)} {
			s.Inspect(at, 3)
		}
	}
	if s, ok := scene.(engine.Chronicler); ok {
		w.count(s)
	}
	if s, ok := scene.(engine.Layered); ok && few && !w.layer {
		w.lookInto(s)
	}
	if s, ok := scene.(engine.Tracker); ok {
		for number := range 64 {
			at, here := s.Whereabouts(number, 3)
			if found, any := s.Creature(at, 3); here && (!any || found != number) {
				w.fault("scene %d: creature %d is at %v, where %d is found (%v)", w.seen, number,
					at, found, any)
			}
		}
	}
}

// count checks that a game names the same events in all scenes, and that no count falls.
func (w *examiner) count(scene engine.Chronicler) {
	names := scene.Events()
	if w.counts == nil {
		w.events, w.counts = slices.Clone(names), make([][]int, w.seats)
	}
	if !slices.Equal(names, w.events) || slices.Contains(names, "") {
		w.fault("scene %d counts the events %q, the first %q", w.seen, names, w.events)
	}
	for seat, before := range w.counts {
		counts := scene.Happened([]int{-1}, seat)
		if len(counts) != 1+len(names) || counts[0] != -1 {
			w.fault("scene %d: Happened appended %v for %d events", w.seen, counts[1:], len(names))
			return
		}
		for i, n := range counts[1:] {
			if n < 0 || before != nil && n < before[i] {
				w.fault("scene %d: seat %d has %d times %q", w.seen, seat, n, names[i])
			}
		}
		w.counts[seat] = counts[1:]
	}
}

// lookInto checks the layers of a scene.
func (w *examiner) lookInto(scene engine.Layered) {
	names := scene.Layers()
	if w.layers == nil {
		for range names {
			w.layers = append(w.layers, &examiner{seats: w.seats, layer: true})
		}
	}
	if len(names) == 0 || len(names) != len(w.layers) {
		w.fault("scene %d has %d layers, the first has %d", w.seen, len(names), len(w.layers))
		return
	}
	for i, layer := range w.layers {
		layer.seen = w.seen
		if layer.look(scene.Layer(i)); layer.err != nil || names[i] == "" {
			w.fault("layer %q: %w", names[i], layer.err)
		}
	}
}

// draw draws a scene. It returns an error unless each pixel of the picture, and none outside it,
// was set to a colour of the game's one palette.
func (w *examiner) draw(scene engine.Scene, scale int) error {
	const blank = 255
	size := scene.Size(scale)
	if size.X < 1 || size.Y < 1 || size.X > 1<<14 || size.Y > 1<<14 {
		return fmt.Errorf("the picture has %d x %d pixels", size.X, size.Y)
	}
	img := image.NewPaletted(image.Rectangle{Max: size}, nil)
	for i := range img.Pix {
		img.Pix[i] = blank
	}
	scene.Draw(img, scale)
	if img.Rect != (image.Rectangle{Max: size}) || len(img.Pix) != size.X*size.Y {
		return errors.New("drawing changed the size of the picture")
	}
	if len(img.Palette) == 0 || len(img.Palette) > blank {
		return fmt.Errorf("Draw set no palette, or one of more than %d colours", blank)
	}
	if w.palette == nil {
		w.palette = img.Palette
	}
	if !slices.Equal(w.palette, img.Palette) {
		return errors.New("Draw set another palette than in the scene before")
	}
	for i, c := range img.Pix {
		if int(c) >= len(img.Palette) {
			return fmt.Errorf("pixel %d, %d has colour %d of %d (%d where nothing is drawn)",
				i%size.X, i/size.X, c, len(img.Palette), blank)
		}
	}
	return nil
}

func checkRecorder(s *subject) error {
	return s.each(func(c cast, seed uint64) error {
		bare := s.game.Play(c.players, seed, nil)
		var tape engine.Tape
		if err := same("alone and recorded", bare, s.game.Play(c.players, seed, &tape)); err != nil {
			return err
		}
		w := examiner{seats: len(c.players)}
		drawn := s.game.Play(c.players, seed, &w)
		if w.err != nil {
			return w.err
		}
		return same("alone and drawn", bare, drawn)
	})
}
