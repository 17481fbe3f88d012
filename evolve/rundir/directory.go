// Package rundir reads and writes the directory of a run: its files, the lines of its log, and its
// checkpoints, written so that a run can be resumed exactly after a crash at any moment. It does
// not know how a population is bred, nor how its state is encoded.
package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
)

// Names in a run's directory. The program that starts a run may add others, such as the manifest
// and figures, which this package does not touch.
const (
	ManifestFile   = "manifest.json" // written by the program that starts the run
	LogFile        = "generations.jsonl"
	TimesFile      = "times.jsonl" // seconds of each generation; not part of the fingerprint
	ChampionFolder = "champions"
	LineageFile    = "lineage.csv"
	FigureFolder   = "figures" // written by the program that draws them
	StateFolder    = "checkpoints"
	DoneFile       = "done.json"
	lockFile       = ".lock"
)

// keep is the number of checkpoints that are kept.
const keep = 3

// ChampionFile names a champion's species file within the directory.
func ChampionFile(generation int) string {
	return fmt.Sprintf("%s/%07d.species", ChampionFolder, generation)
}

// CheckpointFile names the state before a generation within the directory.
func CheckpointFile(generation int) string {
	return fmt.Sprintf("%s/%010d.zst", StateFolder, generation)
}

// Directory is a run's directory, locked against a second writer.
type Directory struct {
	Path  string
	lock  io.Closer
	log   *os.File
	times *os.File
	timed int64 // length of the times
	at    LogPosition
	sum   hash.Hash // of the log
}

// LogPosition is a position in a log: the length in bytes up to it, and their SHA-256.
type LogPosition struct {
	Length int64
	Sum    [32]byte
}

// Create makes a run's directory, or opens one that holds no run yet.
func Create(path string) (*Directory, error) {
	for _, name := range []string{LogFile, DoneFile} {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			return nil, fmt.Errorf("%s already holds a run; resume it, or choose another directory", path)
		}
	}
	d, err := open(path)
	if err != nil {
		return nil, err
	}
	err = d.rewind(LogPosition{}, 0)
	if err == nil {
		err = d.record(nil)
	}
	if err != nil {
		d.Close()
		return nil, fmt.Errorf("cannot begin the log: %w", err)
	}
	return d, nil
}

// Open opens the directory of a run to be resumed. The caller must call Restore next.
func Open(path string) (*Directory, error) {
	if _, err := os.Stat(filepath.Join(path, StateFolder)); err != nil {
		return nil, fmt.Errorf("%s holds no run: %w", path, err)
	}
	return open(path)
}

// IsRun reports whether a path is a run directory.
func IsRun(path string) bool {
	_, err := packed.Stat(filepath.Join(path, ManifestFile))
	return err == nil
}

func open(path string) (*Directory, error) {
	for _, sub := range []string{"", ChampionFolder, StateFolder} {
		if err := os.MkdirAll(filepath.Join(path, sub), 0o777); err != nil {
			return nil, fmt.Errorf("cannot make the run's directory: %w", err)
		}
	}
	d := &Directory{Path: path}
	var err error
	if d.lock, err = durable.Lock(d.name(lockFile)); errors.Is(err, durable.ErrLocked) {
		return nil, fmt.Errorf("another process is at work in %s: %w", path, err)
	} else if err != nil {
		return nil, fmt.Errorf("cannot write to the run's directory: %w", err)
	}
	if d.log, err = os.OpenFile(d.name(LogFile), os.O_CREATE|os.O_RDWR, 0o666); err != nil {
		d.Close()
		return nil, fmt.Errorf("cannot open the run's log: %w", err)
	}
	return d, nil
}

// Close closes the files and releases the directory.
func (d *Directory) Close() error {
	errs := []error{d.lock.Close()}
	for _, f := range []*os.File{d.log, d.times} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

func (d *Directory) name(name string) string { return filepath.Join(d.Path, name) }

// Log returns the position at the end of the log.
func (d *Directory) Log() LogPosition {
	at := d.at
	d.sum.Sum(at.Sum[:0])
	return at
}

// replace writes a file of the run, whole or not at all.
func (d *Directory) replace(name string, sync bool, write func(io.Writer) error) error {
	if err := durable.Replace(d.name(name), sync, write); err != nil {
		return fmt.Errorf("cannot write %s: %w; what was saved before is whole", d.name(name), err)
	}
	return nil
}

// bytesTo returns a function that writes content.
func bytesTo(content []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}

// Restored is the content of a checkpoint.
type Restored struct {
	Generation int // the next one
	Log        LogPosition
	Ended      bool // the run is over
}

// Restore finds the newest sound checkpoint of a study, decodes it with a function, and truncates
// log and times to where they were when it was written. It skips damaged checkpoints with a
// warning. It returns the generation of the checkpoint, -1 if there is none and the run begins
// anew, and the content of done.json if the run had ended there and its files are unchanged.
func (d *Directory) Restore(study [32]byte, warn func(string),
	decode func(payload []byte) (Restored, error)) (int, *Done, error) {
	if err := d.sweep(); err != nil {
		return 0, nil, err
	}
	done, err := ReadDone(d.Path)
	if err == nil && done != nil {
		err = d.unchanged()
	}
	if err != nil {
		warn(err.Error() + "; it is made again")
		done = nil
	}
	generations, err := checkpoints(d.Path)
	if err != nil {
		return 0, nil, err
	}
	for _, g := range slices.Backward(generations) {
		name := d.name(CheckpointFile(g))
		var s Restored
		payload, err := state(d.Path, study, g)
		if err == nil {
			s, err = decode(payload)
		}
		if err == nil && !s.Ended {
			if err := d.retract(); err != nil {
				return 0, nil, err
			}
			done = nil
		}
		if err == nil {
			err = d.rewind(s.Log, s.Generation)
		}
		switch {
		case errors.Is(err, ErrStudy):
			return 0, nil, fmt.Errorf("%w (%s): its game, settings or seed differ from the ones "+
				"given", err, name)
		case errors.Is(err, ErrVersion):
			return 0, nil, fmt.Errorf("%w (%s); resume the run with that one", err, name)
		case err != nil:
			warn(fmt.Sprintf("skipped the checkpoint %s: %s", name, err))
		default:
			return g, done, nil
		}
	}
	if len(generations) > 0 {
		warn("no checkpoint is sound, so the run begins anew; it will be the same")
	}
	if err := d.retract(); err != nil {
		return 0, nil, err
	}
	if err := d.rewind(LogPosition{}, 0); err != nil {
		return 0, nil, fmt.Errorf("cannot begin the log anew: %w", err)
	}
	return -1, nil, nil
}

// state reads the state of a study's run before a generation.
func state(path string, study [32]byte, generation int) ([]byte, error) {
	file, err := packed.ReadFile(filepath.Join(path, CheckpointFile(generation)))
	if err != nil {
		return nil, err
	}
	return Unseal(study, file)
}

// noCheckpoint says that a run lacks a checkpoint; it is an fs.ErrNotExist.
type noCheckpoint string

func (e noCheckpoint) Error() string { return string(e) }
func (noCheckpoint) Unwrap() error   { return fs.ErrNotExist }

// Checkpoint reads a checkpoint of a run: that of the given generation or, if it is negative, the
// newest sound one. It returns the payload and the generation. It writes nothing, so it may be
// called during the run.
func Checkpoint(path string, study [32]byte, generation int) ([]byte, int, error) {
	generations, err := checkpoints(path)
	if err != nil {
		return nil, 0, err
	}
	if generation >= 0 {
		if !slices.Contains(generations, generation) {
			return nil, 0, noCheckpoint(fmt.Sprintf(
				"%s has no checkpoint of generation %d; it has %v", path, generation, generations))
		}
		generations = []int{generation}
	}
	for _, g := range slices.Backward(generations) {
		var payload []byte
		if payload, err = state(path, study, g); err == nil {
			return payload, g, nil
		}
		err = fmt.Errorf("%s: %w", filepath.Join(path, CheckpointFile(g)), err)
	}
	if err == nil {
		err = fmt.Errorf("%s has no checkpoint yet", path)
	}
	return nil, 0, err
}

// sweep removes unfinished files of a process that died.
func (d *Directory) sweep() error {
	for _, name := range []string{LineageFile, DoneFile, ChecksumFile, StateFolder + "/*",
		ChampionFolder + "/*"} {
		parts, err := fs.Glob(os.DirFS(d.Path), name+durable.Part)
		for _, p := range parts {
			err = errors.Join(err, os.Remove(d.name(p)))
		}
		if err != nil {
			return fmt.Errorf("cannot remove a half written file: %w", err)
		}
	}
	if err := errors.Join(durable.Sweep(d.Path, 0),
		durable.Sweep(d.name(FigureFolder), 0)); err != nil {
		return fmt.Errorf("cannot remove a half written file: %w", err)
	}
	return nil
}

// rewind truncates the log to a position and the times to a generation, or returns why it cannot.
// The beginning can always be reached.
func (d *Directory) rewind(at LogPosition, generation int) error {
	h := sha256.New()
	if _, err := d.log.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if n, err := io.CopyN(h, d.log, at.Length); err == io.EOF {
		return fmt.Errorf("%s has %d bytes where %d were written", LogFile, n, at.Length)
	} else if err != nil {
		return err
	}
	if at.Length > 0 && [32]byte(h.Sum(nil)) != at.Sum {
		return fmt.Errorf("%s was changed since it was written", LogFile)
	}
	if err := d.log.Truncate(at.Length); err != nil {
		return err
	}
	d.at, d.sum = at, h

	var damaged *durable.LineError // all times after the damage are dropped
	length, err := durable.EachLine(d.name(TimesFile),
		func(t *Times) bool { return t.Generation < generation })
	if err != nil && !errors.As(err, &damaged) {
		return err
	}
	if d.times != nil {
		d.times.Close()
	}
	d.times, err = durable.Append(d.name(TimesFile), length)
	d.timed = length
	return err
}

// retract removes done.json and the checksums of files that will change, for a run that goes on.
func (d *Directory) retract() error {
	if err := d.record(nil); err != nil {
		return err
	}
	err := os.Remove(d.name(DoneFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = durable.SyncDir(d.Path)
	}
	if err != nil {
		return fmt.Errorf("the run goes on, and what says that it had ended cannot be removed: %w", err)
	}
	return nil
}

// Append adds a line to the log, and one to the times.
func (d *Directory) Append(line *Line, times Times) error {
	row, err := json.Marshal(line)
	if err != nil {
		// a game gave a score that is not finite
		panic("rundir: a log line cannot be encoded: " + err.Error())
	}
	row = append(row, '\n')
	if _, err := d.log.WriteAt(row, d.at.Length); err != nil {
		return d.full(LogFile, err)
	}
	d.sum.Write(row)
	d.at.Length += int64(len(row))
	if row, err = times.encode(); err == nil {
		_, err = d.times.Write(append(row, '\n'))
	}
	if err != nil {
		return d.full(TimesFile, err)
	}
	d.timed += int64(len(row)) + 1
	return nil
}

// syncTimes syncs the times to disk, and returns an error if another program has changed the file.
func (d *Directory) syncTimes() error {
	if err := d.times.Sync(); err != nil {
		return d.full(TimesFile, err)
	}
	wrote, err := d.times.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(d.name(TimesFile))
	switch {
	case err != nil:
		return err
	case !os.SameFile(wrote, there):
		return fmt.Errorf("%s was replaced while the run went on; resume it", d.name(TimesFile))
	case there.Size() != d.timed:
		return fmt.Errorf("%s has %d bytes where %d were written, so another program has changed it; "+
			"resume the run", d.name(TimesFile), there.Size(), d.timed)
	}
	return nil
}

func (d *Directory) full(name string, err error) error {
	return fmt.Errorf("cannot write %s: %w; the last checkpoint is whole, so the run can "+
		"be resumed when there is room", d.name(name), err)
}

// WriteChampion writes a champion's species file, unless it is there already.
func (d *Directory) WriteChampion(generation int, species []byte) error {
	name := ChampionFile(generation)
	if have, err := os.ReadFile(d.name(name)); err == nil && bytes.Equal(have, species) {
		return nil
	}
	return d.replace(name, false, bytesTo(species))
}

// WriteCheckpoint writes a checkpoint and removes superfluous ones: all scheduled ones but the last
// three, and those that were written when the run was stopped. So the files at the end do not
// depend on how often it was stopped.
func (d *Directory) WriteCheckpoint(study [32]byte, generation int, payload []byte,
	scheduled func(generation int) bool) error {
	// the log first, since the checkpoint holds a position in it
	if err := d.log.Sync(); err != nil {
		return fmt.Errorf("cannot write the log to the disk: %w", err)
	}
	file, err := Seal(study, payload)
	if err != nil {
		return err
	}
	if err := d.replace(CheckpointFile(generation), true, bytesTo(file)); err != nil {
		return err
	}
	return d.Prune(generation, scheduled)
}

// checkpoints returns the generations of a run's checkpoint files, oldest first.
func checkpoints(path string) ([]int, error) {
	entries, err := packed.ReadDir(filepath.Join(path, StateFolder))
	if err != nil {
		return nil, fmt.Errorf("cannot read the checkpoints: %w", err)
	}
	var generations []int
	for _, e := range entries {
		g, err := strconv.Atoi(strings.TrimSuffix(e.Name(), ".zst"))
		if err == nil && e.Name() == filepath.Base(CheckpointFile(g)) {
			generations = append(generations, g)
		}
	}
	slices.Sort(generations)
	return generations, nil
}

// Prune removes the checkpoints that that of a generation makes superfluous, see WriteCheckpoint.
// It also removes those that an earlier process left because it died.
func (d *Directory) Prune(generation int, scheduled func(generation int) bool) error {
	all, err := checkpoints(d.Path)
	if err != nil {
		return err
	}
	kept, strays := 0, 0
	for _, g := range slices.Backward(all) {
		switch {
		case g > generation: // left after a damaged one was skipped; the run will overwrite it
			continue
		case scheduled(g) && kept < keep:
			kept++
			continue
		case !scheduled(g) && !scheduled(generation) && kept == 0 && strays < keep:
			strays++
			continue
		}
		if err := os.Remove(d.name(CheckpointFile(g))); err != nil {
			return fmt.Errorf("cannot remove an old checkpoint: %w", err)
		}
	}
	return nil
}
