package collect_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"clade/experiments/collect"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// scope is the games, with the trust that files of this machine have.
var scope = runnertest.Scope()

const swept = `
game = "antwars"
[measure]
against = ["greedy"]
games = 4
final = 2
[evolve]
population = 20
generations = 5
tournament = 2
boards = 1
[evolve.champion]
candidates = 4
games = 8
[figures]
panels = ["size"]
[sweep]
replicates = 2
[sweep.settings]
evolve.tournament = [2, 3]
evolve.variation.inner = [0.5]
players.panel = [["greedy", "smart"]]
`

// TestWrite collects a sweep of which one run is missing, and reads both files back: they hold the
// same rows.
func TestWrite(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	s := proof.Must(study.Parse(scope, "s.toml", []byte(swept)))(t)
	g := proof.Must(sweep.Create(dir, s))(t)
	proof.OK(t, sweep.Run(context.Background(), g, dir, sweep.Options{Cells: g.Cells[:3]}))
	n, err := collect.Write(scope, dir, dir, nil)
	if err != nil || n.Runs != 3 || n.Missing != 1 || n.Rows < 60 {
		t.Fatalf("%+v, %v", n, err)
	}
	file := proof.Must(os.Open(filepath.Join(dir, collect.CSVFile)))(t)
	defer file.Close()
	rows := proof.Must(csv.NewReader(file).ReadAll())(t)
	proof.Is(t, len(rows), n.Rows+1, "rows")
	want := "study name run seed fingerprint evolve.tournament evolve.variation.inner players.panel " +
		"generation measure against value games selection_games seconds"
	proof.Is(t, strings.Join(rows[0], " "), want, "columns")
	written := proof.Must(os.Open(filepath.Join(dir, collect.ParquetFile)))(t)
	defer written.Close()
	info := proof.Must(written.Stat())(t)
	opened := proof.Must(parquet.OpenFile(written, info.Size()))(t)
	var columns []string
	for _, f := range opened.Schema().Fields() {
		columns = append(columns, f.Name())
	}
	proof.Is(t, strings.Join(columns, " "), want, "columns in Parquet")
	type observation struct {
		Study      string  `parquet:"study"`
		Name       string  `parquet:"name"`
		Run        string  `parquet:"run"`
		Seed       int64   `parquet:"seed"`
		Print      string  `parquet:"fingerprint"`
		Tournament int64   `parquet:"evolve.tournament"`
		Inner      float64 `parquet:"evolve.variation.inner"`
		Panel      string  `parquet:"players.panel"`
		Generation int64   `parquet:"generation"`
		Measure    string  `parquet:"measure"`
		Against    string  `parquet:"against"`
		Value      float64 `parquet:"value"`
		Games      int64   `parquet:"games"`
		Selection  int64   `parquet:"selection_games"`
		Seconds    float64 `parquet:"seconds"`
	}
	columnar := proof.Must(parquet.ReadFile[observation](filepath.Join(dir, collect.ParquetFile)))(t)
	proof.Is(t, len(columnar), n.Rows, "rows of Parquet")
	for i, o := range columnar {
		got := strings.Fields(strings.Trim(fmt.Sprintf("%v",
			[]any{o.Study, o.Name, o.Run, o.Seed, o.Print, o.Tournament, o.Inner, o.Panel, o.Generation,
				o.Measure, "<" + o.Against + ">", o.Value, o.Games, o.Selection, o.Seconds}), "[]"))
		r := rows[i+1]
		r[10] = "<" + r[10] + ">"
		if strings.Join(got, " ") != strings.Join(r, " ") {
			t.Fatalf("row %d: %v in Parquet, %v in CSV", i, got, r)
		}
	}
	if last := columnar[len(columnar)-1]; !strings.HasPrefix(last.Measure, "final_") ||
		last.Panel != "greedy;smart" || last.Generation != 4 {
		t.Errorf("%+v", last)
	}
	// what a worker has handed in and nobody has compared does not count yet
	proof.OK(t, (&sweep.Origin{Worker: "w", Audit: sweep.AuditDue}).Write(
		g.Cells[2].Directory(dir)))
	if n, err = collect.Write(scope, dir, t.TempDir(), nil); err != nil || n.Runs != 2 ||
		n.Missing != 2 {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestNoSweep(t *testing.T) {
	proof.Fails(collect.Write(scope, t.TempDir(), t.TempDir(), nil))(t, "is not a sweep's directory")
}
