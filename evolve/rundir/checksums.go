package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

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
	end := bytes.LastIndex(content, []byte("# "))
	if end < 0 || string(content[end:]) != trailer(content[:end]) {
		return nil, fmt.Errorf("%s %w", path, ErrChanged)
	}
	c, before := Checksums{}, ""
	for line := range strings.Lines(string(content[:end])) {
		digits, name, _ := strings.Cut(line, "  ")
		name, whole := strings.CutSuffix(name, "\n")
		sum, err := hex.DecodeString(digits)
		if err != nil || len(sum) != 32 || digits != strings.ToLower(digits) ||
			!whole || name <= before || // sorted, each once
			!fs.ValidPath(name) { // it would lead out of the directory
			return nil, fmt.Errorf("%s %w", path, ErrChanged)
		}
		before = name
		c[name] = [32]byte(sum)
	}
	return c, nil
}

func trailer(body []byte) string { return fmt.Sprintf("# %x\n", sha256.Sum256(body)) }

// encode returns the content of the file.
func (c Checksums) encode() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&b, "%x  %s\n", c[name], name)
	}
	return append(b.Bytes(), trailer(b.Bytes())...)
}

// longest is the greatest length of a run's file in bytes: a log or a lineage may be long.
const longest = 1 << 40

// check reads a file of a run, of at most the given bytes, and compares it with its checksum. The
// error wraps ErrChanged where they differ; a file without a checksum is not compared.
func (c Checksums) check(dir, name string, most int64) ([]byte, error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	content, err := durable.ReadFile(path, most)
	sum, listed := c[name]
	if listed && err == nil && sha256.Sum256(content) != sum {
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
	err = durable.WriteFile(filepath.Join(dir, ChecksumFile), sums.encode(), 0o666)
	if err != nil {
		err = fmt.Errorf("cannot write the run's checksums: %w", err)
	}
	return err
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

// A sealed payload is, in order: magic, the hash of the study (32 bytes), the length of the payload
// (8 bytes), the payload compressed with zstd, and the SHA-256 of all before it. The checksum is
// outside of the compression, so that it covers every byte.
const (
	family = "clade checkpoint "
	magic  = family + "1\n" // the number rises with every change of the format
)

// maxRatio bounds the length of a payload relative to its file, so that a wrong length cannot
// exhaust memory. A true payload compresses far less, since the ids of its individuals all differ.
const maxRatio = 1 << 10

// mostState is the greatest length of a payload in bytes, so that a foreign file cannot exhaust
// memory.
const mostState = 4 << 30

// Errors of Unseal.
var (
	errDamaged = errors.New("the checkpoint is damaged")
	ErrStudy   = errors.New("the checkpoint belongs to another study")
	ErrVersion = errors.New("the checkpoint was written by another version of clade")
)

// compressor is made once: each has 8 MB to clear. What it wrote before changes no byte.
var compressor = sync.OnceValue(func() *zstd.Encoder {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err) // an option is wrong
	}
	return encoder
})

// Seal returns the content of a checkpoint file: a compressed payload with a checksum and the hash
// of its study.
func Seal(study [32]byte, payload []byte) ([]byte, error) {
	if uint64(len(payload)) > mostState {
		return nil, fmt.Errorf("a state of %d bytes is too large for a checkpoint; %d are "+
			"the most", len(payload), uint64(mostState))
	}
	file := make([]byte, 0, len(payload)/3+256)
	file = append(file, magic...)
	file = append(file, study[:]...)
	file = binary.LittleEndian.AppendUint64(file, uint64(len(payload)))
	file = compressor().EncodeAll(payload, file)
	sum := sha256.Sum256(file)
	return append(file, sum[:]...), nil
}

// Unseal returns the payload that was sealed. The error wraps errDamaged for anything that Seal did
// not write, and is ErrVersion or ErrStudy for a sound file of another format or study.
func Unseal(study [32]byte, file []byte) ([]byte, error) {
	head := len(magic) + 32 + 8
	if len(file) < head+32 {
		return nil, fmt.Errorf("%w: it has only %d bytes", errDamaged, len(file))
	}
	body, sum := file[:len(file)-32], file[len(file)-32:]
	if actual := sha256.Sum256(body); !bytes.Equal(actual[:], sum) {
		return nil, fmt.Errorf("%w: its checksum is wrong", errDamaged)
	}
	if !bytes.HasPrefix(body, []byte(magic)) {
		if bytes.HasPrefix(body, []byte(family)) {
			return nil, ErrVersion
		}
		return nil, fmt.Errorf("%w: it is something else", errDamaged)
	}
	if !bytes.Equal(body[len(magic):len(magic)+32], study[:]) {
		return nil, ErrStudy
	}
	length := binary.LittleEndian.Uint64(body[head-8:])
	if length/maxRatio > uint64(len(file)) || length > mostState {
		return nil, fmt.Errorf("%w: its state cannot have %d bytes", errDamaged, length)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(max(length, 1<<20)))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	// allocated at full length: a growing buffer would take three times the memory
	payload, err := decoder.DecodeAll(body[head:], make([]byte, 0, length))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if uint64(len(payload)) != length {
		return nil, fmt.Errorf("%w: its state has %d bytes instead of %d", errDamaged, len(payload),
			length)
	}
	return payload, nil
}
