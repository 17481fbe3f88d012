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

	"github.com/google/renameio/v2"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"

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

// row is an observation: a cell of each column, of the type that the column's kind says: string,
// int64, float64 or bool.
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
// directory out. A file is whole or not there at all.
func Write(dir, out string) (Counts, error) {
	g, err := sweep.Open(dir, nil)
	if err != nil {
		return Counts{}, err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return Counts{}, err
	}
	columns := columnsOf(g)
	var sinks []sink
	var files []*renameio.PendingFile
	for _, f := range []struct {
		name string
		open func(io.Writer, []column) sink
	}{{CSVFile, newCSV}, {ParquetFile, newParquet}} {
		file, err := renameio.NewPendingFile(filepath.Join(out, f.name),
			renameio.WithPermissions(0o666))
		if err != nil {
			return Counts{}, err
		}
		defer file.Cleanup()
		files, sinks = append(files, file), append(sinks, f.open(file, columns))
	}
	var n Counts
	for i := range g.Cells {
		rows, err := rowsOf(&g.Cells[i], dir, columns)
		if err != nil {
			return Counts{}, err
		}
		if rows == nil {
			n.Missing++
			continue
		}
		n.Runs, n.Rows = n.Runs+1, n.Rows+len(rows)
		for _, s := range sinks {
			if err := s.write(rows); err != nil {
				return Counts{}, err
			}
		}
	}
	for i, s := range sinks {
		if err := errors.Join(s.close(), files[i].CloseAtomicallyReplace()); err != nil {
			return Counts{}, err
		}
	}
	return n, nil
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
			kinds[text] = true
		}
	}
	switch {
	case len(kinds) == 1:
		for k := range kinds {
			return k
		}
	case len(kinds) == 2 && kinds[whole] && kinds[float]:
		return float
	}
	return text
}

// rowsOf reads a run, nil for one that is not done.
func rowsOf(c *study.Cell, dir string, columns []column) ([]row, error) {
	sum, err := runner.ReadSummary(c.Directory(dir))
	if sum == nil || err != nil {
		return nil, err
	}
	r, err := runner.Open(c.Directory(dir))
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
	switch v := v.(type) {
	case int64:
		if k == float {
			return float64(v)
		}
	}
	if k == text {
		return cell(v)
	}
	return v
}

// sink is a file being written.
type sink interface {
	write([]row) error
	close() error
}

// cell writes a value for CSV; lists are separated by semicolons.
func cell(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = cell(v[i])
		}
		return strings.Join(parts, ";")
	default:
		return fmt.Sprint(v) // dates and times, which no setting is
	}
}

type csvSink struct{ out *csv.Writer }

func newCSV(w io.Writer, columns []column) sink {
	s := csvSink{csv.NewWriter(w)}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	_ = s.out.Write(names) // a fault comes back from Error
	return s
}

func (s csvSink) write(rows []row) error {
	for _, r := range rows {
		record := make([]string, len(r))
		for i, v := range r {
			record[i] = cell(v)
		}
		if err := s.out.Write(record); err != nil {
			return err
		}
	}
	return nil
}

func (s csvSink) close() error {
	s.out.Flush()
	return s.out.Error()
}

// parquetSink writes a row group a run: a Parquet file is only readable when it is closed, and
// short groups keep little in memory.
type parquetSink struct {
	out   *parquet.GenericWriter[any]
	place []int // of each of our columns in the file, which sorts them by name
}

func newParquet(w io.Writer, columns []column) sink {
	group := parquet.Group{}
	for _, c := range columns {
		switch c.kind {
		case whole:
			group[c.name] = parquet.Int(64)
		case float:
			group[c.name] = parquet.Leaf(parquet.DoubleType)
		case truth:
			group[c.name] = parquet.Leaf(parquet.BooleanType)
		default:
			group[c.name] = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		}
	}
	schema := parquet.NewSchema("observations", group)
	s := parquetSink{out: parquet.NewGenericWriter[any](w, schema,
		parquet.Compression(&parquetzstd.Codec{Level: zstd.SpeedDefault}))}
	for _, c := range columns {
		leaf, ok := schema.Lookup(c.name)
		if !ok {
			panic("collect: the schema lacks the column " + c.name)
		}
		s.place = append(s.place, leaf.ColumnIndex)
	}
	return s
}

func (s parquetSink) write(rows []row) error {
	out := make([]parquet.Row, len(rows))
	for i, r := range rows {
		out[i] = make(parquet.Row, len(r))
		for k, v := range r {
			out[i][s.place[k]] = parquet.ValueOf(v).Level(0, 0, s.place[k])
		}
	}
	if _, err := s.out.WriteRows(out); err != nil {
		return err
	}
	return s.out.Flush()
}

func (s parquetSink) close() error { return s.out.Close() }
