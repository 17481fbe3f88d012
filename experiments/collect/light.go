//go:build light

package collect

import "io"

// Parquet reports whether Write also writes ParquetFile, which the build tag light excludes.
const Parquet = false

type columnar struct{}

func newColumnar([]column, io.Writer) *columnar { return nil }
func (*columnar) write([]row) error             { return nil }
func (*columnar) close() error                  { return nil }
