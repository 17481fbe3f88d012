package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"clade/engine/system/packed"
)

// MaxText is the greatest length in bytes of texts that users name: species, boards, maps, records,
// summaries. The longest known have some megabytes.
const MaxText = 64 << 20

// ReadFile reads a regular file of at most the given bytes. It returns an error for a device or a
// pipe, without waiting for it, since reading might never end.
func ReadFile(path string, most int64) ([]byte, error) {
	info, err := packed.Stat(path) // opening a pipe would wait for a writer
	switch {
	case err != nil || info.IsDir():
		return os.ReadFile(path) // for its error
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file; copy what it gives into one", path)
	case info.Size() > most:
		return nil, tooLong(path, most)
	}
	return reading(path, func(f *os.File) ([]byte, error) {
		var b bytes.Buffer
		b.Grow(int(info.Size()) + bytes.MinRead)
		n, err := io.Copy(&b, io.LimitReader(f, most+1)) // a file may grow, or not tell its length
		if err == nil && n > most {
			err = tooLong(path, most)
		}
		return b.Bytes(), err
	})
}

// reading opens a file and calls read, or reads all of a packed file.
func reading(path string, read func(*os.File) ([]byte, error)) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return packed.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f)
}

func tooLong(path string, most int64) error {
	return fmt.Errorf("%s is longer than the %d bytes that are read of such a file", path, most)
}
