// Package collect makes one table of all runs of a sweep, as CSV and as Parquet, for R, pandas,
// Polars and their like. It computes nothing: every row is a number that a run directory holds.
package collect

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"

	"clade/engine/system/durable"
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
	{"value", float}, {"games", whole}}

// Counts says what went into the files.
type Counts struct {
	Runs    int `json:"runs"`    // that are done
	Missing int `json:"missing"` // that are not, and are left out
	Rows    int `json:"rows"`
}

// Write collects all runs of a sweep that are done into two files with the same rows, in the
// directory out. A file is whole or not there at all. One process may write them at a time.
func Write(scope player.Scope, dir, out string) (n Counts, err error) {
	g, err := sweep.Open(scope, dir)
	if err != nil {
		return Counts{}, err
	}
	if err := sweep.Check(g, dir); err != nil {
		return Counts{}, err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return Counts{}, err
	}
	err = durable.Replace(filepath.Join(out, CSVFile), true, func(asCSV io.Writer) error {
		return durable.Replace(filepath.Join(out, ParquetFile), true, func(w io.Writer) error {
			n, err = write(g, dir, asCSV, w)
			return err
		})
	})
	return n, err
}

// write writes the rows of all runs that are done.
func write(g *study.Grid, dir string, asCSV, asParquet io.Writer) (n Counts, err error) {
	columns := columnsOf(g)
	t := newTable(columns, asCSV, asParquet)
	for i := range g.Cells {
		rows, err := rowsOf(&g.Cells[i], dir, columns)
		if err != nil {
			return n, err
		}
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
	return n, errors.Join(t.csv.Error(), t.parquet.Close())
}

// columnsOf lists the variables: who, the settings of the sweep, what.
func columnsOf(g *study.Grid) []column {
	columns := []column{{"study", text}, {"run", text}, {"seed", whole}, {"fingerprint", text}}
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
func rowsOf(c *study.Cell, dir string, columns []column) ([]row, error) {
	sum, err := runner.ReadSummary(c.Directory(dir))
	if sum == nil || err != nil {
		return nil, err
	}
	r, err := runner.Open(c.Study.Scope(), c.Directory(dir))
	if err != nil {
		return nil, err
	}
	observations, err := r.Observations()
	if err != nil {
		return nil, err
	}
	head := row{c.Study.Name, c.Key, int64(c.Study.Seed), sum.Fingerprint}
	for _, v := range c.Values {
		head = append(head, fit(v, columns[len(head)].kind))
	}
	rows := make([]row, 0, len(observations))
	for _, o := range observations {
		rows = append(rows, append(slices.Clone(head), int64(o.Generation), o.Measure, o.Against,
			o.Value, int64(o.Games)))
	}
	return rows, nil
}

// fit turns a setting's value into what its column holds.
func fit(v any, k kind) any {
	if whole, ok := v.(int64); ok && k == float {
		return float64(whole)
	}
	if k == text {
		return cell(v)
	}
	return v
}

// cell writes a value for CSV; lists are separated by semicolons.
func cell(v any) string {
	switch v := v.(type) {
	case float64:
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

// table is the two files being written.
type table struct {
	csv     *csv.Writer
	parquet *parquet.GenericWriter[any]
	index   []int // of each of our columns in the Parquet file, which sorts them by name
}

func newTable(columns []column, asCSV, asParquet io.Writer) *table {
	nodes := [...]parquet.Node{
		text:  parquet.Encoded(parquet.String(), &parquet.RLEDictionary),
		whole: parquet.Int(64),
		float: parquet.Leaf(parquet.DoubleType),
		truth: parquet.Leaf(parquet.BooleanType),
	}
	group := parquet.Group{}
	var names []string
	for _, c := range columns {
		group[c.name] = nodes[c.kind]
		names = append(names, c.name)
	}
	schema := parquet.NewSchema("observations", group)
	t := &table{csv: csv.NewWriter(asCSV), parquet: parquet.NewGenericWriter[any](asParquet, schema,
		parquet.Compression(&parquetzstd.Codec{Level: zstd.SpeedDefault}))}
	for _, name := range names {
		leaf, ok := schema.Lookup(name)
		if !ok {
			panic("collect: the schema lacks the column " + name)
		}
		t.index = append(t.index, leaf.ColumnIndex)
	}
	_ = t.csv.Write(names) // a fault comes back from Error
	return t
}

// write writes the rows of a run. They are a row group of their own: a Parquet file can only be
// read when it is closed, and short groups keep little in memory.
func (t *table) write(rows []row) error {
	out := make([]parquet.Row, len(rows))
	for i, r := range rows {
		record := make([]string, len(r))
		out[i] = make(parquet.Row, len(r))
		for k, v := range r {
			record[k] = cell(v)
			out[i][t.index[k]] = parquet.ValueOf(v).Level(0, 0, t.index[k])
		}
		if err := t.csv.Write(record); err != nil {
			return err
		}
	}
	_, err := t.parquet.WriteRows(out)
	return errors.Join(err, t.parquet.Flush())
}
