package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/gp"
)

// Finish ends a run: it writes the lineage, the checksums and, last of all, done.json, in which it
// fills in the fingerprint. Champions are the generations that have one, in order.
func (d *Directory) Finish(study [32]byte, state []byte, champions []int,
	lineage func(io.Writer) error, done *Done) error {
	if err := d.replace(LineageFile, true, lineage); err != nil {
		return err
	}
	if err := durable.SyncDir(d.name(ChampionFolder)); err != nil {
		return fmt.Errorf("cannot write the champions to the disk: %w", err)
	}
	err := d.syncTimes()
	if err != nil {
		return err
	}
	var sums Checksums
	if done.Fingerprint, sums, err = d.fingerprint(study, state, champions); err != nil {
		return err
	}
	content, err := json.MarshalIndent(done, "", "  ")
	if err != nil {
		return err
	}
	content = append(content, '\n')
	sums[DoneFile] = sha256.Sum256(content)
	if err := d.record(sums); err != nil {
		return err
	}
	return d.replace(DoneFile, true, bytesTo(content))
}

// fingerprint returns the fingerprint of a run, and the checksums of the files that are part of it,
// which must be synced.
func (d *Directory) fingerprint(study [32]byte, state []byte, champions []int) (string, Checksums,
	error) {
	h, sums := sha256.New(), Checksums{}
	h.Write(study[:])
	h.Write(state)
	names := []string{LogFile, LineageFile}
	for _, g := range champions {
		names = append(names, ChampionFile(g))
	}
	for _, name := range names {
		f, err := os.OpenFile(d.name(name), os.O_RDWR, 0)
		if err == nil {
			sums[name], err = digest(h, name, f)
			err = errors.Join(err, f.Sync(), f.Close())
		}
		if err != nil {
			return "", nil, fmt.Errorf("cannot take the run's fingerprint: %w", err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), sums, nil
}

// digest hashes a file with its name and length, and returns its own checksum.
func digest(h io.Writer, name string, f fs.File) (sum [32]byte, err error) {
	if isChampion(name) {
		content, err := io.ReadAll(f)
		bare := gp.WithoutSettings(content)
		fmt.Fprintf(h, "%s %d\n%s", name, len(bare), bare)
		return sha256.Sum256(content), err
	}
	info, err := f.Stat()
	if err != nil {
		return sum, err
	}
	fmt.Fprintf(h, "%s %d\n", name, info.Size())
	own := sha256.New()
	_, err = io.Copy(io.MultiWriter(h, own), f)
	return [32]byte(own.Sum(nil)), err
}

// unchanged returns an error for a file that has changed since the run ended and that the run can
// make again.
func (d *Directory) unchanged() error {
	sums, err := ReadChecksums(d.Path)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if name == LineageFile || filepath.Dir(name) == ChampionFolder {
			if _, err := sums.check(d.Path, name, longest); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadDone returns the content of a run's done.json, nil for a run that has not ended.
func ReadDone(path string) (*Done, error) {
	content, err := ReadFile(filepath.Join(path, DoneFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the end of the run: %w", err)
	}
	done, err := parseDone(content)
	if err != nil {
		return nil, fmt.Errorf("%s %w; remove it and resume the run", filepath.Join(path, DoneFile), err)
	}
	return done, nil
}

func parseDone(content []byte) (*Done, error) {
	done := &Done{}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(done); err != nil || len(done.Fingerprint) != 64 {
		return nil, errors.New("is damaged")
	}
	return done, nil
}

// Fingerprint computes the fingerprint of a run that has ended from its files. Study is the hash of
// its setup.
func Fingerprint(path string, study [32]byte) (string, error) {
	done, err := ReadDone(path)
	if err != nil || done == nil {
		return "", err
	}
	last, err := state(path, study, done.Generations)
	if err != nil {
		return "", err
	}
	return fingerprint(path, study, last)
}

// fingerprint computes the fingerprint of a run whose last state is known.
func fingerprint(path string, study [32]byte, state []byte) (string, error) {
	champions, err := packed.Glob(path, ChampionFolder, "*.species") // sorted by generation
	if err != nil {
		return "", err
	}
	h := sha256.New()
	h.Write(study[:])
	h.Write(state)
	for _, name := range append([]string{LogFile, LineageFile}, champions...) {
		content, err := packed.ReadFile(filepath.Join(path, name))
		if err != nil {
			return "", err
		}
		if isChampion(name) {
			content = gp.WithoutSettings(content)
		}
		fmt.Fprintf(h, "%s %d\n", name, len(content))
		if _, err := h.Write(content); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// isChampion tells whether a file is a champion's species. Fingerprints leave out the settings in
// it, so that those of runs from before species had settings stay valid. Nothing is lost: the study
// in every fingerprint has all settings, and checksums are of whole files.
func isChampion(name string) bool { return strings.HasPrefix(name, ChampionFolder+"/") }

// TakeBack removes the checkpoints after a generation, so that the run is resumed from an earlier
// one, or from its beginning. No process may have the directory open.
func TakeBack(path string, generation int) error {
	generations, err := checkpoints(path)
	if err != nil {
		return err
	}
	for _, g := range generations {
		if g > generation {
			if err := os.Remove(filepath.Join(path, CheckpointFile(g))); err != nil {
				return err
			}
		}
	}
	return durable.SyncDir(filepath.Join(path, StateFolder))
}
