package monitor

import (
	"fmt"

	"clade/analysis/rating"
	"clade/engine"
)

// Window is the intransitivity of a league of consecutive champions.
type Window struct {
	First, Last int // generations of the window's oldest and newest champion
	Curl        *CurlTest
	Spread      Spread
}

// Intransitivity follows intransitivity over a run: it cuts the league of its champions, player i
// being that of generations[i], into windows of a number of consecutive ones, each a champion later
// than the one before, and measures cycles and the curl share with its null in each, at the given
// confidence over as many resamples of the boards as draws from the null. A league with fewer
// champions is one window.
func Intransitivity(generations []int, pairings []rating.Pairing, width int, confidence float64,
	draws int, seed engine.Seed) ([]Window, error) {
	if width < 3 {
		return nil, fmt.Errorf(
			"monitor: a window of %d champions has no triples; it needs 3 or more", width)
	}
	if len(generations) < 3 {
		return nil, nil
	}
	width = min(width, len(generations))
	var windows []Window
	for first := 0; first+width <= len(generations); first++ {
		var inside []rating.Pairing
		for _, p := range pairings {
			if p.A, p.B = p.A-first, p.B-first; p.A >= 0 && p.B >= 0 && p.A < width && p.B < width {
				inside = append(inside, p)
			}
		}
		curl, err := CurlSignificance(width, inside, draws, seed.Num(uint64(first)))
		if err != nil {
			return nil, err
		}
		spread, err := MeasureSpread(width, inside, confidence, draws,
			seed.Name("spread").Num(uint64(first)))
		if err != nil {
			return nil, err
		}
		windows = append(windows, Window{generations[first], generations[first+width-1], curl, spread})
	}
	return windows, nil
}
