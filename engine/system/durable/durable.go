// Package durable keeps files whole through crashes: it replaces files atomically, locks them
// against other processes, and reads and continues files of JSON lines whose last line may be torn.
// It knows no other format.
package durable

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"clade/engine/system/packed"
)

// Part is the extension of a file that Replace has not finished.
const Part = ".part"

// ErrLocked is wrapped by the error of Lock if another process holds the lock.
var ErrLocked = errors.New("another process holds the lock")

// WriteFile writes a file, whole or not at all. When it returns, content and name have reached the
// disk. Several processes may write the same file at once; the last one wins.
func WriteFile(path string, content []byte, perm fs.FileMode) error {
	if err := writeWhole(path, content, perm); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Sweep removes the temporary files that processes which died in WriteFile left in a directory, if
// they are older than age. The directory need not exist.
func Sweep(dir string, age time.Duration) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		// writeWhole names them by a full stop, the file's name, and a random number of up to 19
		// digits
		digits := len(e.Name()) - len(strings.TrimRight(e.Name(), "0123456789"))
		if digits < 6 || !strings.HasPrefix(e.Name(), ".") || !e.Type().IsRegular() {
			continue
		}
		info, infoErr := e.Info()
		if infoErr == nil && time.Since(info.ModTime()) >= age {
			infoErr = os.Remove(filepath.Join(dir, e.Name()))
		}
		if infoErr != nil && !errors.Is(infoErr, fs.ErrNotExist) {
			err = errors.Join(err, infoErr)
		}
	}
	return err
}

// Replace writes a file under its name with the extension Part and renames it, so that the name
// always belongs to a whole file. A crash leaves at most one file with Part behind, which the next
// call overwrites. Only one writer at a time may call it, such as the holder of a Lock. With sync,
// content and name have reached the disk when it returns.
func Replace(path string, sync bool, write func(io.Writer) error) error {
	f, err := os.Create(path + Part)
	if err != nil {
		return err
	}
	if err = write(f); err == nil && sync {
		err = f.Sync()
	}
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(path+Part, path)
	}
	if err != nil {
		os.Remove(path + Part)
		return err
	}
	if sync {
		return SyncDir(filepath.Dir(path))
	}
	return nil
}

// Lock locks a file, which it creates if necessary, until the lock is closed or the process dies.
// It does not wait: the error wraps ErrLocked if another process holds the lock.
func Lock(path string) (io.Closer, error) {
	// NFS requires a file to be open for writing for an exclusive lock.
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o666))
	switch ok, err := l.TryLock(); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("%s: %w", path, ErrLocked)
	}
	return l, nil
}

// Locked tells whether the lock of a file is held. A file that cannot be read counts as
// locked.
func Locked(path string) bool {
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer l.Close()
	ok, err := l.TryRLock()
	return err != nil || !ok
}

// Tail calls use with the last lines of a file of JSON lines, each decoded as a T: the whole lines
// in the last length bytes. It skips lines that cannot be decoded, such as torn ones. A file that
// does not exist has no lines.
func Tail[T any](path string, length int64, use func(*T)) error {
	content, err := end(path, length)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for line := range bytes.Lines(content) {
		v := new(T)
		if json.Unmarshal(line, v) == nil {
			use(v)
		}
	}
	return err
}

// end reads the last length bytes of a file, or all of a packed one.
func end(path string, length int64) ([]byte, error) {
	return reading(path, func(f *os.File) ([]byte, error) {
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-length), length))
	})
}

// EachLine calls use with each line of a file of JSON lines, decoded as a T, until use returns
// false. It leaves out a torn last line, which a writer has not finished. A file that does not
// exist has no lines. EachLine returns the length in bytes of the lines that were used, also with
// an error. The error for a damaged line names the file and the line.
func EachLine[T any](path string, use func(*T) bool) (length int64, err error) {
	content, err := packed.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return Lines(path, content, use)
}

// Lines is EachLine for the content of a file. The path is only for the error.
func Lines[T any](path string, content []byte, use func(*T) bool) (length int64, err error) {
	n := 0
	for line := range bytes.Lines(content[:bytes.LastIndexByte(content, '\n')+1]) {
		n++
		v := new(T)
		if err := json.Unmarshal(line, v); err != nil {
			return length, &LineError{path, n, err}
		}
		if !use(v) {
			break
		}
		length += int64(len(line))
	}
	return length, nil
}

// LineError is a damaged line of a file.
type LineError struct {
	Path string
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%s:%d: the line is damaged (%s)", e.Path, e.Line, e.Err)
}

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// Append opens a file for writing after its first length bytes, as EachLine returns them, and drops
// the rest, such as a torn line. It creates a file that does not exist.
func Append(path string, length int64) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(length); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// WriteJSON writes a value as indented JSON, as WriteFile does.
func WriteJSON(path string, v any, perm fs.FileMode) error {
	content, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(path, append(content, '\n'), perm)
}

// ReadJSON reads a file of JSON into a value. It reports whether there is one that can be read; an
// error beside that is of its content.
func ReadJSON(path string, v any) (read bool, err error) {
	content, err := ReadFile(path, MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err = json.Unmarshal(content, v); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return true, err
}

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
