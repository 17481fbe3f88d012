// Package exporttest runs exported programs by the compilers and interpreters of their languages,
// for tests. A test is skipped, with a message, where one is missing.
package exporttest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"clade/gp"
	"clade/gp/export"
	"clade/gp/proof"
)

// javaClass finds the class that a Java file is named after.
var javaClass = regexp.MustCompile(`(?m)^(?:public |strictfp |final )*class (\w+)`)

// Command compiles a program in a directory of the test and returns the command that runs it.
func Command(tb testing.TB, language, source string) *exec.Cmd {
	tb.Helper()
	proof.Long(tb)
	extension := map[string]string{"c": ".c", "c, plain": ".c", "c, sanitized": ".c", "go": ".go",
		"java": ".java", "javascript": ".js", "python": ".py", "clojure": ".clj"}[language]
	name := "Player"
	if class := javaClass.FindStringSubmatch(source); language == "java" && class != nil {
		name = class[1]
	}
	file := filepath.Join(tb.TempDir(), name+extension)
	proof.OK(tb, os.WriteFile(file, []byte(source), 0o666))
	binary := strings.TrimSuffix(file, extension)
	steps, ok := map[string][][]string{
		// with what finds reads past an end and numbers that overflow
		"c, sanitized": {{"gcc", "-O0", "-g", "-fsanitize=address,undefined",
			"-fno-sanitize-recover=all", "-o", binary, file}, {binary}},
		"c": {{"gcc", "-O1", "-Wall", "-Werror", "-Wno-unused", "-Wno-unknown-pragmas", "-o",
			binary, file}, {binary}},
		// compiled in half the time, for programs like one that was compiled as above
		"c, plain":   {{"gcc", "-O0", "-o", binary, file}, {binary}},
		"go":         {{"go", "build", "-ldflags=-s -w", "-o", binary, file}, {binary}},
		"java":       {{"javac", file}, Java("-cp", filepath.Dir(file), name)},
		"javascript": {{"node", file}},
		"python":     {{proof.Python(), "-S", file}}, // its site's packages take half of its start
		"clojure":    {{"clojure", file}},
	}[language]
	if !ok {
		tb.Fatalf("nothing runs %q", language)
	}
	for _, s := range steps {
		if _, err := exec.LookPath(s[0]); err != nil && s[0] != binary {
			tb.Skipf("no %s to run an exported program with", s[0])
		}
	}
	for _, s := range steps[:len(steps)-1] {
		if s[0] == "javac" {
			Javac(tb, s[1:]...)
			continue
		}
		c := exec.Command(s[0], s[1:]...)
		c.Dir = filepath.Dir(file)
		if out, err := c.CombinedOutput(); err != nil {
			tb.Fatalf("%s: %v\n%s\n%s", strings.Join(s, " "), err, out, source)
		}
	}
	last := steps[len(steps)-1]
	run := exec.Command(last[0], last[1:]...)
	if language == "clojure" {
		run.Env = append(os.Environ(), "JDK_JAVA_OPTIONS="+strings.Join(Java()[1:], " "))
	}
	return run
}

// Java returns the command that runs a Java program, by what of the machine starts fastest, and
// without data for monitors, of whose file two machines at once complain where answers go.
func Java(args ...string) []string {
	return append([]string{"java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"},
		args...)
}

// javac is Java's compiler, one for all tests of a package, since to start one takes a second. It
// ends with its input, and so with the tests.
var javac struct {
	sync.Mutex
	in  io.Writer
	out *bufio.Reader
}

// javacServer compiles for each line of arguments, and answers with a line of what is wrong.
const javacServer = `class Javac {
    public static void main(String[] none) {
        var lines = new java.util.Scanner(System.in);
        while (lines.hasNextLine()) {
            var said = new java.io.ByteArrayOutputStream();
            javax.tools.ToolProvider.getSystemJavaCompiler().run(null, said, said,
                lines.nextLine().split("\t"));
            System.out.println(said.toString().replace('\n', '\t'));
        }
    }
}`

// Javac compiles Java.
func Javac(tb testing.TB, args ...string) {
	tb.Helper()
	javac.Lock()
	defer javac.Unlock()
	if javac.in == nil {
		file := filepath.Join(tb.TempDir(), "Javac.java")
		proof.OK(tb, os.WriteFile(file, []byte(javacServer), 0o666))
		words := Java(file)
		c := exec.Command(words[0], words[1:]...)
		c.Stderr = os.Stderr
		in := proof.Must(c.StdinPipe())(tb)
		javac.out = bufio.NewReader(proof.Must(c.StdoutPipe())(tb))
		proof.OK(tb, c.Start())
		javac.in = in
	}
	proof.Must(fmt.Fprintln(javac.in, "-proc:none\t-nowarn\t"+strings.Join(args, "\t")))(tb)
	if said := proof.Must(javac.out.ReadString('\n'))(tb); said != "\n" {
		tb.Fatalf("javac %s: %s", args, strings.ReplaceAll(said, "\t", "\n"))
	}
}

// Answers runs a program on lines and returns the lines of its answer.
func Answers(tb testing.TB, language, source, lines string) []string {
	tb.Helper()
	c := Command(tb, language, source)
	c.Stdin = strings.NewReader(lines)
	var errors strings.Builder
	c.Stderr = &errors
	out, err := c.Output()
	if err != nil {
		tb.Fatalf("%s: %v\n%s", language, err, errors.String())
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// Writer writes trees as a program, as games do.
type Writer func(ge gp.Genome, by export.Origin, language string) (string, error)

// Everywhere is the world of trees that are proved in all languages.
const Everywhere = "no world"

// inEach calls prove with a species' exported program in a language that is compiled, and where
// everything is proved in one that is interpreted. All languages read and write numbers by one
// runtime, which TestTrees of package export holds in each; whole games in each are played by
// engine/games/all.
func (s *Species) inEach(t *testing.T, write Writer, ge gp.Genome,
	prove func(t *testing.T, language, source string)) {
	t.Helper()
	s.Nodes = ge.Size()
	languages := []string{"c"}
	switch {
	case s.World == Everywhere:
		languages = languages[:0]
		for _, l := range export.Languages() {
			languages = append(languages, l.Name)
		}
	case proof.Full():
		languages = append(languages, "python")
	}
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			source := proof.Must(write(ge, export.Origin{Name: s.Name}, language))(t)
			prove(t, language, source)
		})
	}
}

// Prove holds that the exported program of a species answers lines as wanted, in every language.
func Prove(t *testing.T, s Species, write Writer, ge gp.Genome, lines string, want []string) {
	t.Helper()
	s.inEach(t, write, ge, func(t *testing.T, language, source string) {
		Compare(t, Answers(t, language, source, lines), want)
		s.Alike(t, language, source, len(want), 0)
	})
}

// Newcomer holds that a species which decides by a new word answers lines as wanted in every form;
// unless everything is proved in C and Python.
func Newcomer(t *testing.T, forms []export.Target, write Writer, ge gp.Genome, lines string,
	want []string) {
	t.Helper()
	for _, form := range forms {
		t.Run(form.Name, func(t *testing.T) {
			if form.Name != "c" && form.Name != "python" && !proof.Full() {
				t.Skip("CLADE_FULL=1 has every form tried")
			}
			source := proof.Must(write(ge, export.Origin{Name: "newcomer"}, form.Name))(t)
			language := form.Name
			for _, l := range export.Languages() {
				if l.Extension == form.Extension {
					language = l.Name
				}
			}
			Compare(t, Answers(t, language, source, lines), want)
		})
	}
}

// Compare holds that answers are as wanted.
func Compare(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d answers to %d situations", len(got), len(want))
	}
	for i, a := range got {
		if a != want[i] {
			t.Fatalf("situation %d of %d: the exported program answers %q, clade %q", i+1,
				len(want),
				a, want[i])
		}
	}
}
