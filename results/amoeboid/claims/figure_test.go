package claims

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/gp/proof"
)

// TestFigures draws the figures of the published data again.
func TestFigures(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "results", "amoeboid")
	for _, f := range []*figure.Figure{
		unboundednessFigure(read(t, filepath.Join(folder, "unboundedness.csv"))),
		centreFigure(t, read(t, filepath.Join(folder, "case-four-centre.csv"))),
	} {
		drawn := proof.Must(f.Encode(figure.SVG))(t)
		if runtime.GOARCH != "amd64" {
			t.Skip("a coordinate may differ in its last digit where the compiler fuses " +
				"multiplication and addition")
		}
		proof.Golden(t, filepath.Join(folder, f.Name+".svg"), string(drawn))
	}
}

// read reads a table: its rows by column name.
func read(t *testing.T, path string) []map[string]string {
	f := proof.Must(os.Open(path))(t)
	defer f.Close()
	lines := proof.Must(csv.NewReader(f).ReadAll())(t)
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, cell := range line {
			row[lines[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// number is a number of a table, and no number where there is none.
func number(cell string) float64 {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// unboundednessFigure draws how probable it is that the difference has exceeded 44 by the number of
// rounds.
func unboundednessFigure(rows []map[string]string) *figure.Figure {
	exact, simulated := analysis.Curve{Group: "exact"}, analysis.Curve{Group: "2,000 simulated walks"}
	for _, row := range rows {
		rounds := int(number(row["rounds"]))
		exact.Points = append(exact.Points,
			analysis.CurvePoint{Generation: rounds, Mean: number(row["exact"]), Low: math.NaN(),
				High: math.NaN()})
		simulated.Points = append(simulated.Points, analysis.CurvePoint{
			Generation: rounds, Mean: number(row["simulated"]), Low: number(row["simulated low"]),
			High: number(row["simulated high"])})
	}
	return figure.Curves("unboundedness", "How likely the difference has exceeded 44 by a round.",
		figure.CurvePanel{
			XLabel: "Rounds", LogX: true, YLabel: "P(difference has exceeded 44)",
			Layers: []figure.CurveLayer{{Curves: []analysis.Curve{simulated, exact}}},
		})
}

// centreFigure draws from which difference on holding the centre wins case IV, by the size of B's
// piece, for a corner and the middle of a side.
func centreFigure(t *testing.T, rows []map[string]string) *figure.Figure {
	panel := func(title, place string, turns ...string) figure.CurvePanel {
		var curves []analysis.Curve
		for _, column := range turns {
			curve := analysis.Curve{Group: column}
			for _, row := range rows {
				if v := number(row[column]); row["place of B"] == place && !math.IsNaN(v) {
					curve.Points = append(curve.Points,
						analysis.CurvePoint{Generation: int(number(row["B"])), Mean: v,
							Low: math.NaN(), High: math.NaN()})
				}
			}
			if len(curve.Points) == 0 {
				t.Fatalf("no data of %s", column)
			}
			curves = append(curves, curve)
		}
		return figure.CurvePanel{
			Title: title, XLabel: "Units of B", LogX: true, YLabel: "Difference that is enough",
			Layers: []figure.CurveLayer{{Curves: curves}},
		}
	}
	return figure.Curves("case-four-centre", "From which difference on holding the centre wins.",
		panel("B in a corner", "corner", "4 turns", "6 turns",
			"8 turns"), panel("B in the middle of a side", "side", "6 turns", "8 turns"))
}
