package rundir

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/gp"
)

// Fingerprint computes the fingerprint of a run that has ended from its files. Study is the hash of
// its setup.
func Fingerprint(path string, study [32]byte) (string, error) {
	done, err := ReadDone(path)
	if err != nil || done == nil {
		return "", err
	}
	file, err := packed.ReadFile(filepath.Join(path, CheckpointFile(done.Generations)))
	if err != nil {
		return "", err
	}
	state, err := Unseal(study, file)
	if err != nil {
		return "", err
	}
	return fingerprint(path, study, state)
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
	d := &Directory{Path: path}
	generations, err := d.checkpoints()
	if err != nil {
		return err
	}
	for _, g := range generations {
		if g > generation {
			if err := os.Remove(d.name(CheckpointFile(g))); err != nil {
				return err
			}
		}
	}
	return durable.SyncDir(d.name(StateFolder))
}
