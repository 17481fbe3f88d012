package analysis

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Table is tidy data: one observation a row, one variable a column.
type Table struct {
	Columns []string
	Rows    [][]string

	cells [][]any // what the rows were made of
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
	t.Rows, t.cells = append(t.Rows, row), append(t.cells, cells)
}

// MarshalJSON writes the table as an array with an object a row, by column. Numbers are numbers,
// and what is not known is null.
func (t *Table) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, row := range t.cells {
		for k, c := range row {
			if f, ok := c.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				c = nil
			}
			name, err := json.Marshal(t.Columns[k])
			if err != nil {
				return nil, err
			}
			value, err := json.Marshal(c)
			if err != nil {
				return nil, err
			}
			switch {
			case k > 0:
				b.WriteByte(',')
			case i > 0:
				b.WriteString(",{")
			default:
				b.WriteByte('{')
			}
			b.Write(name)
			b.WriteByte(':')
			b.Write(value)
		}
		b.WriteByte('}')
	}
	b.WriteByte(']')
	return b.Bytes(), nil
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
