package monitor

import (
	"errors"
	"fmt"

	"clade/analysis/stat"
)

// Dominance plays a dominance tournament (Stanley and Miikkulainen, 2002, "The dominance tournament
// method of monitoring progress in coevolution"): the first champion is dominant; a later one is
// when it beats every dominant one before it. It returns the generations of the dominant champions.
// Their number measures progress, and cycles do not increase it. The newest dominant champion is
// played first, because it is the likeliest to win.
func Dominance(generations []int, beats func(a, b int) (bool, error)) ([]int, error) {
	var dominant []int
	for _, g := range generations {
		beaten := true
		for i := len(dominant) - 1; i >= 0 && beaten; i-- {
			var err error
			if beaten, err = beats(g, dominant[i]); err != nil {
				return nil, fmt.Errorf("monitor: generation %d against %d: %w", g, dominant[i], err)
			}
		}
		if beaten {
			dominant = append(dominant, g)
		}
	}
	return dominant, nil
}

// Sequential returns a beats for Dominance that plays boards in batches until the test decides; H1
// is a win. Play returns the points of a against b on further boards, the first of them with the
// given number. After limit boards an undecided match is not a win.
func Sequential(test stat.SPRT, batch, limit int,
	play func(a, b, first, boards int) (stat.Pentanomial, error)) (func(a, b int) (bool, error),
	error) {
	if err := test.Check(); err != nil {
		return nil, fmt.Errorf("monitor: %w", err)
	}
	if batch < 1 || limit < batch {
		return nil, errors.New("monitor: a sequential match needs a batch of one board or more, " +
			"and a limit of one batch or more")
	}
	return func(a, b int) (bool, error) {
		var sum stat.Pentanomial
		for first := 0; first < limit; first += batch {
			pairs, err := play(a, b, first, min(batch, limit-first))
			if err != nil {
				return false, err
			}
			for i, c := range pairs {
				sum[i] += c
			}
			if v := test.Decide(test.LLR(sum)); v != stat.GoOn {
				return v == stat.H1, nil
			}
		}
		return false, nil
	}, nil
}
