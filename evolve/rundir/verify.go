package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
)

// Verified is the result of Verify.
type Verified struct {
	Faults []Fault `json:"faults"`
	// Unchecked are sentences about what could not be checked.
	Unchecked []string `json:"unchecked"`
	// Fingerprint is the run's fingerprint, computed again; empty if it could not be computed or
	// differs.
	Fingerprint string `json:"fingerprint"`
}

// Fault is a damaged or missing file of a run.
type Fault struct {
	File string `json:"file"` // its name in the run's directory, with slashes
	What string `json:"what"`
}

// Verify compares the files of a run with their checksums, reads its checkpoints, and computes its
// fingerprint again. In a run that has not ended only checkpoints and manifest can be checked.
//
// study is the hash of the run's setup, or nil if it is not known; then neither checkpoints nor
// fingerprint are checked.
func Verify(dir string, study *[32]byte) (*Verified, error) {
	v := &Verified{Faults: []Fault{}, Unchecked: []string{}}
	sums, err := ReadChecksums(dir)
	switch {
	case errors.Is(err, ErrChanged):
		v.fault(ChecksumFile, ErrChanged.Error())
	case err != nil:
		return nil, err
	case sums == nil:
		v.Unchecked = append(v.Unchecked,
			"a version of clade that kept no checksums bred the run: "+
				"manifest, measurements and summary cannot be checked")
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		_, err := sums.check(dir, name, longest)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			v.fault(name, "is missing")
		case errors.Is(err, ErrChanged):
			_, err := ReadLines(dir, name)
			if err == nil && filepath.Ext(name) == ".jsonl" { // others are not read by lines
				v.Unchecked = append(v.Unchecked, name+" has something behind its last line that "+
					"was recorded; nothing reads it")
			} else {
				v.fault(name, ErrChanged.Error())
			}
		case err != nil:
			return nil, err
		}
	}
	champions, err := packed.Glob(dir, ChampionFolder, "*.species") // sorted by generation
	if err != nil {
		return nil, err
	}
	if _, ended := sums[DoneFile]; ended {
		for _, name := range champions {
			if _, listed := sums[name]; !listed {
				v.fault(name, "was not there when the run ended")
			}
		}
	}
	if study != nil && !v.Faulty(ManifestFile) {
		err = v.states(dir, *study)
	}
	return v, errors.Join(err, v.times(dir))
}

// times checks the times, whose lines have their own checksums. They cannot be computed again:
// mending keeps those before the damage.
func (v *Verified) times(dir string) error {
	path, known, old := filepath.Join(dir, TimesFile), map[int]bool{}, 0
	length, err := durable.EachLine(path, func(t *Times) bool {
		known[t.Generation] = true
		if t.Sum == "" {
			old++
		}
		return true
	})
	var damaged *durable.LineError
	if errors.As(err, &damaged) {
		v.fault(TimesFile, fmt.Sprintf("is damaged in line %d; how long that and the generations "+
			"after it took cannot be told again", damaged.Line))
		return nil
	}
	done, _ := ReadDone(dir) // a damaged one has been reported
	if err != nil || done == nil {
		return err
	}
	if info, err := packed.Stat(path); err == nil && info.Size() > length {
		v.fault(TimesFile, "ends in the middle of a line")
	}
	for g := range done.Generations {
		if !known[g] {
			v.Unchecked = append(v.Unchecked, fmt.Sprintf("%s tells how long %d of %d generations "+
				"took; generation %d is the first that is lost", TimesFile, len(known),
				done.Generations, g))
			break
		}
	}
	if old > 0 {
		v.Unchecked = append(v.Unchecked, fmt.Sprintf("%d lines of %s, which a version of clade "+
			"without their checksums wrote", old, TimesFile))
	}
	return nil
}

func (v *Verified) fault(file, what string) { v.Faults = append(v.Faults, Fault{file, what}) }

// states reads the checkpoints, and compares the run's fingerprint with the one computed from the
// last.
func (v *Verified) states(dir string, study [32]byte) error {
	generations, err := checkpoints(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	states := map[int][]byte{}
	for _, g := range generations {
		if states[g], err = state(dir, study, g); err != nil {
			v.fault(CheckpointFile(g), err.Error())
			delete(states, g)
		}
	}
	content, err := packed.ReadFile(filepath.Join(dir, DoneFile))
	if errors.Is(err, fs.ErrNotExist) {
		v.Unchecked = append(v.Unchecked, "the run has not ended")
		return nil
	}
	if err != nil {
		return err
	}
	done, err := parseDone(content)
	if err != nil {
		v.once(DoneFile, err.Error())
		return nil
	}
	last, ok := states[done.Generations]
	if !ok {
		v.Unchecked = append(v.Unchecked, "the last state, "+CheckpointFile(done.Generations)+
			", cannot be read, and without it the fingerprint cannot be computed again")
		return nil
	}
	return v.fingerprint(dir, study, last, done.Fingerprint)
}

// Faulty tells whether a file has a fault.
func (v *Verified) Faulty(file string) bool {
	return slices.ContainsFunc(v.Faults, func(f Fault) bool { return f.File == file })
}

// once adds a fault unless the file has one.
func (v *Verified) once(file, what string) {
	if !v.Faulty(file) {
		v.fault(file, what)
	}
}

// fingerprint compares the run's fingerprint with the one in done.json.
func (v *Verified) fingerprint(dir string, study [32]byte, state []byte, want string) error {
	have, err := fingerprint(dir, study, state)
	var missing *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &missing):
		if name, err := filepath.Rel(dir, missing.Path); err == nil {
			v.once(filepath.ToSlash(name), "is missing")
		}
	case err != nil:
		return err
	case have == want:
		v.Fingerprint = have
	case len(v.Faults) == 0:
		v.fault(DoneFile, fmt.Sprintf("tells the fingerprint %s, and study, log, lineage, "+
			"champions and last state have %s", want, have))
	}
	return nil
}
