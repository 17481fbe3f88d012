package all_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"clade/gp/proof"
)

const (
	root       = "../../.." // of the repository, from here
	module     = "clade/"
	engineRoot = module + "engine/games/"
	suite      = module + "engine/enginetest"
	eaopt      = "github.com/MaxHalford/eaopt"
)

// mayImport lists, for each part of the project, the parts that its packages may import beside
// their own; a part is everything below its path, and the longest one counts. Dependencies run gp
// <- engine <- engine/games <- evolve, analysis <- experiments <- results <- cmd.
func mayImport(part string) []string {
	switch part {
	case "gp":
		return nil
	case "engine/games/all", "engine/external": // external knows no game, but its tests play them
		return []string{"gp", "engine", "engine/*"}
	case "evolve", "analysis":
		return []string{"gp", "engine", "engine/*"}
	case "experiments":
		return []string{"gp", "engine", "engine/*", "evolve", "analysis"}
	case "results":
		return []string{"gp", "engine", "engine/*", "evolve", "analysis", "experiments"}
	case "cmd":
		return []string{"gp", "engine", "engine/*", "evolve", "analysis", "experiments", "results"}
	default: // engine, its suite, and each game
		return []string{"gp", "engine"}
	}
}

// partOf returns the part that a package belongs to: a game, or the folder below engine, else the
// folder at the top. What stands below engine/system are tools of engine itself.
func partOf(pkg string) string {
	names := strings.Split(strings.TrimPrefix(pkg, module), "/")
	switch {
	case names[0] != "engine" || len(names) == 1 || names[1] == "system":
		return names[0]
	case names[1] == "games" && len(names) > 2:
		return strings.Join(names[:3], "/")
	}
	return "engine/" + names[1]
}

// checkImport tells what is wrong with one package of ours importing another. Tests may import the
// conformance suite, too.
func checkImport(from, to string, test bool) error {
	if to == suite && from != suite {
		if !test {
			return fmt.Errorf("%s imports %s, which is for tests only", from, to)
		}
		if partOf(from) != "gp" {
			return nil
		}
	}
	part, target := partOf(from), partOf(to)
	if part == target {
		return nil
	}
	if target == "engine/games/all" && part != "cmd" && !test && !strings.HasSuffix(from, "test") {
		return fmt.Errorf("%s imports %s; only a main lists games, everything else is given them",
			from,
			to)
	}
	if part == "experiments" && to == module+"results" { // the kept species, which are data alone
		return nil
	}
	for _, may := range mayImport(part) {
		if may == target || may == "engine/*" && strings.HasPrefix(target, "engine/") {
			return nil
		}
	}
	return fmt.Errorf("%s imports %s against the order gp <- engine <- engine/games <- evolve, "+
		"analysis <- experiments <- results <- cmd", from, to)
}

func TestCheckImport(t *testing.T) {
	tests := []struct {
		from, to string
		test, ok bool
	}{
		{"gp", "gp/input", false, true},
		{"gp", "engine", false, false},
		{"gp", "engine/enginetest", true, false},
		{"engine", "gp", false, true},
		{"engine", "engine/games/antwars", false, false},
		{"engine", "engine/enginetest", false, false},
		{"engine", "engine/enginetest", true, true},
		{"engine/games/antwars", "engine", false, true},
		{"engine/games/antwars", "engine/games/life", false, false},
		{"engine/games/antwars", "engine/system/parallel", false, true},
		{"engine/games/antwars", "engine/games/antwars/data", false, true},
		{"engine/games/antwars", "engine/enginetest", true, true},
		{"engine/games/antwars", "engine/games/all", true, false},
		{"engine/games/antwars", "evolve", false, false},
		{"engine/games/all", "engine/games/antwars", false, true},
		{"evolve", "engine/games/antwars", false, true},
		{"evolve", "analysis", false, false},
		{"analysis", "evolve", false, false},
		{"engine", "engine/system/durable", false, true},
		{"analysis", "engine/system/durable", false, true},
		{"engine/system/durable", "evolve", false, false},
		{"experiments", "evolve", false, true},
		{"experiments/study", "engine/games/all", false, false},
		{"experiments/study", "engine/games/all", true, true},
		{"experiments/player", "results", false, true},
		{"experiments/player", "results/repro", false, false},
		{"evolve", "results", false, false},
		{"cmd/clade", "engine/games/all", false, true},
		{"experiments", "cmd/cli", false, false},
		{"cmd/cli", "experiments", false, true},
		{"evolve", "cmd/cli", false, false},
	}
	for _, test := range tests {
		if err := checkImport(module+test.from, module+test.to, test.test); (err == nil) != test.ok {
			t.Errorf("%s imports %s, in a test %v: error %v", test.from, test.to, test.test, err)
		}
	}
}

// TestDependenciesRunOneWay reads what every package of the project imports, itself and in its
// tests.
func TestDependenciesRunOneWay(t *testing.T) {
	proof.Slow(t)
	command := exec.Command("go", "list", "-deps",
		"-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr(err))
	}
	ours := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := d.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(pkg.ImportPath, module) {
			continue
		}
		ours++
		for i, imports := range [][]string{pkg.Imports, pkg.TestImports, pkg.XTestImports} {
			for _, to := range imports {
				if !strings.HasPrefix(to, module) {
					continue
				}
				proof.OK(t, checkImport(pkg.ImportPath, to, i > 0))
			}
		}
	}
	if ours < 4 {
		t.Errorf("go list knows only %d packages of the project", ours)
	}
}

func stderr(err error) []byte {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.Stderr
	}
	return nil
}

// TestOneFileKnowsEaopt holds that eaopt stays behind one adapter file of evolve. Because it reads
// every source file, the go command also runs this package's tests again when any of them has
// changed.
func TestOneFileKnowsEaopt(t *testing.T) {
	var knowing []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root &&
			(strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "runs"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			if strings.Trim(i.Path.Value, `"`) == eaopt {
				knowing = append(knowing, path)
			}
		}
		return nil
	})
	proof.OK(t, err)
	evolve := filepath.Join(root, "evolve")
	if len(knowing) > 1 || len(knowing) == 1 && filepath.Dir(knowing[0]) != evolve {
		t.Errorf("eaopt is imported by %v; one file of evolve may", knowing)
	}
}
