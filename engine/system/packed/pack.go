package packed

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Write adds folders of a directory to its archive. It leaves out files for which skip returns
// true. It does not remove the folders, which are read before packed ones of the same name. The
// archive is whole at any time, and unchanged after an error.
func Write(dir string, folders []string, skip func(name string) bool) (err error) {
	path := filepath.Join(dir, File)
	out, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, out.Close(), os.Remove(out.Name()))
		}
	}()
	anew := map[string]bool{}
	for _, f := range folders {
		anew[f] = true
	}
	w := zip.NewWriter(out)
	before, err := zip.OpenReader(path)
	if err == nil {
		defer before.Close()
		for _, f := range before.File {
			if folder, _, _ := strings.Cut(f.Name, "/"); anew[folder] {
				continue
			}
			if err := w.Copy(f); err != nil {
				return err
			}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, folder := range folders {
		err := fs.WalkDir(os.DirFS(dir), folder, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && skip(e.Name()):
				return fs.SkipDir
			case e.IsDir() || skip(e.Name()):
				return nil
			case !e.Type().IsRegular():
				return fmt.Errorf("%s cannot be packed: it is no file", name)
			}
			return add(w, dir, name)
		})
		if err != nil {
			return err
		}
	}
	if err := errors.Join(w.Close(), out.Sync()); err != nil {
		return err
	}
	return errors.Join(out.Close(), os.Rename(out.Name(), path))
}

// Header returns the header of a compressed entry. Its date is the first that the format has: the
// same files give the same bytes.
func Header(name string) *zip.FileHeader {
	return &zip.FileHeader{Name: name, Method: zip.Deflate,
		Modified: time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)}
}

// add adds a file.
func add(w *zip.Writer, dir, name string) error {
	content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	h := Header(name)
	if ext := filepath.Ext(name); ext == ".png" || ext == ".pdf" || ext == ".zst" {
		h.Method = zip.Store // it is compressed already
	}
	to, err := w.CreateHeader(h)
	if err == nil {
		_, err = to.Write(content)
	}
	return err
}
