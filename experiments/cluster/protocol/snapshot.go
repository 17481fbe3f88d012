package protocol

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"clade/engine/system/durable"
)

// limits bound the content of a snapshot, so that a wrong one cannot fill a disk, nor take hours to
// write and to remove.
type limits struct {
	files, depth int   // of folders in one another
	file, all    int64 // bytes of a file, and of all together
}

// most returns the limits of a run directory.
func most() limits { return limits{files: 100_000, depth: 4, file: 2 << 30, all: 4 << 30} }

// Snapshot returns a run directory as a compressed archive, without locks and unfinished files. The
// run may be under way: checkpoints are read before the log, which then holds at least the
// generations that they refer to.
func Snapshot(dir string) ([]byte, error) {
	var checkpoints, others []string
	files := os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
		case !e.Type().IsRegular() || strings.HasSuffix(name, durable.Part):
		case strings.HasPrefix(name, "checkpoints/"):
			checkpoints = append(checkpoints, name)
		default:
			others = append(others, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, name := range append(checkpoints, others...) {
		content, err := fs.ReadFile(files, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // an old checkpoint that was pruned just now
		}
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: name, Mode: 0o666, Size: int64(len(content)),
				Typeflag: tar.TypeReg})
		}
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read %s for a snapshot: %w", dir, err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Restore writes the files of a snapshot into a directory, where they are on the disk when it
// returns. It refuses names that lead out of the directory, and more than a run directory may hold.
// After an error some of the files are there.
func Restore(archive []byte, dir string) error {
	if err := restore(archive, dir, most()); err != nil {
		return fmt.Errorf("cannot restore a snapshot in %s: %w", dir, err)
	}
	return nil
}

func restore(archive []byte, dir string, left limits) error {
	z, err := zstd.NewReader(bytes.NewReader(archive), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return err
	}
	defer z.Close()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	folders := map[string]bool{".": true}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = left.take(h)
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(h.Name)
		folders[filepath.Dir(name)] = true
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := writeSynced(root, name, r); err != nil {
			return err
		}
	}
	for f := range folders {
		if err := durable.SyncDir(filepath.Join(dir, f)); err != nil {
			return err
		}
	}
	return nil
}

// take returns an error for what is no file of a run, or more than is left.
func (l *limits) take(h *tar.Header) error {
	if h.Typeflag != tar.TypeReg || !fs.ValidPath(h.Name) {
		return fmt.Errorf("%.200q is not a file, or none of a run", h.Name)
	}
	l.files, l.all = l.files-1, l.all-h.Size
	if l.files < 0 || strings.Count(h.Name, "/") > l.depth || h.Size > l.file || l.all < 0 {
		return fmt.Errorf("it is larger than a run may be, at %.200q of %d bytes", h.Name, h.Size)
	}
	return nil
}

func writeSynced(root *os.Root, name string, content io.Reader) error {
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Sync(), f.Close())
}
