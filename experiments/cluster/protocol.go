package cluster

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"clade/engine/system/durable"
	"clade/experiments/cluster/broker"
)

// Broker carries work and results between coordinators and workers. Package broker implements it
// over NATS; its comments state the guarantees.
type Broker interface {
	// A queue hands each task to one worker at a time.
	Offer(ctx context.Context, subject string, content []byte) error
	Next(ctx context.Context) (broker.Task, error)
	Withdraw(ctx context.Context, subject string) error

	// Objects are named bytes: snapshots of runs, and epochs before and after they are bred.
	Put(ctx context.Context, name, by string, content []byte) error
	Get(ctx context.Context, name string) ([]byte, error)
	By(ctx context.Context, name string) (string, error)
	Remove(ctx context.Context, names ...string) error
	Objects(ctx context.Context, prefix string) ([]string, error)

	// Messages are questions with answers.
	Ask(ctx context.Context, subject string, question []byte) ([]byte, error)
	Answer(subject string, answer func(question []byte) []byte) (stop func(), err error)

	// Announce publishes the state of a worker, and Hear receives such announcements.
	Announce(worker string, content []byte) error
	Hear(hear func(worker string, content []byte)) (stop func(), err error)
}

// fetch returns the object that has the SHA-256; another one in its place is an error.
func fetch(ctx context.Context, b Broker, name string, sum []byte) ([]byte, error) {
	content, err := b.Get(ctx, name)
	if is := sha256.Sum256(content); err == nil && !bytes.Equal(is[:], sum) {
		err = fmt.Errorf("%s is %w", name, errSwapped)
	}
	return content, err
}

// errSwapped is wrapped by the error of fetch for an object other than the expected one.
var errSwapped = errors.New("not what was handed over")

// task is a run to be done, or an epoch of one, which is sealed in the store. The subject names it.
type task struct {
	Program string `json:"program"` // version of the coordinator's
	Study   string `json:"study"`   // in TOML
	Name    string `json:"name"`    // of the study
	// Sum is the SHA-256 of an epoch's object, or any worker could put another in its place.
	Sum []byte `json:"sum,omitempty"`
}

// result is what a worker reports to the coordinator of a run or an epoch: what was bred, or how a
// try to breed it ended. With neither it asks whether it is to try.
type result struct {
	Key  string `json:"key"`
	Host string `json:"host"`
	Sum  []byte `json:"sum,omitempty"` // SHA-256 of what was bred, which is in the store
	// Before are those that had a part in the run before, as the snapshots say from which it was
	// continued; see mostBefore.
	Before []string `json:"before,omitempty"`
	// Generation is the one from which a try of a run continues.
	Generation int    `json:"generation,omitempty"`
	Error      string `json:"error,omitempty"` // what the try failed in
	Back       bool   `json:"back,omitempty"`  // what it ended in is not the work's fault
}

// mostBefore is how many workers are named that had a part in a run before: the first of them.
const mostBefore = 100

// answer is the coordinator's answer to a result.
type answer struct {
	Stored  bool   `json:"stored,omitempty"`   // it is on the disk, or is not wanted any more
	Wait    bool   `json:"wait,omitempty"`     // it is being bred again, to compare; ask again
	ShutOut bool   `json:"shut_out,omitempty"` // nothing of this worker is taken any more
	Anew    bool   `json:"anew,omitempty"`     // the run must be begun from nothing
	Error   string `json:"error,omitempty"`    // why it was not taken
}

// workName returns the name of a run of a sweep, or of an epoch of a run, and of its object in the
// store: the newest snapshot of the run, at last the whole run, or the sealed epoch. What a worker
// makes of an epoch has the same name with that of the worker behind it.
func workName(id, key string) string { return id + "." + key }

// limits bound the content of a snapshot, so that a wrong one cannot fill a disk, nor take hours to
// write and to remove.
type limits struct {
	files, depth int   // of folders in one another
	file, all    int64 // bytes of a file, and of all together
}

// most returns the limits of a run directory.
func most() limits { return limits{files: 100_000, depth: 4, file: 2 << 30, all: 4 << 30} }

// snapshot returns a run directory as a compressed archive, without locks and unfinished files. The
// run may be under way: checkpoints are read before the log, which then holds at least the
// generations that they refer to.
func snapshot(dir string) ([]byte, error) {
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

// restore writes the files of a snapshot into a directory, where they are on the disk when it
// returns. It refuses names that lead out of the directory, and more than a run directory may hold.
// After an error some of the files are there.
func restore(archive []byte, dir string) error {
	if err := restoreWithin(archive, dir, most()); err != nil {
		return fmt.Errorf("cannot restore a snapshot in %s: %w", dir, err)
	}
	return nil
}

func restoreWithin(archive []byte, dir string, left limits) error {
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
