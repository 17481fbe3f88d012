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

// MaxText is how long the texts are at most that people name: species, boards, maps, records,
// summaries. The longest known are some megabytes.
const MaxText = 64 << 20

// ReadFile reads a regular file of so many bytes at most. It refuses a device or a pipe, which it
// neither waits for nor reads without end.
func ReadFile(path string, most int64) ([]byte, error) {
	info, err := packed.Stat(path) // to open a pipe is to wait for a writer
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
		n, err := io.Copy(&b, io.LimitReader(f, most+1)) // a file may grow, or not say how long it is
		if err == nil && n > most {
			err = tooLong(path, most)
		}
		return b.Bytes(), err
	})
}

// reading opens a file to be read, or reads all of one that is packed.
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
