package figure

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

const pointRadius vg.Length = 2.2 // of a labelled point

// placeLabels returns the start of the label of each point, inside a frame: the nearest place
// around its point where it covers no other label and no point, or where it covers least.
func placeLabels(frame vg.Rectangle, points []vg.Point, labels []string,
	style text.Style) []vg.Point {
	taken := make([]vg.Rectangle, 0, 2*len(points))
	for _, p := range points {
		around := vg.Point{X: pointRadius, Y: pointRadius}
		taken = append(taken, vg.Rectangle{Min: p.Sub(around), Max: p.Add(around)})
	}
	places := make([]vg.Point, len(points))
	for i, p := range points {
		size := style.Rectangle(labels[i]).Size()
		least := vg.Length(math.Inf(1))
		for distance := pointRadius + 2; distance < 90 && least > 0; distance *= 1.35 {
			for turn := range 16 {
				// to the right first, then left, up and down, then between
				angle := math.Pi / 8 * float64(turn*8%16+[]int{0, 0, 4, 4, 2, 2, 6, 6, 1, 1, 3, 3,
					5, 5, 7, 7}[turn])
				toX, toY := vg.Length(math.Cos(angle)), vg.Length(math.Sin(angle))
				at := p.Add(vg.Point{X: vg.Length(toX*(distance+size.X/2)) - size.X/2,
					Y: vg.Length(toY*(distance+size.Y/2)) - size.Y/2})
				at.X = max(frame.Min.X, min(at.X, frame.Max.X-size.X))
				at.Y = max(frame.Min.Y, min(at.Y, frame.Max.Y-size.Y))
				box := vg.Rectangle{Min: at, Max: at.Add(size)}
				covered := vg.Length(0)
				for _, other := range taken {
					covered += overlap(box, other)
				}
				if covered < least {
					least, places[i] = covered, at
				}
				if covered == 0 {
					break
				}
			}
		}
		taken = append(taken, vg.Rectangle{Min: places[i], Max: places[i].Add(size)})
	}
	return places
}

// overlap returns the area that two rectangles share.
func overlap(a, b vg.Rectangle) vg.Length {
	width := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	height := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	return vg.Length(max(width, 0) * max(height, 0))
}

// leader returns the line from a point to its label; nil if the label is beside it.
func leader(point vg.Point, label vg.Rectangle) []vg.Point {
	near := vg.Point{X: max(label.Min.X, min(point.X, label.Max.X)),
		Y: max(label.Min.Y, min(point.Y, label.Max.Y))}
	if d := near.Sub(point); math.Hypot(float64(d.X), float64(d.Y)) < 7 {
		return nil
	}
	return []vg.Point{point, near}
}
