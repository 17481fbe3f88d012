package sweep

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"clade/engine/system/durable"
)

// shutOutFile lists the workers whose work is not accepted any more, a line each. It lies in the
// directory of a sweep, or of a run that workers share.
const shutOutFile = "shut-out.jsonl"

// ShutOut is a worker whose result was bred again and differs.
type ShutOut struct {
	Worker  string `json:"worker"`
	Host    string `json:"host,omitempty"` // as the worker said
	Run     string `json:"run"`            // key of the run, or the study of one that is shared
	Differs string `json:"differs"`        // in what
	// Joint says that several workers had a part in the run. Each of them is shut out of shared
	// runs only, since all but one may be honest.
	Joint bool `json:"joint,omitempty"`
}

func (s *ShutOut) String() string {
	worker := s.Worker
	if s.Host != "" {
		worker += " on " + s.Host
	}
	if s.Joint {
		return fmt.Sprintf("shut out of shared runs: worker %s: run %s, which it shared, "+
			"was bred again here and differs in %s", worker, s.Run, s.Differs)
	}
	return fmt.Sprintf("shut out: worker %s: its run %s was bred again here and differs in %s",
		worker, s.Run, s.Differs)
}

// ShutOuts lists the workers that were shut out of runs, or of their sweeps, each once.
func ShutOuts(runs []string) (all []ShutOut, err error) {
	var dirs []string
	for _, run := range runs {
		dirs = append(dirs, run, filepath.Dir(filepath.Clean(run)))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		some, err := ReadShutOut(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// ReadShutOut lists the workers that were shut out of a sweep or a run.
func ReadShutOut(dir string) ([]ShutOut, error) {
	all := []ShutOut{}
	_, err := durable.EachLine(filepath.Join(dir, shutOutFile), func(s *ShutOut) bool {
		all = append(all, *s)
		return true
	})
	return all, err
}

// RecordShutOut adds a worker to the list, which is on the disk when it returns.
func RecordShutOut(dir string, s ShutOut) error {
	path := filepath.Join(dir, shutOutFile)
	before, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return durable.WriteFile(path, append(append(before, line...), '\n'), 0o666)
}
