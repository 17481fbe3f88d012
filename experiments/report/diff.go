package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// Contrast is one difference between two runs or studies.
type Contrast struct {
	Part string `json:"part"` // "setting", "version" or "result"
	Name string `json:"name"` // key of a setting, or what of the run
	A    string `json:"a"`    // "" if the first does not have it
	B    string `json:"b"`
}

// Diff returns the differences between two runs, or studies, or one of each: settings, then
// versions and machine, then results, each by name. A study is compared with all its defaults, and
// with a run by its settings alone. A run with stages has the settings of its whole study, and the
// games of all stages.
func Diff(scope player.Scope, a, b string) ([]Contrast, error) {
	x, err := sayings(scope, a)
	if err != nil {
		return nil, err
	}
	y, err := sayings(scope, b)
	if err != nil {
		return nil, err
	}
	all := []Contrast{}
	for part, name := range [...]string{"setting", "version", "result"} {
		if len(x[part]) == 0 || len(y[part]) == 0 {
			continue // of a study, or a run that is not over
		}
		keys := maps.Clone(x[part])
		maps.Copy(keys, y[part])
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if p, q := x[part][key], y[part][key]; p != q {
				all = append(all, Contrast{name, key, p, q})
			}
		}
	}
	if rundir.IsRun(a) && rundir.IsRun(b) && !sweep.IsStaged(a) && !sweep.IsStaged(b) {
		apart, err := parting(a, b)
		if err != nil {
			return nil, err
		}
		if apart != "" {
			all = append(all, Contrast{"result", "same generations", apart, apart})
		}
	}
	return all, nil
}

// said holds settings, versions and results, each by name.
type said [3]map[string]string

// sayings reads the settings, versions and results of a run or a study.
func sayings(scope player.Scope, path string) (s said, err error) {
	if !rundir.IsRun(path) {
		read, err := study.Read(scope, path)
		if err != nil {
			return s, err
		}
		text, err := read.Text()
		if err != nil {
			return s, err
		}
		s[0], err = flat(text)
		return s, err
	}
	m, err := runner.ReadManifest(path)
	if err != nil {
		return s, err
	}
	text := []byte(m.Study)
	if sweep.IsStaged(path) {
		whole, err := sweep.OpenStaged(scope, path)
		if err == nil {
			text, err = whole.Text()
		}
		if err != nil {
			return s, err
		}
	}
	if s[0], err = flat(text); err != nil {
		return s, fmt.Errorf("%s: %w", filepath.Join(path, rundir.ManifestFile), err)
	}
	s[1] = map[string]string{"rules of " + m.Game: fmt.Sprint(m.Rules), "clade": m.Build.Describe(),
		"go": m.Go, "platform": m.Platform, "cores": fmt.Sprint(m.Cores),
		"processor": m.Processor, "kernels": m.Kernels}
	sum, err := runner.ReadSummary(path)
	if err != nil || sum == nil {
		return s, err
	}
	cost, err := sweep.CostOf(path)
	if err != nil {
		return s, err
	}
	s[2] = map[string]string{"fingerprint": sum.Fingerprint,
		"generations": fmt.Sprint(sum.Generations), "games": fmt.Sprint(cost.Games)}
	for _, f := range sum.Final {
		s[2]["wins against "+f.Opponent()] = fmt.Sprintf("%.1f %% (%.1f..%.1f) of %d games",
			100*f.Share, 100*f.Low, 100*f.High, f.Games)
	}
	return s, nil
}

// flat flattens the text of a study.
func flat(text []byte) (map[string]string, error) {
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	all := map[string]string{}
	var walk func(prefix string, of map[string]any)
	walk = func(prefix string, of map[string]any) {
		for key, v := range of {
			if table, ok := v.(map[string]any); ok {
				walk(prefix+key+".", table)
				continue
			}
			list, ok := v.([]any)
			if key == "stage" {
				for i := range list {
					walk(fmt.Sprintf("stage.%d.", i+1), list[i].(map[string]any))
				}
				continue
			}
			all[prefix+key] = fmt.Sprint(v)
			if ok {
				all[prefix+key] = fmt.Sprint(study.Together(list))
				if text, err := json.Marshal(v); err == nil && bytes.Contains(text, []byte("{")) {
					all[prefix+key] = string(text) // tables
				}
			}
		}
	}
	walk("", tree)
	return all, nil
}

// parting returns how many generations two runs have in common before they differ; "" if one begins
// with all generations of the other.
func parting(a, b string) (string, error) {
	x, err := rundir.ReadLines(a, rundir.LogFile)
	if err != nil {
		return "", err
	}
	y, err := rundir.ReadLines(b, rundir.LogFile)
	if err != nil {
		return "", err
	}
	p, q := bytes.Split(x, []byte("\n")), bytes.Split(y, []byte("\n"))
	for i := range min(len(p), len(q)) - 1 { // both end with an empty line
		if !bytes.Equal(p[i], q[i]) {
			return fmt.Sprintf("the first %d", i), nil
		}
	}
	return "", nil
}
