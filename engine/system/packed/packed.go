// Package packed reads the folders that were put into one file, as it reads those that were not: a
// parallel file system bears one large file better than a hundred thousand small ones. It does not
// know what is in them.
//
// A folder named by 16 hexadecimal digits lies where its path says, or in the file runs.zip beside
// it. That is a usual zip, but that its directory is sorted and every line of it has the same
// length, so that a file is found by halving, without reading the directory.
package packed

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
)

// File is the name of the file.
const File = "runs.zip"

// IsFolder tells whether a folder of this name may be packed.
func IsFolder(name string) bool { return folder.MatchString(name) }

var folder = regexp.MustCompile(`^[0-9a-f]{16}$`)

// ReadFile is os.ReadFile.
func ReadFile(name string) ([]byte, error) {
	content, err := os.ReadFile(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return content, err
	}
	a, at := find(name)
	if a == nil {
		return nil, err
	}
	defer a.Close()
	if at == a.entries || a.name(at) != a.wanted {
		return nil, fault(a, err)
	}
	if content, err = a.read(at); err != nil {
		return nil, fmt.Errorf("%s in %s: %w", a.wanted, a.path, err)
	}
	return content, nil
}

// fault returns what went wrong in the archive, or else the error of the file system.
func fault(a *archive, err error) error {
	if a.err != nil {
		return fmt.Errorf("%s: %w", a.path, a.err)
	}
	return err
}

// EvalSymlinks is filepath.EvalSymlinks; of what is packed, it returns where the archive lies.
func EvalSymlinks(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, packed := Stat(name); packed != nil {
		return "", err
	}
	a, _ := find(name)
	if a == nil {
		return "", err // it has gone meanwhile
	}
	defer a.Close()
	return filepath.EvalSymlinks(a.path)
}

// Stat is os.Stat.
func Stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	a, at := find(name)
	if a == nil {
		return nil, err
	}
	defer a.Close()
	if at < a.entries && a.name(at) == a.wanted {
		return a.info(at), nil
	}
	if at = a.search(a.wanted + "/"); at < a.entries && strings.HasPrefix(a.name(at), a.wanted+"/") {
		return &entry{name: path.Base(a.wanted), folder: true, written: a.written}, nil
	}
	return nil, fault(a, err)
}

// ReadDir is os.ReadDir. The packed folders of a folder stand among those that are not.
func ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a, _ := find(name)
		if a == nil {
			return nil, err
		}
		defer a.Close()
		packed := a.list(a.wanted + "/")
		if len(packed) == 0 {
			return nil, fault(a, err)
		}
		return packed, a.err
	case err != nil || !slices.ContainsFunc(entries,
		func(e fs.DirEntry) bool { return e.Name() == File }):
		return entries, err
	}
	a := open(filepath.Join(name, File))
	if a == nil {
		return entries, nil
	}
	defer a.Close()
	have := map[string]bool{}
	for _, e := range entries {
		have[e.Name()] = true
	}
	for _, e := range a.list("") {
		if !have[e.Name()] {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if a.err != nil {
		return nil, fmt.Errorf("%s: %w", a.path, a.err)
	}
	return entries, nil
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

// archive is an open file of packed folders. The first error stays.
type archive struct {
	*os.File
	path    string
	wanted  string // name in it
	begins  int64  // of the directory
	entries int
	written time.Time
	err     error
}

// find opens the archive that may hold a file, and finds the first entry that is not before it; nil
// where there is no archive.
func find(name string) (a *archive, at int) {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if !IsFolder(parts[i]) {
			continue
		}
		beside := strings.Join(parts[:i], "/")
		if beside == "" && i > 0 {
			beside = "/"
		}
		if a := open(filepath.Join(filepath.FromSlash(beside), File)); a != nil {
			a.wanted = strings.Join(parts[i:], "/")
			return a, a.search(a.wanted)
		}
	}
	return nil, 0
}

// Of a zip, as its specification (APPNOTE.TXT 6.3.10, sections 4.3 and 4.4) has it.
const (
	endLength     = 22  // of the end of the directory, without a comment
	locatorLength = 20  // of what says where the end of a long one is
	end64Length   = 56  // of that
	localLength   = 30  // of what stands before a file
	entryLength   = 46  // of a line of the directory, without name and extra field
	slot          = 256 // of a line here, with both
)

func open(name string) *archive {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil
	}
	a := &archive{File: f, path: name, written: info.ModTime()}
	tail := a.bytes(info.Size()-endLength, endLength)
	if a.err == nil && binary.LittleEndian.Uint32(tail) != 0x06054b50 {
		a.fail("it is no zip that clade pack has written")
	}
	if a.err != nil {
		return a
	}
	a.entries = int(binary.LittleEndian.Uint16(tail[10:]))
	length := int64(binary.LittleEndian.Uint32(tail[12:]))
	a.begins = int64(binary.LittleEndian.Uint32(tail[16:]))
	if a.entries == 0xffff {
		at := binary.LittleEndian.Uint64(a.bytes(info.Size()-endLength-locatorLength, locatorLength)[8:])
		long := a.bytes(int64(at), end64Length)
		a.entries = int(binary.LittleEndian.Uint64(long[32:]))
		length = int64(binary.LittleEndian.Uint64(long[40:]))
		a.begins = int64(binary.LittleEndian.Uint64(long[48:]))
	}
	if length != int64(a.entries)*slot || a.begins < 0 || a.begins+length > info.Size() {
		a.entries = 0
		a.fail("it is no zip that clade pack has written")
	}
	return a
}

func (a *archive) fail(why string) {
	if a.err == nil {
		a.err = errors.New(why)
	}
}

// bytes reads some bytes, zeros after an error.
func (a *archive) bytes(at int64, length int) []byte {
	b := make([]byte, length)
	if a.err == nil {
		_, a.err = a.ReadAt(b, max(0, at))
	}
	return b
}

// line returns a line of the directory.
func (a *archive) line(at int) []byte { return a.bytes(a.begins+int64(at)*slot, slot) }

func nameIn(line []byte) string {
	length := min(int(binary.LittleEndian.Uint16(line[28:])), slot-entryLength)
	return string(line[entryLength : entryLength+length])
}

func (a *archive) name(at int) string { return nameIn(a.line(at)) }

// search returns the first entry whose name is not before a name.
func (a *archive) search(name string) int {
	return sort.Search(a.entries, func(i int) bool { return a.name(i) >= name })
}

// list lists what is directly in a folder, whose name ends in a slash.
func (a *archive) list(within string) (all []fs.DirEntry) {
	for at := a.search(within); at < a.entries; {
		name := a.name(at)
		rest, inside := strings.CutPrefix(name, within)
		if !inside || a.err != nil {
			break
		}
		if child, _, deeper := strings.Cut(rest, "/"); deeper {
			all = append(all, &entry{name: child, folder: true, written: a.written})
			at = a.search(within + child + "0") // '0' follows '/'
		} else {
			all = append(all, a.info(at))
			at++
		}
	}
	return all
}

func (a *archive) info(at int) *entry {
	line := a.line(at)
	return &entry{name: path.Base(nameIn(line)), written: a.written,
		size: int64(binary.LittleEndian.Uint32(line[24:]))}
}

// read returns the content of an entry.
func (a *archive) read(at int) ([]byte, error) {
	line := a.line(at)
	method, sum := binary.LittleEndian.Uint16(line[10:]), binary.LittleEndian.Uint32(line[16:])
	packed, size := int64(binary.LittleEndian.Uint32(line[20:])), binary.LittleEndian.Uint32(line[24:])
	begins := int64(binary.LittleEndian.Uint32(line[42:]))
	local := a.bytes(begins, localLength)
	begins += localLength + int64(binary.LittleEndian.Uint16(local[26:])) +
		int64(binary.LittleEndian.Uint16(local[28:]))
	if a.err != nil {
		return nil, a.err
	}
	var from io.Reader = io.NewSectionReader(a, begins, packed)
	if method != 0 {
		from = flate.NewReader(from)
	}
	var b bytes.Buffer
	_, err := io.Copy(&b, io.LimitReader(from, int64(size)+1))
	if err == nil && (b.Len() != int(size) || crc32.ChecksumIEEE(b.Bytes()) != sum) {
		err = errors.New("it is damaged")
	}
	return b.Bytes(), err
}

// entry is a file or folder in an archive.
type entry struct {
	name    string
	folder  bool
	size    int64
	written time.Time // the archive
}

func (e *entry) Name() string               { return e.name }
func (e *entry) IsDir() bool                { return e.folder }
func (e *entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e *entry) Info() (fs.FileInfo, error) { return e, nil }
func (e *entry) Size() int64                { return e.size }
func (e *entry) ModTime() time.Time         { return e.written }
func (e *entry) Sys() any                   { return nil }

func (e *entry) Mode() fs.FileMode {
	if e.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
