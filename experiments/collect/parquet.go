//go:build !light

package collect

import (
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"
)

// Parquet says whether Write writes ParquetFile, too: not in a program built with the tag light.
const Parquet = true

// columnar is the Parquet file being written.
type columnar struct {
	writer *parquet.GenericWriter[any]
	index  []int // of each of our columns in the file, which sorts them by name
	rows   int   // since the last row group
}

func newColumnar(columns []column, w io.Writer) *columnar {
	nodes := [...]parquet.Node{
		text:  parquet.Encoded(parquet.String(), &parquet.RLEDictionary),
		whole: parquet.Int(64),
		float: parquet.Leaf(parquet.DoubleType),
		truth: parquet.Leaf(parquet.BooleanType),
	}
	group := parquet.Group{}
	for _, c := range columns {
		group[c.name] = nodes[c.kind]
	}
	schema := parquet.NewSchema("observations", group)
	t := &columnar{writer: parquet.NewGenericWriter[any](w, schema,
		parquet.Compression(&parquetzstd.Codec{Level: zstd.SpeedDefault}))}
	for _, c := range columns {
		leaf, ok := schema.Lookup(c.name)
		if !ok {
			panic("collect: the schema lacks the column " + c.name)
		}
		t.index = append(t.index, leaf.ColumnIndex)
	}
	return t
}

// groupRows is how many rows, at least, a row group has: of shorter ones the directory, which is
// written at the end, takes more memory than the rows do.
const groupRows = 20_000

// write writes the rows of a run.
func (t *columnar) write(rows []row) error {
	out := make([]parquet.Row, len(rows))
	for i, r := range rows {
		out[i] = make(parquet.Row, len(r))
		for k, v := range r {
			out[i][t.index[k]] = parquet.ValueOf(v).Level(0, 0, t.index[k])
		}
	}
	_, err := t.writer.WriteRows(out)
	if t.rows += len(rows); err != nil || t.rows < groupRows {
		return err
	}
	t.rows = 0
	return t.writer.Flush()
}

func (t *columnar) close() error { return t.writer.Close() }
