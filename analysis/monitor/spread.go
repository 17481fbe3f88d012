package monitor

import (
	"math"

	"clade/analysis/rating"
	"clade/analysis/stat"
	"clade/engine"
)

// Spread holds measures of a league's intransitivity with their sampling error: the cycles, and
// shares, 0..1, with intervals over resamples of the boards, from NaN to NaN where nothing varies
// from board to board.
type Spread struct {
	Counted Cycles // three-cycles that intervals support

	Cycles stat.Interval // of decided triples, no narrower than Wilson's; NaN where none is decided
	Curl   stat.Interval // of the results that no rating explains
	Disc   stat.Interval // of the results that the first plane of the disc embedding explains
}

// MeasureSpread measures how far cycles, curl and disc of a league depend on its boards.
func MeasureSpread(players int, pairings []rating.Pairing, confidence float64, resamples int,
	seed engine.Seed) (Spread, error) {
	all, err := rating.Spread(pairings, confidence, resamples, seed,
		func(pairings []rating.Pairing) ([]float64, error) {
			points, err := rating.Scores(players, pairings)
			if err != nil {
				return nil, err
			}
			discs, err := Embed(rating.Payoffs(points), 1)
			disc := math.NaN()
			if len(discs) > 0 {
				disc = discs[0].Share
			}
			return []float64{countCycles(players, pairings, confidence).share(),
				curlShare(players, pairings), disc}, err
		})
	if err != nil {
		return Spread{}, err
	}
	for i := range all {
		all[i] = all[i].Within(0, 1)
	}
	s := Spread{countCycles(players, pairings, confidence), all[0], all[1], all[2]}
	wide := stat.Wilson(float64(s.Counted.Cyclic), float64(s.Counted.Decided), confidence)
	if math.IsNaN(s.Cycles.Low) && s.Counted.Decided > 0 {
		s.Cycles = wide
	}
	s.Cycles.Low, s.Cycles.High = min(s.Cycles.Low, wide.Low), max(s.Cycles.High, wide.High)
	return s, nil
}
