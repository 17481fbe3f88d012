package sweep

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/durable"
)

// shutOutFile lists in a sweep's directory the workers of which nothing is taken any more, a line
// each.
const shutOutFile = "shut-out.jsonl"

// ShutOut is a worker whose result was bred again and came out otherwise.
type ShutOut struct {
	Worker  string `json:"worker"`
	Host    string `json:"host"`    // as the worker said
	Run     string `json:"run"`     // key of the run
	Differs string `json:"differs"` // in what
}

func (s *ShutOut) String() string {
	return fmt.Sprintf(
		"shut out: worker %s on %s: its run %s was bred again here and differs in %s",
		s.Worker, s.Host, s.Run, s.Differs)
}

// ReadShutOut lists the workers that were shut out of a sweep.
func ReadShutOut(dir string) ([]ShutOut, error) {
	all := []ShutOut{}
	_, err := durable.EachLine(filepath.Join(dir, shutOutFile), func(s *ShutOut) bool {
		all = append(all, *s)
		return true
	})
	return all, err
}

// RecordShutOut adds a worker to the list. On return it is on the disk.
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
