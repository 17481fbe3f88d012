package analysis

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Table is tidy data: one observation a row, one variable a column.
type Table struct {
	Columns []string
	Rows    [][]string
}

// NewTable returns an empty table with the given columns.
func NewTable(columns ...string) *Table { return &Table{Columns: columns} }

// Add appends a row. Strings, integers, booleans and floats are written so that reading them back
// gives the same value; a NaN, which stands for "not known", becomes an empty cell. A wrong number
// of cells or a value of another type is a bug of the caller's.
func (t *Table) Add(cells ...any) {
	if len(cells) != len(t.Columns) {
		panic(fmt.Sprintf("analysis: a row of %d cells in a table of %d columns", len(cells),
			len(t.Columns)))
	}
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = cell(c)
	}
	t.Rows = append(t.Rows, row)
}

func cell(c any) string {
	switch v := c.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	default:
		panic(fmt.Sprintf("analysis: a table cannot hold a %T", c))
	}
}

// WriteCSV writes the table as comma-separated values with a header line (RFC 4180, lines ended by
// \n).
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(t.Columns); err != nil {
		return fmt.Errorf("analysis: %w", err)
	}
	if err := out.WriteAll(t.Rows); err != nil {
		return fmt.Errorf("analysis: %w", err)
	}
	return nil
}
