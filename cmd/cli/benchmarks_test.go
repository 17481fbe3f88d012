package cli

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/gp/kernels"
	"clade/gp/proof"
)

// goTest finds a command on a page.
var goTest = regexp.MustCompile(`(?:[A-Z_]+=\S+ +)*go test\b`)

// benchmarkCommands returns the commands on a page that run benchmarks: of a code block to the end
// of the line, of a sentence to the closing quote.
func benchmarkCommands(page string) []string {
	var all []string
	for _, at := range goTest.FindAllStringIndex(page, -1) {
		end := "\n"
		if at[0] > 0 && page[at[0]-1] == '`' {
			end = "`"
		}
		command, _, _ := strings.Cut(page[at[0]:], end)
		command = strings.Join(strings.Fields(command), " ")
		if strings.Contains(command, " -bench ") && !slices.Contains(all, command) {
			all = append(all, command)
		}
	}
	return all
}

// Every command of a benchmark that any page of the project names runs, as it stands there but once
// only, and by test programs that are built once for all of them. The commands are the pages'.
func TestBenchmarksOfPages(t *testing.T) {
	if !proof.Full() {
		t.Skip("set CLADE_FULL=1 to run every benchmark that the pages name; it takes minutes")
	}
	t.Parallel()
	root := proof.Must(filepath.Abs("../.."))(t)
	var names, lines []string
	build := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", t.TempDir() + "/"}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		page, err := os.ReadFile(path)
		for _, line := range benchmarkCommands(string(page)) {
			if strings.Contains(line, "./mine") { // the reader's own game
				continue
			}
			name, _ := filepath.Rel(root, path)
			names, lines = append(names, name+": "+line), append(lines, line)
			for word := range strings.FieldsSeq(line) {
				if strings.HasPrefix(word, "./") && !slices.Contains(build, word) {
					build = append(build, word)
				}
			}
		}
		return err
	})
	if err != nil || len(lines) < 15 {
		t.Fatalf("%d commands on the pages, %v", len(lines), err)
	}
	c := exec.Command("go", build...)
	c.Dir = root
	proof.Ran(t, c)
	for i, line := range lines {
		t.Run(names[i], func(t *testing.T) { benchOnce(t, root, build[5], line) })
	}
}

// asTest is a shell's program that does what go test does with its arguments, by the test programs
// of the folder $PROGRAMS.
const asTest = `for a; do shift
	case $a in
	./*) packages="$packages $a" ;;
	-*) set -- "$@" "-test.${a#-}" ;;
	*) set -- "$@" "$a" ;;
	esac
done
for p in $packages; do
	(cd "$p" && exec "$PROGRAMS/${p##*/}.test" "$@") || exit
done
`

// benchOnce runs a command of a benchmark once, in a shell, as its reader does; benchmarks of many
// sizes leave some out. What needs AVX-512 runs by the kernels that this processor has.
func benchOnce(t *testing.T, root, programs, command string) {
	long := regexp.MustCompile(` -(benchtime|count|timeout|cpuprofile) \S+`)
	once := long.ReplaceAllString(command, "")
	have := kernels.Available()
	once = strings.ReplaceAll(once, "/avx512", "/"+have[len(have)-1].String())
	once = strings.Replace(once, "go test ", `sh -c "$AS_TEST" sh `, 1)
	c := exec.CommandContext(t.Context(), "sh", "-c", once+" -run xxx -benchtime 1x -short")
	c.Dir, c.Env = root, append(os.Environ(), "AS_TEST="+asTest, "PROGRAMS="+programs,
		"CLADE_FULL=") // with it they leave none out
	proof.Holds(t, proof.Ran(t, c), "\nBenchmark")
}
