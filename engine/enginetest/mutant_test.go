package enginetest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"clade/engine/system/parallel"
	"clade/gp/proof"
)

// target is a game that is changed, and the arguments of its test program that choose the test which
// hands it to the suite, and its own tests.
type target struct {
	name, dir, suite, own string
	files                 []string // that TestMutants changes
	planted               []bug
}

// bug is one that a programmer can make. The new text does what the old one does, which stands once
// in its file, unless the mutant is asked for whose number takes the place of %d.
type bug struct{ name, file, old, new string }

var targets = []target{
	{"toys", ".", "-test.run=^Test(Number|Scissors)Passes$", "-test.run=^TestToy", []string{
		"toy.go"}, []bug{
		{"With changes its receiver", "toy.go", "return &number{n.toy, *s}, nil",
			"if mutant(%d) { n.settings = *s; return n, nil }; return &number{n.toy, *s}, nil"},
		{"a seed is ignored", "toy.go", "noise := engine.NewRandom(seed)",
			"noise := engine.NewRandom(seed); if mutant(%d) { noise = engine.NewRandom(7) }"},
		{"the first seat always wins", "toy.go", "r.WinBest(len(players))",
			"if r.WinBest(len(players)); mutant(%d) { r.Win(0) }"},
		{"a seat's decisions leave no fingerprint", "toy.go",
			"r.Fingerprint = engine.Hash(r.Fingerprint, math.Float64bits(v))",
			"if !mutant(%d) || seat > 0 { r.Fingerprint = engine.Hash(r.Fingerprint, " +
				"math.Float64bits(v)) }"},
		{"scenes are a step behind", "toy.go", "{ return b.result.Steps }",
			"{ if mutant(%d) { return max(0, b.result.Steps-1) }; return b.result.Steps }"},
	}},
	{"antwars", "../games/antwars", "-test.run=^TestEngine$", "-test.short", []string{"antwars.go",
		"rules.go", "memory.go", "sense.go", "batch.go", "lockstep.go", "players.go"}, []bug{
		{"a batch in the wrong situation", "batch.go", "s.decide(ant, enemyNear, who&near)",
			"if mutant(%d) { near = 0; s.decide(ant, enemyAway, who) }; " +
				"s.decide(ant, enemyNear, who&near)"},
		{"a batch with a wrong cell", "batch.go",
			"b.food[0][i], b.food[1][i] = start.food.Low, start.food.High",
			"if mutant(%d) { start.food.High &^= 1<<20 }; " +
				"b.food[0][i], b.food[1][i] = start.food.Low, start.food.High"},
		{"a batch marks the other seat", "batch.go", "s.seat(1-ant, i)][mark] = 1",
			"s.seat(1-ant, i)][mark] = 1; if mutant(%d) { m := &results[i].Marks; m[0], m[1] = " +
				"m[1], m[0] }"},
		{"a batch forgets who has the first seat", "batch.go", "s.first |= 1 << i",
			"if s.first |= 1 << i; mutant(%d) && i > 7 { s.first ^= 1 << i }"},
		{"a seed is ignored", "antwars.go", "*b = deal(seed)",
			"*b = deal(seed); if mutant(%d) { *b = deal(1) }"},
		{"scores against the winner", "antwars.go", "result.Win(b.winner())",
			"if result.Win(b.winner()); mutant(%d) { result.Win(1 - b.winner()) }"},
		{"a blinded seat", "antwars.go", "m.update(b, ant, time)",
			"if !mutant(%d) || ant == 0 || time == 0 { m.update(b, ant, time) }"},
		{"a seat that never sees the other", "memory.go", "other := 1 - ant; !b.dead[other] &&",
			"other := 1 - ant; !(mutant(%d) && ant == 1) && !b.dead[other] &&"},
		{"a tree without a say", "sense.go", "return straight, diagonal",
			"if mutant(%d) { return straight, gp.Quad{} }; return straight, diagonal"},
		{"memory that outlives a game", "memory.go",
			"m.view, m.food, m.visited = gp.Bits{}, gp.Bits{}, gp.Bits{}",
			"if !mutant(%d) { m.visited = gp.Bits{} }; m.view, m.food = gp.Bits{}, gp.Bits{}"},
		{"scenes that are not kept up", "antwars.go", "s.show(b, ant, result.Steps)",
			"if !mutant(%d) { s.show(b, ant, result.Steps) }"},
	}},
}

// TestPlantedBugs plants bugs of the kinds that the conformance suite is there for.
func TestPlantedBugs(t *testing.T) {
	proof.Costly(t)
	for _, target := range targets {
		t.Run(target.name, func(t *testing.T) {
			texts := map[string]string{}
			var names []string
			for i, b := range target.planted {
				if texts[b.file] == "" {
					texts[b.file] = readText(t, filepath.Join(target.dir, b.file))
				}
				if strings.Count(texts[b.file], b.old) != 1 {
					t.Fatalf("%s does not hold %q once", b.file, b.old)
				}
				texts[b.file] = strings.Replace(texts[b.file], b.old, fmt.Sprintf(b.new, i+1), 1)
				names = append(names, b.name)
			}
			program := buildChanged(t, target.dir, texts)
			for name := range tryMutants(t, program, target.dir, names, target.suite) {
				t.Errorf("the suite does not see the bug: %s", name)
			}
		})
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	return string(proof.Must(os.ReadFile(path))(t))
}

// buildChanged builds the test program of a package in which some files have another text. It runs
// the mutant whose number stands in CLADE_MUTANT.
func buildChanged(t *testing.T, dir string, texts map[string]string) (program string) {
	t.Helper()
	folder := proof.Must(filepath.Abs(dir))(t)
	temp, overlay := t.TempDir(), map[string]string{}
	write := func(name, text string) string {
		path := filepath.Join(temp, name)
		proof.OK(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	name := filepath.Base(folder)
	overlay[filepath.Join(folder, "mutate.go")] = write("mutate.go", "package "+name+mutateSource)
	for file, text := range texts {
		overlay[filepath.Join(folder, file)] = write(file, text)
	}
	list := proof.Must(json.Marshal(map[string]any{"Replace": overlay}))(t)
	program = filepath.Join(temp, "suite.test")
	command := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay",
		write("overlay.json", string(list)), "-o", program, ".")
	command.Dir = dir
	proof.Ran(t, command)
	return program
}

// TestMutants changes the source of games in one place at a time, and holds that the conformance
// suite tells each time, or else the short tests of the game's own, but for the changes that
// testdata lists with a reason. All changes of a game are built into one test program, which takes
// the number of the one to make from the environment. It takes minutes and runs where CLADE_MUTANTS
// is set.
func TestMutants(t *testing.T) {
	if os.Getenv("CLADE_MUTANTS") == "" {
		t.Skip("runs a test program 800 times; set CLADE_MUTANTS=1 to do so")
	}
	for _, target := range targets {
		t.Run(target.name, func(t *testing.T) {
			known := knownSurvivors(t, filepath.Join("testdata", target.name+".mutants"))
			program, mutants := buildMutants(t, target.dir, target.files)
			lived := tryMutants(t, program, target.dir, mutants, target.suite, target.own)
			t.Logf("%d mutants of %d lived", len(lived), len(mutants))
			for _, name := range mutants {
				switch reason, listed := known[name]; {
				case lived[name] && !listed:
					t.Errorf("lives: %s", name)
				case !lived[name] && listed:
					t.Errorf("is listed as living (%s) and dies: %s", reason, name)
				}
			}
			for name := range known {
				if !slices.Contains(mutants, name) {
					t.Errorf("is listed and does not exist: %s", name)
				}
			}
		})
	}
}

// knownSurvivors reads a list of changes that no test tells: a reason, and below it, indented, the
// changes.
func knownSurvivors(t *testing.T, path string) map[string]string {
	t.Helper()
	text := proof.Must(os.ReadFile(path))(t)
	known, reason := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		switch name := strings.TrimSpace(line); {
		case name == "":
		case strings.HasPrefix(line, "\t"):
			known[name] = reason
		default:
			reason = name
		}
	}
	return known
}

// tryMutants asks tests, one after the other, of each mutant and returns those that pass all.
func tryMutants(t *testing.T, program, dir string, mutants []string,
	tests ...string) map[string]bool {
	t.Helper()
	passes := make([]bool, len(mutants)+1)
	run := func(n int) {
		passes[n] = !slices.ContainsFunc(tests, func(test string) bool {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			command := exec.CommandContext(ctx, program, test, "-test.failfast")
			command.Dir = dir
			command.Env = append(os.Environ(), fmt.Sprintf("CLADE_MUTANT=%d", n), "CLADE_MUTANTS=",
				"CLADE_FULL=", "CLADE_UPDATE=")
			return command.Run() != nil
		})
	}
	if run(0); !passes[0] {
		t.Fatalf("%s fail without any change", tests)
	}
	err := parallel.Each(context.Background(), len(mutants), 2, func(_, i int) error {
		run(i + 1)
		return nil
	})
	proof.OK(t, err)
	lived := map[string]bool{}
	for i, name := range mutants {
		if passes[i+1] {
			lived[name] = true
		}
	}
	return lived
}

// buildMutants builds the test program of a package with all changes in it, and returns their
// names; the first is number 1.
func buildMutants(t *testing.T, dir string, files []string) (program string, names []string) {
	t.Helper()
	fset := token.NewFileSet()
	built := proof.Must(build.ImportDir(dir, 0))(t)
	var parsed []*ast.File
	for _, name := range built.GoFiles {
		file := proof.Must(parser.ParseFile(fset, filepath.Join(dir, name), nil, 0))(t)
		parsed = append(parsed, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg := proof.Must(config.Check(built.ImportPath, fset, parsed, info))(t)
	m, texts := mutator{info: info, pkg: pkg, fset: fset, seen: map[string]int{}}, map[string]string{}
	for i, name := range built.GoFiles {
		if slices.Contains(files, name) {
			text := readText(t, filepath.Join(dir, name))
			texts[name] = string(m.change([]byte(text), parsed[i]))
		}
	}
	return buildChanged(t, dir, texts), m.names
}
