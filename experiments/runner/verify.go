package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"clade/analysis"
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

// Observation is one measured number of a run: a row of tidy data.
type Observation struct {
	Generation int
	// as in the figures' data; measures of the log and of champions have different names
	Measure string
	Against string // player, for what is measured in games against one; else empty
	Value   float64
	Games   int // that the value is a mean over; 0 where it comes from no games
	// of the run up to and with the generation, with the games of the stages before; seconds that are
	// lost are NaN
	Spent Cost
}

// Observations returns all numbers of a run that is over, in the order of its files: the log, with
// the games of selection up to each generation, the champions' measurements, and the final
// measurements against the built-in players, whose measures have the prefix "final_".
func (r *Run) Observations() ([]Observation, error) {
	curves, _, err := r.curves()
	if err != nil {
		return nil, err
	}
	var all []Observation
	for _, s := range curves {
		for i, g := range s.Generation {
			all = append(all, Observation{Generation: g, Measure: string(s.Measure), Value: s.Value[i]})
		}
	}
	var spent []Cost // by generation
	err = readLog(r, func(l *struct {
		Generation int   `json:"generation"`
		Games      int64 `json:"games"`
		RaceGames  int64 `json:"race_games"`
	}) {
		c := Cost{Games: r.Before}
		if n := len(spent); n > 0 {
			c = spent[n-1]
		}
		c.Add(Cost{Games: l.Games, RaceGames: l.RaceGames})
		spent = append(spent, c)
		all = append(all, Observation{Generation: l.Generation, Measure: "selection_games",
			Value: float64(c.Games)}, Observation{Generation: l.Generation, Measure: "race_games",
			Value: float64(l.RaceGames)})
	})
	if err != nil {
		return nil, err
	}
	measured, err := r.Measurements()
	if err != nil {
		return nil, err
	}
	for _, m := range measured {
		all = append(all, m.observations("")...)
	}
	sum, err := ReadSummary(r.Dir)
	if err != nil {
		return nil, err
	}
	if sum != nil {
		for _, m := range sum.Final {
			m.Generation = sum.Generations - 1
			all = append(all, m.observations("final_")...)
		}
	}
	if err := r.addSeconds(spent); err != nil {
		return nil, err
	}
	for i, o := range all {
		if o.Generation >= 0 && o.Generation < len(spent) {
			all[i].Spent = spent[o.Generation]
		}
	}
	return all, nil
}

// addSeconds adds the accumulated time of each generation to its cost; NaN from the first
// generation on whose time is lost.
func (r *Run) addSeconds(spent []Cost) error {
	took := make([]float64, len(spent))
	for i := range took {
		took[i] = math.NaN()
	}
	err := r.eachTime(func(t *rundir.Times) {
		if t.Generation >= 0 && t.Generation < len(took) {
			took[t.Generation] = t.Seconds
		}
	})
	sum := 0.0
	for i, seconds := range took {
		sum += seconds
		spent[i].Seconds = sum
	}
	return err
}

func (m *Measurement) observations(prefix string) []Observation {
	var all []Observation
	add := func(name string, v float64) {
		all = append(all, Observation{Generation: m.Generation, Measure: prefix + name,
			Against: m.Opponent(), Value: v, Games: m.Games})
	}
	add(string(analysis.Wins), m.Share)
	add(string(analysis.Score), m.Score)
	add("other_score", m.Other)
	for _, name := range slices.Sorted(maps.Keys(m.Marks)) {
		add(string(analysis.Mark(name)), m.Marks[name])
	}
	return all
}
