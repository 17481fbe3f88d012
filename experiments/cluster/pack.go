package cluster

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxPack bounds what a run directory may hold when it travels, so that a wrong pack cannot fill a
// disk.
const maxPack = 4 << 30

// pack returns a run directory as a compressed archive, without locks and half written files. The
// run may be going on: checkpoints are read before the log, which then holds at least what they
// speak of.
func pack(dir string) ([]byte, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if name != "." && strings.HasPrefix(filepath.Base(name), ".") {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if e.Type().IsRegular() && !strings.HasSuffix(name, ".part") {
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(names,
		func(a, b string) int { return boolOrder(isCheckpoint(a), isCheckpoint(b)) })
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
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
			return nil, fmt.Errorf("cannot pack %s: %w", dir, err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		return nil, fmt.Errorf("cannot pack %s: %w", dir, err)
	}
	return out.Bytes(), nil
}

func isCheckpoint(name string) bool { return strings.HasPrefix(name, "checkpoints/") }

// boolOrder sorts those first for which a thing is true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

// unpack writes the files of an archive into a directory, and on return they are on the disk. Names
// that lead out of the directory are refused.
func unpack(archive []byte, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	z, err := zstd.NewReader(bytes.NewReader(archive))
	if err != nil {
		return err
	}
	defer z.Close()
	r := tar.NewReader(io.LimitReader(z, maxPack))
	folders := map[string]bool{".": true}
	for {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err == nil && h.Typeflag != tar.TypeReg {
			err = fmt.Errorf("%q is no file", h.Name)
		}
		if err == nil {
			folder := filepath.Dir(filepath.FromSlash(h.Name))
			folders[folder] = true
			err = root.MkdirAll(folder, 0o777)
		}
		if err == nil {
			err = writeSynced(root, filepath.FromSlash(h.Name), r)
		}
		if err != nil {
			return fmt.Errorf("cannot unpack into %s: %w", dir, err)
		}
	}
	for f := range folders {
		if err := syncFolder(filepath.Join(dir, f)); err != nil {
			return err
		}
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

func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return err
	}
	return nil
}
