package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"clade/gp/proof"
)

// sources are a package as the go command lists it for a system.
type sources struct {
	ImportPath, Dir string
	Module          *struct{ Main bool }
	GoFiles         []string
	ImportMap       map[string]string
}

// imports finds the types of what a package imports.
type imports struct {
	renamed map[string]string
	ready   map[string]*types.Package
}

func (i imports) Import(path string) (*types.Package, error) {
	if to, ok := i.renamed[path]; ok {
		path = to
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := i.ready[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("no types of " + path)
}

// The types of the program's sources, and of all that they use, agree on the other systems that
// releases are built for: what only some systems have is not called elsewhere. The packages are
// those that the go command names. Types take a tenth of the time of compiling.
func TestOtherSystems(t *testing.T) {
	if !proof.Full() {
		t.Skip("set CLADE_FULL=1 to check types for other systems; it takes ten seconds")
	}
	t.Parallel()
	files, trees := token.NewFileSet(), map[string]*ast.File{} // by path, for both systems
	for _, system := range []string{"windows/amd64", "darwin/arm64"} {
		t.Run(system, func(t *testing.T) {
			c := exec.Command("go", "list", "-deps",
				"-json=ImportPath,Dir,Module,GoFiles,ImportMap", "clade/cmd/clade")
			goos, arch, _ := strings.Cut(system, "/")
			c.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=0")
			out := proof.Must(c.StdoutPipe())(t)
			proof.OK(t, c.Start())
			ready, own := map[string]*types.Package{}, 0
			for list := json.NewDecoder(out); ; {
				var p sources
				if err := list.Decode(&p); err == io.EOF {
					break
				} else {
					proof.OK(t, err)
				}
				mine := p.Module != nil && p.Module.Main
				var parsed []*ast.File
				for _, name := range p.GoFiles {
					path := filepath.Join(p.Dir, name)
					if trees[path] == nil {
						trees[path] = proof.Must(parser.ParseFile(files, path, nil, parser.SkipObjectResolution))(t)
					}
					parsed = append(parsed, trees[path])
				}
				config := types.Config{Importer: imports{p.ImportMap, ready}, IgnoreFuncBodies: !mine,
					FakeImportC: true, Sizes: types.SizesFor("gc", arch)}
				if mine {
					own++
					config.Error = func(err error) { t.Error(err) }
				}
				checked, err := config.Check(p.ImportPath, files, parsed, nil)
				if err != nil && !mine {
					t.Fatal(err)
				}
				ready[p.ImportPath] = checked
			}
			proof.OK(t, c.Wait())
			if own < 50 {
				t.Errorf("%d packages of the project, want 50 or more", own)
			}
		})
	}
}

// In what breeds, plays, rates and draws, the code for arm64 has no product fused with a sum, but
// those by powers of two, which are exact. The instructions are those that the compiler prints.
func TestUnfused(t *testing.T) {
	if !proof.Full() {
		t.Skip("set CLADE_FULL=1 to compile for arm64; it takes twenty seconds")
	}
	t.Parallel()
	root := proof.Must(filepath.Abs("../.."))(t)
	// With -trimpath what has not changed is compiled once for all copies of the project.
	c := exec.Command("go", "build", "-trimpath", "-gcflags=-S", "./gp", "./evolve",
		"./engine/games/...", "./experiments/study", "./experiments/league", "./experiments/report",
		"./analysis/...")
	c.Dir, c.Env = root, append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	listing := proof.Must(c.CombinedOutput())(t)
	exact := regexp.MustCompile(`/ ?[24]|/ \(1 << 17|\*2|\+ tied|chance -= p|r\.Float\(\)|` +
		`normalTail|m\.Seat\+half|2\*height|-= middle`)
	// what a pattern begins with is found fast
	found, own := regexp.MustCompile(`\)\tFN?M(?:ADD|SUB)`).FindAllIndex(listing, -1), 0
	for _, at := range found {
		place := string(listing[bytes.LastIndexByte(listing[:at[0]], '(')+1 : at[0]])
		path, line, _ := strings.Cut(place, ":")
		number := proof.Must(strconv.Atoi(line))(t)
		file, ours := strings.CutPrefix(path, "clade/")
		if !ours {
			continue // gonum's
		}
		own++
		lines := strings.Split(string(proof.Must(os.ReadFile(filepath.Join(root, file)))(t)), "\n")
		if line := lines[number-1]; !exact.MatchString(line) {
			t.Errorf("%s:%d is fused: %s", path, number, strings.TrimSpace(line))
		}
	}
	if own == 0 {
		t.Error("the listing has no fused product of the project at all, not even of exact ones")
	}
}
