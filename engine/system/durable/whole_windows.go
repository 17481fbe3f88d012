package durable

import (
	"io/fs"
	"os"
	"path/filepath"
)

// writeWhole writes a temporary file beside the file, with a name that Sweep knows, and renames it.
func writeWhole(path string, content []byte, perm fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil {
		err = f.Chmod(perm)
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// SyncDir does nothing: Windows syncs no directory.
func SyncDir(string) error { return nil }
