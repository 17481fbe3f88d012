//go:build !light

package collect

import (
	"cmp"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"
)

// Parquet reports whether Write also writes ParquetFile, which the build tag light excludes.
const Parquet = true

// columnar is the Parquet file being written.
type columnar struct {
	writer *parquet.GenericWriter[any]
	rows   int // since the last row group
}

func newColumnar(columns []column, w io.Writer) *columnar {
	nodes := [...]parquet.Node{
		text:  parquet.Encoded(parquet.String(), &parquet.RLEDictionary),
		whole: parquet.Int(64),
		float: parquet.Leaf(parquet.DoubleType),
		truth: parquet.Leaf(parquet.BooleanType),
	}
	group := ordered{Group: parquet.Group{}}
	for _, c := range columns {
		group.Group[c.name] = nodes[c.kind]
		group.names = append(group.names, c.name)
	}
	return &columnar{writer: parquet.NewGenericWriter[any](w,
		parquet.NewSchema("observations", group),
		parquet.Compression(&parquetzstd.Codec{Level: zstd.SpeedDefault}))}
}

// ordered is a group whose fields have an order of their own, where the library sorts them by name.
type ordered struct {
	parquet.Group
	names []string
}

func (o ordered) Fields() []parquet.Field {
	fields := o.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return cmp.Compare(slices.Index(o.names, a.Name()), slices.Index(o.names, b.Name()))
	})
	return fields
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
			out[i][k] = parquet.ValueOf(v).Level(0, 0, k)
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
