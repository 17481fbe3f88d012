package figure

import (
	"clade/analysis"
	"clade/analysis/monitor"
	"clade/analysis/stat"
)

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
