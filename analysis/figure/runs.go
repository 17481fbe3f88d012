package figure

import (
	"fmt"
	"strings"

	"clade/analysis"
)

// confidence of all bands and intervals that this package asks for.
const confidence = 0.95

// pooled ends the captions of curves over the runs of groups.
const pooled = ", by generation: means over the runs of a group with 95 % bands; with one run, or " +
	"where all runs have the same share, the band is that of their games."

// Dynamics draws Figure 1 of the BrilliANT paper (Jaśkowski, Krawiec and Wieloch, RA-05/07) for any
// game: wins against a reference in percent, the marks of the game, and score a game, by
// generation, with 95 % bands over replicate runs. Marks are the names of engine.Info, and measures
// of the runs.
func Dynamics(runs []analysis.Run, marks []string, reference string) (*Figure, error) {
	measures := []analysis.Measure{analysis.Wins}
	for _, m := range marks {
		measures = append(measures, analysis.Mark(m))
	}
	measures = append(measures, analysis.Score)
	curves, err := poolAll(runs, measures...)
	if err != nil {
		return nil, err
	}
	panels := []CurvePanel{{Title: "Wins against " + reference, YLabel: "Games won (%)", Scale: 100,
		Layers: []CurveLayer{{Curves: curves[0]}}}}
	for i, mark := range marks {
		name := strings.ReplaceAll(mark, "-", " ")
		name = strings.ToUpper(name[:1]) + name[1:]
		panels = append(panels, CurvePanel{Title: name, YLabel: name + " a game",
			Layers: []CurveLayer{{Curves: curves[1+i]}}})
	}
	panels = append(panels, CurvePanel{Title: "Score", YLabel: "Score a game",
		Layers: []CurveLayer{{Curves: curves[len(curves)-1]}}})
	return Curves("dynamics", fmt.Sprintf("Wins against %s, what the game counts, and score%s",
		reference, pooled), panels...), nil
}

// Growth draws the size and the depth of the population's genomes by generation, with 95 % bands
// over replicate runs.
func Growth(runs []analysis.Run) (*Figure, error) {
	curves, err := poolAll(runs, analysis.TreeSize, analysis.TreeDepth)
	if err != nil {
		return nil, err
	}
	return Curves("growth", "Size and depth of genomes"+pooled,
		CurvePanel{Title: "Size", YLabel: "Nodes a genome",
			Layers: []CurveLayer{{Curves: curves[0]}}},
		CurvePanel{Title: "Depth", YLabel: "Depth of the deepest tree",
			Layers: []CurveLayer{{Curves: curves[1]}}},
	), nil
}

// Diversity draws genotypic and behavioural diversity by generation, with 95 % bands over replicate
// runs.
func Diversity(runs []analysis.Run) (*Figure, error) {
	curves, err := poolAll(runs, analysis.GenotypicDiversity, analysis.BehaviouralDiversity)
	if err != nil {
		return nil, err
	}
	return Curves("diversity", "Share of distinct genomes, and of distinct decisions in equal "+
		"situations"+pooled,
		CurvePanel{Title: "Genotypes", YLabel: "Diversity (%)", Scale: 100,
			Layers: []CurveLayer{{Curves: curves[0]}}},
		CurvePanel{Title: "Behaviour", YLabel: "Diversity (%)", Scale: 100,
			Layers: []CurveLayer{{Curves: curves[1]}}},
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
