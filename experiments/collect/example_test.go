package collect_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clade/experiments/collect"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// A sweep of two settings is carried out, and everything that its runs observed becomes one table.
func Example() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	study, err := study.Parse(scope, "my.toml", []byte(`
game = "antwars"
[measure]
final = 0
[evolve]
population = 10
generations = 2
[evolve.champion]
candidates = 2
games = 8
[figures]
panels = ["size"]
[sweep.settings]
evolve.tournament = [2, 3]
`))
	if err != nil {
		panic(err)
	}
	grid, err := sweep.Create(dir, study)
	if err != nil {
		panic(err)
	}
	if err := sweep.Run(context.Background(), grid, dir, sweep.Options{}); err != nil {
		panic(err)
	}
	n, err := collect.Write(scope, dir, dir, nil)
	if err != nil {
		panic(err)
	}
	table, err := os.Open(filepath.Join(dir, collect.CSVFile))
	if err != nil {
		panic(err)
	}
	defer table.Close()
	lines := bufio.NewScanner(table)
	lines.Scan()
	fmt.Println(n.Runs, "runs,", n.Missing, "missing")
	who, what, _ := strings.Cut(lines.Text(), ",generation")
	fmt.Println(who)
	fmt.Println("generation" + what)
	// Output:
	// 2 runs, 0 missing
	// study,name,run,seed,fingerprint,evolve.tournament
	// generation,measure,against,value,games,selection_games,seconds
}

// A run is bred and packed with what checks it.
func ExamplePack() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "artifact")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	run := filepath.Join(dir, "small")
	runnertest.Breed(run, "evolve.generations=3", "evolve.population=10")
	var archive bytes.Buffer
	if err := collect.Pack(scope, []string{run}, &archive); err != nil {
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

// A folder of runs is listed. The games of a run's final measurement are those of its study here.
func ExampleCatalogue() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "catalogue")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	run := filepath.Join(dir, "deep", "run")
	runnertest.Breed(run, "evolve.generations=3", "evolve.population=10",
		"measure.games=10", "measure.final=40")
	c, err := collect.NewCatalogue(scope, []string{dir})
	if err != nil {
		panic(err)
	}
	found, err := c.Look(ctx)
	if err != nil {
		panic(err)
	}
	for _, r := range found.Runs {
		fmt.Printf("%s: %s, %d of %d generations, wins of %d games\n", r.Game, r.State, r.Generation,
			r.Generations, r.Wins.Games)
	}
	// Output: antwars: done, 3 of 3 generations, wins of 40 games
}
