package evolve

import (
	"bufio"
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
)

// Names in a run's directory. Whoever starts a run may put more there, such as the manifest and
// figures; evolve leaves all other names alone.
const (
	ManifestFile   = "manifest.json" // written by whoever starts the run, before Create or after
	LogFile        = "generations.jsonl"
	TimesFile      = "times.jsonl" // seconds a generation; not part of the fingerprint
	ChampionFolder = "champions"
	LineageFile    = "lineage.csv"
	FigureFolder   = "figures" // written by whoever draws them
	stateFolder    = "checkpoints"
	DoneFile       = "done.json"
	lockFile       = ".lock"
)

// besides is the ending of a file that is not whole yet.
const besides = ".part"

// keep is the number of checkpoints that are kept.
const keep = 3

// championFile names a champion's species file within the directory.
func championFile(generation int) string {
	return fmt.Sprintf("%s/%07d.species", ChampionFolder, generation)
}

// directory is a run's directory, locked against a second writer.
type directory struct {
	path   string
	lock   *os.File
	log    *os.File
	times  *os.File
	length int64     // of the log
	sum    hash.Hash // of the log
}

// openDirectory opens or creates a run's directory and locks it.
func openDirectory(path string) (*directory, error) {
	for _, sub := range []string{"", ChampionFolder, stateFolder} {
		if err := os.MkdirAll(filepath.Join(path, sub), 0o777); err != nil {
			return nil, fmt.Errorf("evolve: cannot make the run's directory: %w", err)
		}
	}
	lock, err := os.OpenFile(filepath.Join(path, lockFile), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("evolve: cannot write to the run's directory: %w", err)
	}
	if err := lockExclusively(lock); err != nil {
		lock.Close()
		return nil, fmt.Errorf("evolve: another process is at work in %s: %w", path, err)
	}
	d := &directory{path: path, lock: lock}
	if d.log, err = d.open(LogFile); err == nil {
		d.times, err = d.open(TimesFile)
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *directory) open(name string) (*os.File, error) {
	f, err := os.OpenFile(d.name(name), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("evolve: cannot open the run's log: %w", err)
	}
	return f, nil
}

// close closes what is open and gives the directory free.
func (d *directory) close() error {
	var errs []error
	for _, f := range []*os.File{d.log, d.times, d.lock} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

func (d *directory) name(parts ...string) string {
	return filepath.Join(append([]string{d.path}, parts...)...)
}

// replace writes a file beside its place and renames it, so that the name always stands for a whole
// file. Durable also means that both the content and the name have reached the disk when it
// returns.
func (d *directory) replace(name string, content []byte, durable bool) error {
	return d.replaceBy(name, durable, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// sweep removes files that the end of a process left half written.
func (d *directory) sweep() error {
	parts := []string{d.name(LineageFile + besides), d.name(DoneFile + besides)}
	for _, folder := range []string{stateFolder, ChampionFolder} {
		entries, err := os.ReadDir(d.name(folder))
		if err != nil {
			return fmt.Errorf("evolve: cannot look for half written files: %w", err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), besides) {
				parts = append(parts, d.name(folder, e.Name()))
			}
		}
	}
	for _, p := range parts {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("evolve: cannot remove a half written file: %w", err)
		}
	}
	return nil
}

func (d *directory) replaceBy(name string, durable bool, write func(io.Writer) error) (err error) {
	path := d.name(name)
	defer func() {
		if err != nil {
			os.Remove(path + besides)
			err = fmt.Errorf("evolve: cannot write %s: %w; what was saved before is whole", path,
				err)
		}
	}()
	f, err := os.Create(path + besides)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil && durable {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(path+besides, path)
	}
	if err == nil && durable {
		err = syncDirectory(filepath.Dir(path))
	}
	return err
}

// rewind takes the log back to a length at which it had a sum, or tells why it cannot. Length 0
// always can.
func (d *directory) rewind(length int64, sum [32]byte) error {
	h := sha256.New()
	if _, err := d.log.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if n, err := io.CopyN(h, d.log, length); err == io.EOF {
		return fmt.Errorf("%s has %d bytes where %d were written", LogFile, n, length)
	} else if err != nil {
		return err
	}
	if length > 0 && [32]byte(h.Sum(nil)) != sum {
		return fmt.Errorf("%s was changed since it was written", LogFile)
	}
	if err := d.log.Truncate(length); err != nil {
		return err
	}
	d.length, d.sum = length, h
	return nil
}

// rewindTimes drops the times from a generation on, and all behind a damaged line.
func (d *directory) rewindTimes(generation int) error {
	if _, err := d.times.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReader(d.times)
	length := int64(0)
	for {
		row, err := r.ReadBytes('\n')
		var t Times
		if err != nil || json.Unmarshal(row, &t) != nil || t.Generation >= generation {
			break
		}
		length += int64(len(row))
	}
	if err := d.times.Truncate(length); err != nil {
		return err
	}
	_, err := d.times.Seek(length, io.SeekStart)
	return err
}

// retract removes done.json, for a run that goes on.
func (d *directory) retract() error {
	err := os.Remove(d.name(DoneFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = syncDirectory(d.path)
	}
	if err != nil {
		return fmt.Errorf(
			"evolve: the run goes on, and what says that it had ended cannot be removed: %w", err)
	}
	return nil
}

// append adds a line to the log and its times to theirs.
func (d *directory) append(line *Line, times Times) error {
	row := line.encode()
	if _, err := d.log.WriteAt(row, d.length); err != nil {
		return fmt.Errorf("evolve: cannot write %s: %w; the last checkpoint is whole, so the run "+
			"can be resumed when there is room", d.name(LogFile), err)
	}
	d.sum.Write(row)
	d.length += int64(len(row))
	row, err := json.Marshal(times)
	if err == nil {
		_, err = d.times.Write(append(row, '\n'))
	}
	if err != nil {
		return fmt.Errorf("evolve: cannot write %s: %w; the last checkpoint is whole, so the run "+
			"can be resumed when there is room", d.name(TimesFile), err)
	}
	return nil
}

func (d *directory) logSum() (sum [32]byte) {
	copy(sum[:], d.sum.Sum(nil))
	return sum
}

// checkpoint is a file's generation.
func checkpointFile(generation int) string {
	return fmt.Sprintf("%s/%010d.zst", stateFolder, generation)
}

// checkpoints returns the generations of the checkpoint files, oldest first.
func (d *directory) checkpoints() ([]int, error) {
	entries, err := os.ReadDir(d.name(stateFolder))
	if err != nil {
		return nil, fmt.Errorf("evolve: cannot read the checkpoints: %w", err)
	}
	var generations []int
	for _, e := range entries {
		g, err := strconv.Atoi(strings.TrimSuffix(e.Name(), ".zst"))
		if err == nil && e.Name() == filepath.Base(checkpointFile(g)) {
			generations = append(generations, g)
		}
	}
	slices.Sort(generations)
	return generations, nil
}

// prune removes what a new checkpoint of a generation makes superfluous: all but the last three of
// the schedule, and those off the schedule, which were written when the run was stopped. So the
// files at the end do not tell how often it was.
func (d *directory) prune(generation int, scheduled func(int) bool) error {
	all, err := d.checkpoints()
	if err != nil {
		return err
	}
	kept, strays := 0, 0
	for _, g := range slices.Backward(all) {
		switch {
		case g > generation: // of a damaged past; the run will overwrite it
			continue
		case scheduled(g) && kept < keep:
			kept++
			continue
		case !scheduled(g) && !scheduled(generation) && kept == 0 && strays < keep:
			strays++
			continue
		}
		if err := os.Remove(d.name(checkpointFile(g))); err != nil {
			return fmt.Errorf("evolve: cannot remove an old checkpoint: %w", err)
		}
	}
	return nil
}

// Done is what done.json says: the end of a run.
type Done struct {
	Generations int           `json:"generations"`
	Matches     int64         `json:"matches"`
	Games       int64         `json:"games"` // of selection, in all generations
	Champion    *ChampionLine `json:"champion,omitempty"`
	// Fingerprint is the SHA-256, in hexadecimal digits, of all in the run that must repeat: study
	// and seed, log, champions, lineage and last state.
	Fingerprint string `json:"fingerprint"`
}

// ReadDone returns what a run's done.json says, nil for a run that has not ended.
func ReadDone(path string) (*Done, error) {
	content, err := os.ReadFile(filepath.Join(path, DoneFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("evolve: cannot read the end of the run: %w", err)
	}
	done := &Done{}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(done); err != nil || len(done.Fingerprint) != 64 {
		return nil, fmt.Errorf("evolve: %s is damaged; remove it and resume the run",
			filepath.Join(path, DoneFile))
	}
	return done, nil
}

// fingerprint hashes files, each with its name and length, and waits until they have reached the
// disk.
func (d *directory) fingerprint(h hash.Hash, names []string) error {
	for _, name := range names {
		f, err := os.OpenFile(d.name(name), os.O_RDWR, 0)
		if err != nil {
			return fmt.Errorf("evolve: cannot take the run's fingerprint: %w", err)
		}
		info, err := f.Stat()
		if err == nil {
			fmt.Fprintf(h, "%s %d\n", name, info.Size())
			_, err = io.Copy(h, f)
		}
		err = errors.Join(err, f.Sync())
		f.Close()
		if err != nil {
			return fmt.Errorf("evolve: cannot take the run's fingerprint: %w", err)
		}
	}
	return nil
}
