// Package collect finds the runs and sweeps below some folders and says what state they are in, and
// gathers finished ones for others: all of a sweep in one table, as CSV and as Parquet, for R,
// pandas, Polars and their like, and any number of them in one archive that a reviewer can check
// without the machine that bred them. It computes nothing: every row is a number that a run
// directory holds.
package collect

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"clade/engine/system/durable"
	"clade/engine/system/parallel"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// Names of the files that Write makes.
const (
	CSVFile     = "observations.csv"
	ParquetFile = "observations.parquet"
)

// kind is what a column holds.
type kind uint8

const (
	text kind = iota
	whole
	float
	truth
)

// column is a variable of the table.
type column struct {
	name string
	kind kind
}

// row is an observation: a string, int64, float64 or bool for each column, as its kind says.
type row []any

// fixed are the columns behind those of the sweep's settings.
var fixed = [...]column{{"generation", whole}, {"measure", text}, {"against", text},
	{"value", float}, {"games", whole}, {"selection_games", whole}, {"seconds", float}}

// counts holds the numbers of runs and rows in the files.
type counts struct {
	Runs    int `json:"runs"`    // that are done
	Missing int `json:"missing"` // that are not, and are left out
	Rows    int `json:"rows"`
}

// Write collects all runs of a sweep that are done into two files with the same rows, in the
// directory out; without Parquet into the first alone. A file is whole or not there at all. One
// process may write them at a time. Progress, if not nil, is called with how many of all runs were
// read.
func Write(scope player.Scope, dir, out string, progress func(done, total int)) (n counts,
	err error) {
	g, err := sweep.Open(scope, dir)
	if err != nil {
		return counts{}, err
	}
	if err := sweep.Check(g, dir); err != nil {
		return counts{}, err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return counts{}, err
	}
	err = durable.Replace(filepath.Join(out, CSVFile), true, func(asCSV io.Writer) error {
		if !Parquet {
			n, err = write(g, dir, asCSV, nil, progress)
			return err
		}
		return durable.Replace(filepath.Join(out, ParquetFile), true, func(w io.Writer) error {
			n, err = write(g, dir, asCSV, w, progress)
			return err
		})
	})
	return n, err
}

// Count returns how many runs Write would collect. It writes nothing, and counts no rows.
func Count(scope player.Scope, dir string) (n counts, err error) {
	g, err := sweep.Open(scope, dir)
	if err != nil {
		return n, err
	}
	missing, err := sweep.Missing(g, dir)
	return counts{Runs: len(g.Cells) - len(missing), Missing: len(missing)}, err
}

// write writes the rows of all runs that are done.
func write(g *study.Grid, dir string, asCSV, asParquet io.Writer,
	progress func(done, total int)) (n counts, err error) {
	columns := columnsOf(g)
	t := table{csv: csv.NewWriter(asCSV), columnar: newColumnar(columns, asParquet)}
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	_ = t.csv.Write(names) // a fault comes back from Error
	var open runner.Opener
	count := parallel.Counting(progress, len(g.Cells))
	for i := range g.Cells {
		open.Scope = g.Cells[i].Study.Scope() // that of all
		rows, err := rowsOf(&g.Cells[i], dir, columns, &open)
		if err != nil {
			return n, err
		}
		count()
		if rows == nil {
			n.Missing++
			continue
		}
		n.Runs, n.Rows = n.Runs+1, n.Rows+len(rows)
		if err := t.write(rows); err != nil {
			return n, err
		}
	}
	t.csv.Flush()
	return n, errors.Join(t.csv.Error(), t.columnar.close())
}

// columnsOf returns the columns: identity, settings of the sweep, observation.
func columnsOf(g *study.Grid) []column {
	columns := []column{{"study", text}, {"name", text}, {"run", text}, {"seed", whole},
		{"fingerprint", text}}
	for i, k := range g.Keys {
		columns = append(columns, column{k, kindOf(g, i)})
	}
	return append(columns, fixed[:]...)
}

// kindOf finds the narrowest kind that holds all values of a setting.
func kindOf(g *study.Grid, key int) kind {
	kinds := map[kind]bool{}
	for i := range g.Cells {
		switch g.Cells[i].Values[key].(type) {
		case int64:
			kinds[whole] = true
		case float64:
			kinds[float] = true
		case bool:
			kinds[truth] = true
		default:
			return text
		}
	}
	switch {
	case !kinds[truth] && kinds[float]:
		return float
	case !kinds[truth]:
		return whole
	case len(kinds) == 1:
		return truth
	}
	return text
}

// rowsOf reads a run, nil for one that is not done.
func rowsOf(c *study.Cell, dir string, columns []column, open *runner.Opener) ([]row, error) {
	sum, err := sweep.Counts(c.Directory(dir))
	if sum == nil || err != nil {
		return nil, err
	}
	r, err := open.Open(c.Directory(dir))
	if err != nil {
		return nil, err
	}
	if err := sweep.AddStages(r); err != nil {
		return nil, err
	}
	before, err := sweep.CostBefore(r.Dir)
	if err != nil {
		return nil, err
	}
	observations, err := r.Observations()
	if err != nil {
		return nil, err
	}
	head := row{c.Study.Name, c.Group, c.Key, int64(c.Study.Seed), sum.Fingerprint}
	for _, v := range c.Values {
		head = append(head, fit(v, columns[len(head)].kind))
	}
	rows := make([]row, 0, len(observations))
	for _, o := range observations {
		rows = append(rows, append(slices.Clone(head), int64(o.Generation), o.Measure, o.Against,
			o.Value, int64(o.Games), o.Spent.Games, before.Seconds+o.Spent.Seconds))
	}
	return rows, nil
}

// fit converts a setting's value to the kind of its column.
func fit(v any, k kind) any {
	if whole, ok := v.(int64); ok && k == float {
		return float64(whole)
	}
	if k == text {
		return cell(v)
	}
	return v
}

// cell formats a value for CSV; lists are separated by semicolons.
func cell(v any) string {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = cell(v[i])
		}
		return strings.Join(parts, ";")
	default:
		return fmt.Sprint(v)
	}
}

// table writes the two files.
type table struct {
	csv      *csv.Writer
	columnar *columnar
}

// write writes the rows of a run.
func (t *table) write(rows []row) error {
	for _, r := range rows {
		record := make([]string, len(r))
		for k, v := range r {
			record[k] = cell(v)
		}
		if err := t.csv.Write(record); err != nil {
			return err
		}
	}
	return t.columnar.write(rows)
}
