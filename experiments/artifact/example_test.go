package artifact_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"clade/experiments/artifact"
	"clade/experiments/runner/runnertest"
)

// A run is bred and packed with what checks it.
func Example() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "artifact")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	run := filepath.Join(dir, "small")
	runnertest.Breed(run, "evolve.generations=3", "evolve.population=10")
	var archive bytes.Buffer
	if err := artifact.Pack(scope, []string{run}, &archive); err != nil {
		panic(err)
	}
	files, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		panic(err)
	}
	_, err = files.Open("verify.sh")
	fmt.Println(err)
	// Output: <nil>
}
