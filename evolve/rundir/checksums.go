package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
)

// ChecksumFile lists the SHA-256 of the files that are final when a run ends, in the format of
// sha256sum. Its last line is a comment with the SHA-256 of the lines before, so that it protects
// itself, too.
const ChecksumFile = "checksums.sha256"

// ErrChanged is wrapped by the error for a file that is not as the run wrote it.
var ErrChanged = errors.New("was changed since it was written")

// Checksums are the SHA-256 of files, by their slash-separated paths in the run's directory.
type Checksums map[string][32]byte

// ReadChecksums reads the checksums of a run; nil where it has none, as in runs of earlier
// versions.
func ReadChecksums(dir string) (Checksums, error) {
	path := filepath.Join(dir, ChecksumFile)
	content, err := durable.ReadFile(path, durable.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the run's checksums: %w", err)
	}
	c := Checksums{}
	for line := range strings.Lines(string(content)) {
		var sum [32]byte
		digits, name, cut := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		n, err := hex.Decode(sum[:], []byte(digits[:min(64, len(digits))]))
		// An invalid path would lead out of the directory.
		if !cut || err != nil || n != 32 || !fs.ValidPath(name) {
			break
		}
		c[name] = sum
	}
	if body := c.body(); string(content) == string(body)+trailer(body) {
		return c, nil
	}
	return nil, fmt.Errorf("%s %w", path, ErrChanged)
}

// body returns the lines of the file but the last.
func (c Checksums) body() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&b, "%x  %s\n", c[name], name)
	}
	return b.Bytes()
}

func trailer(body []byte) string { return fmt.Sprintf("# %x\n", sha256.Sum256(body)) }

// write replaces the checksums of a run.
func (c Checksums) write(dir string) error {
	err := durable.Replace(filepath.Join(dir, ChecksumFile), true, func(w io.Writer) error {
		body := c.body()
		_, err := w.Write(append(body, trailer(body)...))
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot write the run's checksums: %w", err)
	}
	return nil
}

// longest is the greatest length of a run's file in bytes: a log or a lineage may be long.
const longest = 1 << 40

// check reads a file of a run, of at most the given bytes, and compares it with its checksum. The
// error wraps ErrChanged where they differ; a file without a checksum is not compared.
func (c Checksums) check(dir, name string, most int64) ([]byte, error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	content, err := durable.ReadFile(path, most)
	sum, listed := c[name]
	if listed && (err == nil && sha256.Sum256(content) != sum) {
		err = fmt.Errorf("%s %w", path, ErrChanged)
	}
	return content, err
}

// ReadFile reads a text, of at most durable.MaxText bytes, by its path. If it is in the directory
// of a run that has a checksum for it, ReadFile compares the two.
func ReadFile(path string) ([]byte, error) {
	dir, name := filepath.Split(path)
	if _, err := packed.Stat(filepath.Join(dir, ChecksumFile)); errors.Is(err, fs.ErrNotExist) {
		dir = filepath.Clean(dir) // the run's directory may be further up, as for champions
		dir, name = filepath.Dir(dir), filepath.Base(dir)+"/"+name
	}
	sums, err := ReadChecksums(dir)
	if err != nil {
		return nil, remedy(err, dir)
	}
	content, err := sums.check(dir, name, durable.MaxText)
	return content, remedy(err, dir)
}

// ReadLines reads the whole lines of a file that is written line by line, up to where its checksum
// was taken: the rest was left by a program that died, or is being written. Without a checksum it
// reads all lines. A file that does not exist has no lines.
func ReadLines(dir, name string) ([]byte, error) {
	sums, err := ReadChecksums(dir) // first, since lines are only ever added
	if err != nil {
		return nil, remedy(err, dir)
	}
	path := filepath.Join(dir, name)
	content, err := packed.ReadFile(path)
	sum, listed := sums[name]
	switch {
	case errors.Is(err, fs.ErrNotExist) && !listed:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, remedy(fmt.Errorf("%s is missing: it %w", path, ErrChanged), dir)
	case err != nil:
		return nil, err
	case sums == nil:
		return content[:bytes.LastIndexByte(content, '\n')+1], nil
	case !listed:
		return nil, nil
	}
	h, length := sha256.New(), 0
	for line := range bytes.Lines(content) {
		h.Write(line)
		if length += len(line); [32]byte(h.Sum(nil)) == sum {
			return content[:length], nil
		}
	}
	return nil, remedy(fmt.Errorf("%s %w", path, ErrChanged), dir)
}

// remedy adds a Problem's remedy to an error about a changed file.
func remedy(err error, dir string) error {
	if errors.Is(err, ErrChanged) {
		return &Problem{filepath.Clean(dir), Mend, fmt.Errorf("%w; mend the run", err)}
	}
	return err
}

// Record computes and stores the checksums of files in a run's directory. A name without a file
// loses its checksum. A run without checksums also gets one for its manifest.
func Record(dir string, names ...string) error {
	return remedy(change(dir, func(sums Checksums) error { return sums.take(dir, names...) }), dir)
}

// WriteFile writes a file of the run, whole or not at all, with its checksum.
func WriteFile(dir, name string, content []byte) error {
	err := change(dir, func(sums Checksums) error {
		sums[name] = sha256.Sum256(content)
		return nil
	})
	if err != nil {
		return remedy(err, dir)
	}
	return durable.WriteFile(filepath.Join(dir, name), content, 0o666)
}

// take computes the checksums of files.
func (c Checksums) take(dir string, names ...string) error {
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			delete(c, name)
		case err != nil:
			return fmt.Errorf("cannot take a checksum: %w", err)
		default:
			c[name] = sha256.Sum256(content)
		}
	}
	return nil
}

// change changes the stored checksums of a run. If there are none yet it adds that of the manifest
// first.
func change(dir string, do func(Checksums) error) error {
	sums, err := ReadChecksums(dir)
	if err != nil {
		return err
	}
	before := maps.Clone(sums)
	if sums == nil {
		sums = Checksums{}
		err = sums.take(dir, ManifestFile)
	}
	if err == nil {
		err = do(sums)
	}
	if err != nil || maps.Equal(before, sums) {
		return err
	}
	return sums.write(dir)
}

// record stores the checksums at the end of a run. nil means that the run goes on: checksums of
// files that breeding changes are dropped.
func (d *Directory) record(end Checksums) error {
	enter := func(sums Checksums) error {
		if end == nil {
			maps.DeleteFunc(sums, func(name string, _ [32]byte) bool {
				return name == LogFile || name == LineageFile || name == DoneFile ||
					path.Dir(name) == ChampionFolder
			})
		}
		maps.Copy(sums, end)
		return nil
	}
	err := change(d.Path, enter)
	if errors.Is(err, ErrChanged) {
		if err = os.Remove(d.name(ChecksumFile)); err == nil {
			err = change(d.Path, enter)
		}
	}
	return err
}
