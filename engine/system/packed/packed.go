// Package packed reads folders that were put into one archive like folders on disk: a parallel file
// system serves one large file better than a hundred thousand small ones. It does not know what is
// in them.
//
// A folder whose name is 16 hexadecimal digits is at its path, or in runs.zip in the same
// directory, an ordinary zip file.
package packed

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// File is the name of an archive.
const File = "runs.zip"

// folder is the name of a folder that may be packed.
var folder = regexp.MustCompile(`^[0-9a-f]{16}$`)

// ReadFile is os.ReadFile for files that may be packed.
func ReadFile(name string) ([]byte, error) {
	content, err := os.ReadFile(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return content, err
	}
	return within(name, err, func(a *archive, name string) ([]byte, error) {
		return fs.ReadFile(a, name)
	})
}

// EvalSymlinks is filepath.EvalSymlinks. For a packed file it resolves the path of the archive.
func EvalSymlinks(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	return within(name, err, func(a *archive, name string) (string, error) {
		if _, err := fs.Stat(a, name); err != nil {
			return "", err
		}
		return filepath.EvalSymlinks(a.path)
	})
}

// Stat is os.Stat. The time of a packed file is that of its archive.
func Stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	return within(name, err, func(a *archive, name string) (fs.FileInfo, error) {
		info, err := fs.Stat(a, name)
		return dated{info, a.info.ModTime()}, err
	})
}

// Writable returns an error for a folder that is in an archive, where nothing can be changed: what
// was written to its path would hide it.
func Writable(dir string) error {
	if _, err := os.Lstat(dir); err == nil {
		return nil
	}
	if _, err := Stat(dir); err != nil {
		return nil
	}
	return fmt.Errorf("%s is packed in %s, where nothing can be changed; unpack it first "+
		"(clade pack --help tells how)", filepath.Clean(dir), File)
}

// dated is the information on a file with another time.
type dated struct {
	fs.FileInfo
	changed time.Time
}

func (d dated) ModTime() time.Time { return d.changed }

// ReadDir is os.ReadDir. It lists packed folders among the others.
func ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return within(name, err, func(a *archive, name string) ([]fs.DirEntry, error) {
			return fs.ReadDir(a, name)
		})
	case err != nil || !slices.ContainsFunc(entries,
		func(e fs.DirEntry) bool { return e.Name() == File }):
		return entries, err
	}
	a, err := open(filepath.Join(name, File))
	if a == nil {
		return entries, err
	}
	packed, err := fs.ReadDir(a, ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.path, err)
	}
	entries = append(entries, packed...)
	// of a folder that is on disk and packed, the one on disk comes first and is kept
	order := func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }
	slices.SortStableFunc(entries, order)
	return slices.CompactFunc(entries, func(a, b fs.DirEntry) bool { return order(a, b) == 0 }), nil
}

// Glob lists the files of a folder within a directory whose names match a pattern, sorted.
func Glob(dir, folder, pattern string) (names []string, err error) {
	entries, err := ReadDir(filepath.Join(dir, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if match, bad := path.Match(pattern, e.Name()); bad != nil {
			return nil, bad
		} else if match {
			names = append(names, folder+"/"+e.Name())
		}
	}
	return names, err
}

// within reads from an archive, by the name in it. Without an archive or that name it returns the
// error missing.
func within[T any](name string, missing error, read func(*archive, string) (T, error)) (T, error) {
	var none T
	parts := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	for i, part := range slices.Backward(parts) {
		if !folder.MatchString(part) {
			continue
		}
		beside := strings.Join(parts[:i], "/")
		if beside == "" && i > 0 {
			beside = "/"
		}
		a, err := open(filepath.Join(filepath.FromSlash(beside), File))
		if err != nil {
			return none, err
		} else if a == nil {
			continue
		}
		wanted := strings.Join(parts[i:], "/")
		v, err := read(a, wanted)
		if errors.Is(err, fs.ErrNotExist) {
			return none, missing
		} else if err != nil {
			return none, fmt.Errorf("%s in %s: %w", wanted, a.path, err)
		}
		return v, nil
	}
	return none, missing
}

// archive is an open file of packed folders.
type archive struct {
	fs.FS
	path string
	info fs.FileInfo // when it was opened
}

// opened caches the archives that were read last, because reading the directory of an archive takes
// longer than reading a file in it. One that leaves the cache is closed by the garbage collector,
// as an os.File.
var opened = struct {
	sync.Mutex
	byPath map[string]*archive
}{byPath: map[string]*archive{}}

// open returns the present archive, nil if there is none.
func open(name string) (*archive, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	opened.Lock()
	defer opened.Unlock()
	a := opened.byPath[name]
	if a != nil && os.SameFile(a.info, info) && a.info.Size() == info.Size() &&
		a.info.ModTime().Equal(info.ModTime()) {
		return a, nil
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(opened.byPath) >= 8 {
		clear(opened.byPath)
	}
	a = &archive{z, name, info}
	opened.byPath[name] = a
	return a, nil
}

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
