package view

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"regexp"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// The style sheet's series have the colours of boards and figures in their order, as they are or
// darker for a line on white, and lighter on black. The order is the engine's, the colours those of
// the style sheet that the page serves.
func TestSeriesHaveTheColoursOfBoards(t *testing.T) {
	style := proof.Must(os.ReadFile("web/style.css"))(t)
	lines := regexp.MustCompile(`--series-(\d): light-dark\((#\w{6}), (#\w{6})\)`).
		FindAllStringSubmatch(string(style), -1)
	order := []int{0, 1, 2, 3, 4, 5, 7} // yellow is no colour for a line on white
	if len(lines) != len(order) {
		t.Fatalf("%d series, want %d", len(lines), len(order))
	}
	for i, line := range lines {
		want := hue(engine.Distinct[order[i]])
		for _, text := range line[2:] {
			c := color.RGBA{A: 255}
			proof.Must(fmt.Sscanf(text, "#%02x%02x%02x", &c.R, &c.G, &c.B))(t)
			if d := math.Abs(hue(c) - want); min(d, 360-d) > 12 {
				t.Errorf("--series-%s: %s has another hue than %v", line[1], text, engine.Distinct[order[i]])
			}
		}
	}
}

// hue returns the angle of a colour in the colour wheel, in degrees.
func hue(c color.RGBA) float64 {
	r, g, b := float64(c.R), float64(c.G), float64(c.B)
	angle := math.Atan2(math.Sqrt(3)*(g-b), 2*r-g-b) * 180 / math.Pi
	return math.Mod(angle+360, 360)
}
