package amoebas

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// fixedDraw is a source of draws that always gives the same number.
type fixedDraw int

func (fixedDraw) Float() float64  { return 0 }
func (d fixedDraw) Below(int) int { return int(d) }

// TestConformanceClojure holds amoeba functions in Clojure to situations recorded in the original
// engine: what amoebas of its players saw there.
func TestConformanceClojure(t *testing.T) {
	proof.Long(t)
	harness := proof.Must(os.ReadFile("testdata/harness.clj"))(t)
	g := New()
	for name, ge := range map[string]gp.Genome{"famine-seed1": bredGenome(t, g, "famine-seed1"),
		"whole vocabulary": enginetest.Everything(t, g.Grammar(), 0)} {
		t.Run(name, func(t *testing.T) {
			p := proof.Must(g.Bind(ge))(t)
			var lines strings.Builder
			var want []string
			for _, path := range enginetest.Recorded(t, "amoebas", "decisions-*.jsonl*") {
				enginetest.EachRecord(t, path, func(_ string, d *recordedDecision) {
					if d.T != "d" && d.T != "n" {
						return
					}
					start := len(want) % 8
					v := d.view(t, noData)
					v.Random = fixedDraw(start)
					fmt.Fprintln(&lines, seenBy(v, start, false))
					a := p.(Function).Act(v)
					want = append(want, fmt.Sprintf("%d %d", a.Command, a.Direction))
				})
			}
			source := proof.Must(g.Export(ge, export.Origin{Name: name}, clojure))(t)
			exporttest.Compare(t, exporttest.Answers(t, clojure, source+string(harness),
				lines.String()), want)
			t.Logf("%d situations", len(want))
		})
	}
}
