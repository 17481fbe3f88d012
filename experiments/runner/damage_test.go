package runner_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/analysis"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/gp"
	"clade/gp/proof"
)

// readAll returns all that readers of results take from a run.
func readAll(dir string) (seen []any, err error) {
	r, err := runner.Open(scope, dir)
	if err != nil {
		return nil, err
	}
	seen = append(seen, *r.Manifest)
	all, err := r.Observations()
	if err != nil {
		return nil, err
	}
	sum, err := runner.ReadSummary(dir)
	if err != nil {
		return nil, err
	}
	text, err := rundir.ReadFile(filepath.Join(dir, rundir.LineageFile))
	if err != nil {
		return nil, err
	}
	lineage, err := analysis.ReadPhylogeny(bytes.NewReader(text), dir)
	if err != nil {
		return nil, err
	}
	champions, err := player.Champions(dir)
	if err != nil {
		return nil, err
	}
	for _, path := range append([]string{filepath.Join(dir, "champion.species")},
		paths(champions)...) {
		s, err := player.ReadSpecies(r.Game, path)
		if err != nil {
			return nil, err
		}
		seen = append(seen, fmt.Sprint(s.Origin, s.Genome))
	}
	return append(seen, all, sum, lineage), nil
}

// asKnown gives observations whose time is told to be lost the time that they had.
func asKnown(have, want []any) {
	had := slices.IndexFunc(want, func(v any) bool { _, ok := v.([]runner.Observation); return ok })
	for i, o := range have[had].([]runner.Observation) {
		if all := want[had].([]runner.Observation); math.IsNaN(o.Spent.Seconds) && i < len(all) {
			have[had].([]runner.Observation)[i].Spent.Seconds = all[i].Spent.Seconds
		}
	}
}

func paths(champions []player.Champion) (paths []string) {
	for _, c := range champions {
		paths = append(paths, c.Path)
	}
	return paths
}

// TestEveryFlipIsTold changes bytes of each file of a run: readers refuse it, or read what they
// read before.
func TestEveryFlipIsTold(t *testing.T) {
	proof.Costly(t)
	dir := filepath.Join(t.TempDir(), "run")
	runnertest.Breed(dir, "evolve.generations=4")
	want := proof.Must(readAll(dir))(t)
	for _, name := range []string{"manifest.json", "generations.jsonl", "lineage.csv", "done.json",
		"measures.jsonl", "summary.json", "champion.species", "champions/0000003.species",
		"checksums.sha256", "times.jsonl"} {
		path := filepath.Join(dir, name)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		silent, tried := 0, 0
		try := func(damaged []byte) {
			t.Helper()
			proof.OK(t, os.WriteFile(path, damaged, 0o666))
			have, err := readAll(dir)
			if err == nil {
				asKnown(have, want)
			}
			if err == nil && !reflect.DeepEqual(have, want) {
				silent++
			}
			if v, err := runner.Verify(scope, dir); err == nil && (len(v.Faults) == 0 ||
				v.Faults[0].File != name) && !strings.HasPrefix(fmt.Sprint(v.Unchecked), "["+name) {
				t.Errorf("%s: verified as %+v", name, v)
			}
			tried++
		}
		for n := range 40 {
			i := n * len(content) / 40
			damaged := bytes.Clone(content)
			damaged[i] ^= 1 << (i % 7)
			try(damaged)
		}
		for n := 1; n < 4; n++ {
			try(content[:len(content)*n/4])
		}
		if silent > 0 {
			t.Errorf("%s: %d of %d changes were silent", name, silent, tried)
		}
		proof.OK(t, os.WriteFile(path, content, 0o666))
	}
}

// TestMend damages files of a run and has them made again: the run is what it was to the byte.
func TestMend(t *testing.T) {
	proof.Costly(t)
	dir := filepath.Join(t.TempDir(), "run")
	ctx := context.Background()
	runnertest.Breed(dir, "evolve.generations=4", "evolve.checkpoint=2", "measure.final=2")
	whole := runnertest.Bytes(t, dir)
	times := proof.Must(os.ReadFile(filepath.Join(dir, "times.jsonl")))(t)
	path := func(name string) string { return filepath.Join(dir, name) }
	flip := func(name string) error {
		damaged := []byte(whole[name])
		if name == "times.jsonl" {
			damaged = times
		}
		damaged[len(damaged)/2] ^= 4
		return os.WriteFile(path(name), damaged, 0o666)
	}
	remove := func(name string) error { return os.Remove(path(name)) }
	add := func(name string) error {
		return os.WriteFile(path(name), []byte(whole[name]+"x\n"), 0o666)
	}
	for _, c := range []struct {
		how   func(name string) error
		names string
		words int // that are not about faults
	}{
		{flip, "champions/0000001.species figures/growth.csv lineage.csv measures.jsonl " +
			"summary.json", 0},
		{remove, "champion.species champions/0000001.species figures/growth.csv lineage.csv " +
			"measures.jsonl summary.json", 0},
		{add, "champion.species figures/growth.csv lineage.csv summary.json", 0}, // by hand
		{flip, "generations.jsonl", 0},
		{remove, "generations.jsonl", 0},
		{flip, "done.json checkpoints/0000000000.zst checkpoints/0000000002.zst", 0},
		{flip, "checkpoints/0000000004.zst", 1}, // the fingerprint
		{flip, "checksums.sha256", 0},
		{remove, "checksums.sha256", 1}, // as a run of an earlier version
		{remove, "done.json", 1},        // the run has not ended
		{func(name string) error { return os.WriteFile(path(name), nil, 0o666) },
			"champions/0000009.species", 0},
	} {
		names := strings.Fields(c.names)
		for _, name := range names {
			proof.OK(t, c.how(name))
		}
		v := proof.Must(runner.Verify(scope, dir))(t)
		proof.Is(t, len(v.Unchecked), c.words, "%s: what is not checked of %+v", c.names, v)
		told := map[string]bool{}
		for _, f := range v.Faults {
			told[f.File] = true
		}
		for _, name := range names {
			if !told[name] && !(name == "checksums.sha256" && c.words > 0) {
				t.Errorf("nothing tells that %s was damaged", name)
			}
			delete(told, name)
		}
		if len(told) > 0 {
			t.Errorf("%v were not damaged, but %s", told, c.names)
		}
		if _, err := runner.Mend(ctx, scope, dir, v, runner.Options{}); err != nil {
			t.Fatalf("%s: %v", c.names, err)
		}
		if v, err := runner.Verify(scope, dir); err != nil || len(v.Faults)+len(v.Unchecked) > 0 ||
			len(v.Fingerprint) != 64 {
			t.Errorf("%s, mended: %+v, %v", c.names, v, err)
		}
		have := runnertest.Bytes(t, dir)
		for name := range whole {
			superseded := filepath.Ext(name) == ".zst" && have[name] == ""
			if have[name] != whole[name] && !superseded {
				t.Errorf("%s: %s is not as it was", c.names, name)
			}
		}
	}
	// Nothing can tell again how long something took: the middle of the file is in either line.
	first := regexp.MustCompile(
		`tells how long (1 of 4 generations took; generation 1|2 of 4 generations took; generation 2) is`)
	proof.OK(t, flip("times.jsonl"))
	v, err := runner.Verify(scope, dir)
	if err != nil || len(v.Faults) != 1 || v.Faults[0].File != "times.jsonl" {
		t.Errorf("times: %+v, %v", v, err)
	}
	proof.Must(runner.Mend(ctx, scope, dir, v, runner.Options{}))(t)
	if v, err := runner.Verify(scope, dir); err != nil || len(v.Faults) > 0 ||
		len(v.Unchecked) != 1 || !first.MatchString(v.Unchecked[0]) {
		t.Errorf("times, mended: %+v, %v", v, err)
	}
	proof.OK(t, flip("manifest.json"))
	v, err = runner.Verify(scope, dir)
	if err != nil || len(v.Faults) != 1 || v.Faults[0].File != "manifest.json" {
		t.Errorf("a manifest: %+v, %v", v, err)
	}
	proof.Fails(runner.Mend(ctx, scope, dir, v, runner.Options{}))(t, "cannot be made again")
}

// TestMendStaysInside lists files elsewhere among a run's checksums, as anyone who hands a run on
// could: mending reads and removes none of them.
func TestMendStaysInside(t *testing.T) {
	proof.Long(t)
	dir := filepath.Join(t.TempDir(), "run")
	ctx := context.Background()
	runnertest.Breed(dir, "evolve.generations=2")
	for _, name := range []string{"../elsewhere.zst", "champions/../../elsewhere.species"} {
		elsewhere := filepath.Join(dir, name)
		proof.OK(t, os.WriteFile(elsewhere, []byte("precious"), 0o666))
		proof.OK(t, rundir.Record(dir, name))
		proof.OK(t, os.WriteFile(elsewhere, []byte("and more"), 0o666))
		v, err := runner.Verify(scope, dir)
		if err != nil || len(v.Faults) != 1 || v.Faults[0].File != rundir.ChecksumFile {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
		if _, err := runner.Mend(ctx, scope, dir, v, runner.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		proof.Is(t, string(proof.Must(os.ReadFile(elsewhere))(t)), "and more", "%s", name)
	}
}

// TestFingerprintBeforeSettings makes of a run what an earlier version wrote, whose species did not
// say the settings that they were bred under: it is whole, has the same fingerprint and is mended.
// The run is bred here, and its files are changed as sha256sum would have it.
func TestFingerprintBeforeSettings(t *testing.T) {
	proof.Slow(t)
	dir := filepath.Join(t.TempDir(), "run")
	runnertest.Breed(dir, "evolve.generations=4", "evolve.checkpoint=2", "settings.keen-senses=true")
	v, err := runner.Verify(scope, dir)
	if err != nil || len(v.Faults) > 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	want := v.Fingerprint
	list := filepath.Join(dir, "checksums.sha256")
	sums := proof.Must(os.ReadFile(list))(t)
	species, _ := filepath.Glob(filepath.Join(dir, "champions", "*.species"))
	for _, path := range append(species, filepath.Join(dir, "champion.species")) {
		now, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(now, []byte("\n  (setting keen-senses true)\n")) {
			t.Fatalf("%v\n%s", err, now)
		}
		before := gp.WithoutSettings(now)
		proof.OK(t, os.WriteFile(path, before, 0o666))
		sums = bytes.ReplaceAll(sums, fmt.Appendf(nil, "%x", sha256.Sum256(now)),
			fmt.Appendf(nil, "%x", sha256.Sum256(before)))
	}
	sums = sums[:bytes.Index(sums, []byte("# "))] // behind which it has a checksum of its own
	sums = fmt.Appendf(sums, "# %x\n", sha256.Sum256(sums))
	proof.OK(t, os.WriteFile(list, sums, 0o666))
	whole := func() {
		t.Helper()
		if v, err = runner.Verify(scope, dir); err != nil || len(v.Faults)+len(v.Unchecked) > 0 ||
			v.Fingerprint != want {
			t.Errorf("%+v, %v; the fingerprint was %s", v, err, want)
		}
	}
	whole()
	proof.OK(t, os.Remove(species[1]))
	v = proof.Must(runner.Verify(scope, dir))(t)
	proof.Is(t, len(v.Faults), 1, "faults %+v", v.Faults)
	proof.Must(runner.Mend(t.Context(), scope, dir, v, runner.Options{}))(t)
	whole()
}
