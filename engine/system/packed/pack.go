package packed

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// most is how long an archive may become: from there on a zip's directory needs longer lines.
const most = math.MaxUint32 - 256<<20

// ErrFull says that an archive has no room for more.
var ErrFull = errors.New("a pack has 4 GB at most")

// Write puts folders of a directory into its archive, beside those that are in it. Files are left
// out for which skip is true. Nothing is removed: what lies in a folder counts before what is
// packed. The archive is whole at any time, and after an error as it was.
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
	files := map[string]*zip.File{} // that are in it
	var names []string
	before, err := zip.OpenReader(path)
	if err == nil {
		defer before.Close()
		for _, f := range before.File {
			folder, _, _ := strings.Cut(f.Name, "/")
			if !anew[folder] {
				files[f.Name], names = f, append(names, f.Name)
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
			case !e.Type().IsRegular() || len(name) > slot-entryLength-4:
				return fmt.Errorf("%s cannot be packed: it is no file, or its name is too long", name)
			}
			names = append(names, name)
			return nil
		})
		if err != nil {
			return err
		}
	}
	slices.Sort(names)
	length := &counter{w: out}
	w := zip.NewWriter(length)
	for _, name := range names {
		if f := files[name]; f != nil {
			err = w.Copy(f)
		} else {
			err = add(w, dir, name)
		}
		if err == nil && length.n+int64(len(names))*slot > most {
			err = ErrFull
		}
		if err != nil {
			return err
		}
	}
	if err := errors.Join(w.Close(), out.Sync()); err != nil {
		return err
	}
	return errors.Join(out.Close(), os.Rename(out.Name(), path))
}

// add adds a file. Its line in the directory is as long as any.
func add(w *zip.Writer, dir, name string) error {
	content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	h := &zip.FileHeader{Name: name, Method: zip.Deflate}
	if ext := filepath.Ext(name); ext == ".png" || ext == ".pdf" || ext == ".zst" {
		h.Method = zip.Store // it is compressed
	}
	// an extra field of an unknown kind, which readers pass over
	h.Extra = make([]byte, slot-entryLength-len(name))
	length := len(h.Extra) - 4
	copy(h.Extra, []byte{'c', 'l', byte(length), byte(length >> 8)})
	to, err := w.CreateHeader(h)
	if err == nil {
		_, err = to.Write(content)
	}
	return err
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
