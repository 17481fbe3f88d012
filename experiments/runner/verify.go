package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"clade/engine/system/packed"
	"clade/evolve/rundir"
	"clade/experiments/player"
)

// Verify recomputes the checksums of a run's files and its fingerprint. It plays nothing and starts
// no player.
func Verify(scope player.Scope, dir string) (*rundir.Verified, error) {
	m, err := readManifest(dir, packed.ReadFile) // rundir.Verify checks it
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var hash *[32]byte
	if err == nil {
		hash, err = m.hash(scope, dir)
	}
	v, failed := rundir.Verify(dir, hash)
	if failed == nil && err != nil {
		v.Unchecked = append(v.Unchecked, "checkpoints and fingerprint: "+err.Error())
	}
	return v, failed
}

// hash returns the hash of the run's setup.
func (m *Manifest) hash(scope player.Scope, dir string) (*[32]byte, error) {
	r, err := m.run(scope, dir)
	if err != nil {
		return nil, err
	}
	setup, err := m.setup(r.Study, r.Game)
	if err != nil {
		return nil, err
	}
	hash := setup.Hash()
	return &hash, nil
}

// Mend restores what can be restored of a run in which Verify found faults, and its checksums if it
// has none: lineage and champions from its last state, its log by breeding from the newest state
// before the damage, measurements by playing, figures by drawing. It removes damaged checkpoints
// that nothing needs. A manifest cannot be restored.
func Mend(ctx context.Context, scope player.Scope, dir string,
	found *rundir.Verified, o Options) (*Summary, error) {
	var remove []string
	for _, f := range found.Faults {
		switch {
		case f.File == rundir.ManifestFile:
			return nil, fmt.Errorf("%s cannot be made again, nor anything without it",
				filepath.Join(dir, f.File))
		case filepath.Dir(f.File) == rundir.ChampionFolder, filepath.Ext(f.File) == ".zst":
			remove = append(remove, f.File)
		}
	}
	sums, err := rundir.ReadChecksums(dir)
	if sums == nil { // nobody knows whether these are as they were
		remove = append(remove, rundir.ChecksumFile, rundir.DoneFile, MeasureFile)
	}
	if err != nil && !errors.Is(err, rundir.ErrChanged) {
		return nil, err
	}
	before, _ := rundir.ReadDone(dir) // a damaged one is made again
	for _, name := range remove {
		err := os.Remove(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	r, err := Open(scope, dir)
	if err != nil {
		return nil, err
	}
	sum, err := r.Resume(ctx, o)
	if err == nil && before != nil && before.Fingerprint != sum.Fingerprint {
		err = fmt.Errorf("%s had the fingerprint %s, and what was made again has %s: the run was "+
			"bred by a version of clade that breeds otherwise", dir, before.Fingerprint,
			sum.Fingerprint)
	}
	return sum, err
}
