package multiplexer

import (
	"fmt"
	"image"
	"math/bits"
	"strings"

	"clade/engine"
)

// scene is the answers so far, drawn with a row for each word and a column for each of its cases.
type scene struct {
	answers *table
	step    int // words answered
}

// show shows the answers word by word.
func show(answers *table, rec engine.Recorder) {
	s := &scene{answers: answers}
	rec.Step(s)
	for i, a := range answers {
		rec.Decide(0, a)
		s.step = i + 1
		rec.Step(s)
	}
}

func (s *scene) Step() int { return s.step }

func (s *scene) Scores(dst []float64) []float64 {
	right := 0
	for i := range s.step {
		right += bits.OnesCount64(^(s.answers[i] ^ wanted[i]))
	}
	return append(dst, float64(right))
}

// cellSize is the side of a case in pixels at scale 1.
const cellSize = 4

func (s *scene) Size(scale int) image.Point { return image.Pt(64, words).Mul(cellSize * scale) }

// Tile returns the side of a case.
func (s *scene) Tile(scale int) int { return cellSize * scale }

// Draw draws right answers, wrong ones and those still to come.
func (s *scene) Draw(img *image.Paletted, scale int) {
	img.Palette = engine.Palette()
	size := cellSize * scale
	for word := range words {
		for bit := range 64 {
			at := image.Pt(bit, word).Mul(size)
			engine.Fill(img, image.Rectangle{at, at.Add(image.Pt(size, size))}, s.ink(word, bit))
		}
	}
}

// Plan implements engine.Planned: a table is dense.
func (s *scene) Plan() *engine.Plan {
	return &engine.Plan{Columns: 64, Rows: words, Dense: true, Kinds: []engine.Kind{
		{Name: "right answer", Form: engine.Filled, Colour: engine.Goods},
		{Name: "wrong answer", Form: engine.Filled, Colour: engine.Hazard},
		{Name: "still to come", Form: engine.Filled, Colour: engine.Veil}}}
}

// Pieces implements engine.Planned.
func (s *scene) Pieces(dst []engine.Piece) []engine.Piece { return dst }

func (s *scene) ink(word, bit int) uint8 {
	switch {
	case word >= s.step:
		return engine.Veil
	case (s.answers[word]^wanted[word])>>bit&1 != 0:
		return engine.Hazard
	default:
		return engine.Goods
	}
}

// Text prints a line for each 64 cases: + for a right answer, - for a wrong one.
func (s *scene) Text() string {
	var t strings.Builder
	for word := range words {
		for bit := range 64 {
			switch s.ink(word, bit) {
			case engine.Goods:
				t.WriteByte('+')
			case engine.Hazard:
				t.WriteByte('-')
			default:
				t.WriteByte(' ')
			}
		}
		t.WriteByte('\n')
	}
	return t.String()
}

// Inspect says which case is under a pixel.
func (s *scene) Inspect(at image.Point, scale int) string {
	if !at.In(image.Rectangle{Max: s.Size(scale)}) {
		return "outside"
	}
	n := at.Y/(cellSize*scale)*64 + at.X/(cellSize*scale)
	return fmt.Sprintf("data %08b, address %d: the answer is %d", n>>addressBits, n&(dataBits-1),
		wanted[n/64]>>(n%64)&1)
}
