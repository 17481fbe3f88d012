package figure

import "clade/analysis"

// confidence of all bands and intervals that this package asks for.
const confidence = 0.95

// Dynamics draws Figure 1 of the BrilliANT paper (Jaśkowski, Krawiec and Wieloch, RA-05/07): wins
// against a reference in percent, deaths a game, and score a game, by generation, with 95 % bands
// over replicate runs. Where the runs tell early deaths from those right after eating, the second
// panel draws the two apart.
func Dynamics(runs []analysis.Run, reference string) (*Figure, error) {
	pooled, err := poolAll(runs, analysis.Wins, analysis.Deaths, analysis.EarlyDeaths,
		analysis.Sacrifices, analysis.Score)
	if err != nil {
		return nil, err
	}
	deaths := []CurveLayer{{Curves: pooled[1]}}
	if len(pooled[2]) > 0 && len(pooled[3]) > 0 {
		deaths = []CurveLayer{{Name: "early deaths", Curves: pooled[2]},
			{Name: "deaths right after eating", Curves: pooled[3]}}
	}
	return Curves("dynamics",
		CurvePanel{Title: "Wins against " + reference, YLabel: "Games won (%)", Scale: 100,
			Layers: []CurveLayer{{Curves: pooled[0]}}},
		CurvePanel{Title: "Deaths", YLabel: "Deaths a game", Layers: deaths},
		CurvePanel{Title: "Score", YLabel: "Score a game",
			Layers: []CurveLayer{{Curves: pooled[4]}}},
	), nil
}

// Growth draws the size and the depth of the population's genomes by generation, with 95 % bands
// over replicate runs.
func Growth(runs []analysis.Run) (*Figure, error) {
	pooled, err := poolAll(runs, analysis.TreeSize, analysis.TreeDepth)
	if err != nil {
		return nil, err
	}
	return Curves("growth",
		CurvePanel{Title: "Size", YLabel: "Nodes a genome",
			Layers: []CurveLayer{{Curves: pooled[0]}}},
		CurvePanel{Title: "Depth", YLabel: "Depth of the deepest tree",
			Layers: []CurveLayer{{Curves: pooled[1]}}},
	), nil
}

// Diversity draws genotypic and behavioural diversity by generation, with 95 % bands over replicate
// runs.
func Diversity(runs []analysis.Run) (*Figure, error) {
	pooled, err := poolAll(runs, analysis.GenotypicDiversity, analysis.BehaviouralDiversity)
	if err != nil {
		return nil, err
	}
	return Curves("diversity",
		CurvePanel{Title: "Genotypes", YLabel: "Diversity",
			Layers: []CurveLayer{{Curves: pooled[0]}}},
		CurvePanel{Title: "Behaviour", YLabel: "Diversity",
			Layers: []CurveLayer{{Curves: pooled[1]}}},
	), nil
}

func poolAll(runs []analysis.Run, measures ...analysis.Measure) ([][]analysis.Curve, error) {
	pooled := make([][]analysis.Curve, len(measures))
	for i, m := range measures {
		var err error
		if pooled[i], err = analysis.Pool(runs, m, confidence); err != nil {
			return nil, err
		}
	}
	return pooled, nil
}
