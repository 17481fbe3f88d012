package artifact_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/all"
	"clade/experiments/artifact"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// A run is bred and packed with what checks it.
func Example() {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	dir, err := os.MkdirTemp("", "artifact")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, err := study.Read(scope, "../runner/testdata/small.toml", "evolve.generations=3",
		"evolve.population=10")
	if err != nil {
		panic(err)
	}
	run := filepath.Join(dir, "small")
	if _, err := runner.Start(context.Background(), run, s, runner.Options{}); err != nil {
		panic(err)
	}
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
