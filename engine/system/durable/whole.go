//go:build !windows

package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// writeWhole writes a temporary file beside the file and renames it.
func writeWhole(path string, content []byte, perm fs.FileMode) error {
	return renameio.WriteFile(path, content, perm, renameio.WithTempDir(filepath.Dir(path)))
}

// SyncDir waits until the names in a directory have reached the disk. A file system that cannot
// sync a directory is not an error.
func SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
