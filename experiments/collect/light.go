//go:build light

package collect

import "io"

// Parquet says whether Write writes ParquetFile, too: not in a program built with the tag light.
const Parquet = false

type columnar struct{}

func newColumnar([]column, io.Writer) *columnar { return nil }
func (*columnar) write([]row) error             { return nil }
func (*columnar) close() error                  { return nil }
