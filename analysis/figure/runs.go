package figure

import (
	"cmp"
	"slices"
	"strings"

	"clade/analysis"
	"clade/analysis/monitor"
	"clade/analysis/stat"
	"clade/engine"
)

// confidence of all bands and intervals in figures.
const confidence = 0.95

// pooled returns the end of the captions of curves over the runs of groups.
func pooled(runs []analysis.Run) string {
	by := "generation"
	if slices.ContainsFunc(runs, func(r analysis.Run) bool { return r.Games != nil }) {
		by = "games of selection"
	}
	return ", by " + by + ": means over the runs of a group with 95 % bands; with one run, or where " +
		"all runs have the same share, the band is that of their games."
}

// Dynamics draws Figure 1 of the BrilliANT paper (Jaśkowski, Krawiec and Wieloch, RA-05/07) for any
// game: wins against a reference in percent, the marks of the game, and score a game, by
// generation, with 95 % bands over replicate runs. Marks are the names of engine.Info, which are
// also measures of the runs. Like Growth and Diversity it returns nil if the look chooses none of
// its panels.
func Dynamics(runs []analysis.Run, marks []string, reference string, look *Look) (*Figure, error) {
	sums := look.sums()
	runs, percent := withSums(runs, sums)
	marks = slices.Concat(marks, sums)
	measures := []analysis.Measure{analysis.Wins}
	for _, m := range marks {
		measures = append(measures, analysis.Mark(m))
	}
	measures = append(measures, analysis.Score)
	curves, err := poolAll(runs, measures...)
	if err != nil {
		return nil, err
	}
	panels := []CurvePanel{{Name: "wins", Title: "Wins against " + reference,
		YLabel: "Games won (%)", Scale: 100, Layers: []CurveLayer{{Curves: curves[0]}}}}
	for i, mark := range marks {
		name := strings.NewReplacer("-", " ", "+", " + ").Replace(mark)
		name = cmp.Or(look.Labels[mark], strings.ToUpper(name[:1])+name[1:])
		p := CurvePanel{Name: mark, Title: name, YLabel: name + " a game",
			Layers: []CurveLayer{{Curves: curves[1+i]}}}
		if slices.Contains(percent, mark) {
			p.YLabel, p.Scale = p.YLabel+" (%)", 100
		}
		panels = append(panels, p)
	}
	panels = append(panels, CurvePanel{Name: "score", Title: "Score", YLabel: "Score a game",
		Layers: []CurveLayer{{Curves: curves[len(curves)-1]}}})
	return look.curves("dynamics", "Wins against "+reference+", what the game counts, and score",
		pooled(runs), panels)
}

// withSums adds sums of marks to the measures of runs, and returns those of them that are sums of
// shares.
func withSums(runs []analysis.Run, sums []string) (all []analysis.Run, percent []string) {
	if len(sums) == 0 {
		return runs, nil
	}
	all = slices.Clone(runs)
	for _, sum := range sums {
		shares := true
		for i := range all {
			total := analysis.Series{Measure: analysis.Mark(sum), Bounds: engine.Counts()}
			for name := range strings.SplitSeq(sum, "+") {
				part := all[i].Find(analysis.Mark(name))
				if part == nil {
					continue
				}
				shares = shares && part.Bounds.Most == 1
				if total.Generation == nil {
					total.Generation = part.Generation
					total.Value = make([]float64, len(part.Value))
				}
				for k, v := range part.Value {
					total.Value[k] += v
				}
			}
			all[i].Series = append(slices.Clone(all[i].Series), total)
		}
		if shares {
			percent = append(percent, sum)
		}
	}
	return all, percent
}

// Growth draws the size and the depth of the population's genomes by generation, with 95 % bands
// over replicate runs.
func Growth(runs []analysis.Run, look *Look) (*Figure, error) {
	curves, err := poolAll(runs, analysis.TreeSize, analysis.TreeDepth)
	if err != nil {
		return nil, err
	}
	return look.curves("growth", "Size and depth of genomes", pooled(runs), []CurvePanel{
		{Name: "size", Title: "Size", YLabel: "Nodes a genome",
			Layers: []CurveLayer{{Curves: curves[0]}}},
		{Name: "depth", Title: "Depth", YLabel: "Depth of the deepest tree",
			Layers: []CurveLayer{{Curves: curves[1]}}}})
}

// Diversity draws genotypic and behavioural diversity by generation, with 95 % bands over replicate
// runs.
func Diversity(runs []analysis.Run, look *Look) (*Figure, error) {
	curves, err := poolAll(runs, analysis.GenotypicDiversity, analysis.BehaviouralDiversity)
	if err != nil {
		return nil, err
	}
	return look.curves("diversity", "Share of distinct genomes, and of distinct decisions in equal "+
		"situations", pooled(runs), []CurvePanel{
		{Name: "genotypes", Title: "Genotypes", YLabel: "Diversity (%)", Scale: 100,
			Layers: []CurveLayer{{Curves: curves[0]}}},
		{Name: "behaviour", Title: "Behaviour", YLabel: "Diversity (%)", Scale: 100,
			Layers: []CurveLayer{{Curves: curves[1]}}}})
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

// Intransitivity draws how intransitive windows of consecutive champions are, each at the
// generation of its newest champion: the curl share, with the band of chance if each champion had
// one strength, and the share of cycles among decided triples, both with intervals over their
// boards. There is a gap if no triple is decided.
func Intransitivity(windows []monitor.Window) *Figure {
	curl, null, cycles := analysis.Curve{Measure: "curl_share"},
		analysis.Curve{Measure: "curl_share_by_chance"}, analysis.Curve{Measure: "cyclic_triples"}
	for _, w := range windows {
		low, high := stat.Percentile(w.Curl.Null, confidence)
		mean, _ := stat.MeanSD(w.Curl.Null)
		curl.Points = append(curl.Points, spreadPoint(w.Last, w.Spread.Curl))
		null.Points = append(null.Points, analysis.CurvePoint{Generation: w.Last, Mean: mean,
			Low: low, High: high, Runs: len(w.Curl.Null)})
		cycles.Points = append(cycles.Points, spreadPoint(w.Last, w.Spread.Cycles))
	}
	return Curves("intransitivity", "Intransitivity in windows of consecutive champions, at the "+
		"generation of the newest: the part of the results that no rating explains with the band "+
		"that chance alone gives, and cyclic triples. Bands of the champions are intervals over "+
		"resamples of their boards.",
		CurvePanel{Title: "Results that no rating explains", YLabel: "Curl share (%)", Scale: 100,
			Layers: []CurveLayer{{Name: "champions", Curves: []analysis.Curve{curl}},
				{Name: "chance alone", Curves: []analysis.Curve{null}}}},
		CurvePanel{Title: "Cyclic triples", YLabel: "Share of decided triples (%)", Scale: 100,
			None:   "no triple is decided",
			Layers: []CurveLayer{{Name: "champions", Curves: []analysis.Curve{cycles}}}},
	)
}

func spreadPoint(generation int, i stat.Interval) analysis.CurvePoint {
	return analysis.CurvePoint{Generation: generation, Mean: i.Estimate, Low: i.Low, High: i.High,
		Runs: 1}
}
