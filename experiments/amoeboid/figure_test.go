// Package amoeboid_test draws the figures of what is published of Amoeboid.
package amoeboid_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"clade/analysis"
	"clade/analysis/figure"
)

var update = flag.Bool("update", false, "write the figures again")

// TestFigures draws the figures of the published data again. It stands here because the game must not know of analysis.
func TestFigures(t *testing.T) {
	folder := filepath.Join("..", "..", "results", "amoeboid")
	drawn, err := unboundedness(t, filepath.Join(folder, "unboundedness.csv")).Encode(figure.SVG)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("a coordinate may differ in its last digit where the compiler fuses multiplication and addition")
	}
	path := filepath.Join(folder, "unboundedness.svg")
	if *update {
		if err := os.WriteFile(path, drawn, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, drawn) {
		t.Errorf("%s is not what its data give (%v); run this test with -update", path, err)
	}
}

// unboundedness draws how probable it is that the difference has exceeded 44 by the number of rounds.
func unboundedness(t *testing.T, path string) *figure.Figure {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	exact, simulated := analysis.Curve{Group: "exact"}, analysis.Curve{Group: "2,000 simulated walks"}
	for _, row := range rows[1:] {
		var v [5]float64
		for i, text := range row {
			if v[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		exact.Points = append(exact.Points, analysis.CurvePoint{Generation: int(v[0]), Mean: v[1], Low: math.NaN(), High: math.NaN()})
		simulated.Points = append(simulated.Points, analysis.CurvePoint{Generation: int(v[0]), Mean: v[2], Low: v[3], High: v[4]})
	}
	return figure.Curves("unboundedness", figure.CurvePanel{
		XLabel: "Rounds", LogX: true, YLabel: "P(difference has exceeded 44)",
		Layers: []figure.CurveLayer{{Curves: []analysis.Curve{simulated, exact}}},
	})
}
