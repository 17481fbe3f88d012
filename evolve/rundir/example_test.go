package rundir_test

import (
	"fmt"
	"os"

	"clade/evolve/rundir"
)

// A run that is stopped goes on behind its newest checkpoint: a line of the log that came later is
// dropped.
func Example() {
	path, err := os.MkdirTemp("", "run")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(path)
	dir, err := rundir.Create(path)
	if err != nil {
		panic(err)
	}
	study, always := [32]byte{1}, func(int) bool { return true }
	var saved rundir.LogPosition
	for g := range 2 {
		err := dir.Append(&rundir.Line{Generation: g}, rundir.Times{Generation: g})
		if err == nil && g == 0 {
			saved = dir.Log()
			err = dir.WriteCheckpoint(study, 1, []byte("a population"), always)
		}
		if err != nil {
			panic(err)
		}
	}
	dir.Close()

	if dir, err = rundir.Open(path); err != nil {
		panic(err)
	}
	defer dir.Close()
	generation, _, err := dir.Restore(study, func(warning string) { fmt.Println(warning) },
		func(payload []byte) (rundir.Restored, error) {
			fmt.Printf("%s\n", payload)
			return rundir.Restored{Generation: 1, Log: saved}, nil
		})
	fmt.Println("generation", generation, err, dir.Log() == saved)
	// Output:
	// a population
	// generation 1 <nil> true
}
