package all_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/external"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// TestExportsEndOnMalformedLines feeds exported programs with what clade's referee sends in a game,
// damaged at random, and with lines of random numbers. Each must answer, or end with a message on
// its standard error: no crash, no trace of a stack, and in C nothing that the sanitizers find.
func TestExportsEndOnMalformedLines(t *testing.T) {
	proof.Costly(t)
	for i, h := range homecomings {
		if h.species != "" {
			continue // whole vocabularies read all there is to read
		}
		// all programs of a game read by one piece of code
		last := !slices.ContainsFunc(homecomings[i+1:], func(other homecoming) bool {
			return other.game == h.game && other.species == ""
		})
		if last || proof.Full() {
			t.Run(h.game+" "+h.label(), func(t *testing.T) { h.damage(t, last) })
		}
	}
}

func (h homecoming) damage(t *testing.T, last bool) {
	t.Parallel()
	g := adjusted(t, h.game, h.settings)
	ge := enginetest.Everything(t, g.Grammar(), 1)
	lines := h.sent(t, g, func(language string) (string, error) {
		return g.(engine.SpeciesExporter).Export(ge, export.Origin{Name: "traveller"}, language)
	})
	r := rand.New(rand.NewPCG(7, 7))
	languages := []string{"c, sanitized"}
	// Darwin and Life have most to read.
	if proof.Full() && last && (h.game == "darwin" || h.game == "life") {
		languages = append(languages, "go", "java", "javascript", "python")
	}
	for _, language := range languages {
		times := map[string]int{"c, sanitized": 150, "go": 40, "java": 1, "javascript": 8,
			"python": 8}[language]
		if !last || !proof.Full() {
			times = 30
		}
		t.Run(language, func(t *testing.T) {
			name, _, _ := strings.Cut(language, ",")
			source := proof.Must(g.(engine.SpeciesExporter).Export(ge, export.Origin{Name: "traveller"},
				name))(t)
			program := exporttest.Command(t, language, source)
			ended := 0
			for i := range times {
				if survives(t, program, damaged(r, lines), i%10 == 0) {
					ended++
				}
			}
			if ended < times/9 {
				t.Errorf("only %d of %d damaged texts end the program", ended, times)
			}
			t.Logf("%d of %d texts end the program with a message", ended, times)
		})
	}
}

// sent returns the lines that a program is sent in a game.
func (h homecoming) sent(t *testing.T, g engine.Game,
	write func(language string) (string, error)) []string {
	source := proof.Must(write("python"))(t)
	file := filepath.Join(t.TempDir(), "lines")
	command := exporttest.Command(t, "python", source)
	s := external.Supervisor{Seconds: 60, Fail: func(err error) { t.Error(err) }}
	p := proof.Must(s.Persist(fmt.Sprintf("sh -c %s", quoted([]string{fmt.Sprintf("tee %s | %s", file,
		quoted(command.Args))}))))(t)
	g.Play(h.seated(t, g, p, 0), 1, nil)
	text := proof.Must(os.ReadFile(file))(t)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 3 || !strings.HasPrefix(lines[0], `{"type":"game"`) {
		t.Fatalf("%d lines were sent", len(lines))
	}
	return lines[:min(len(lines), 12)]
}

var numbers = regexp.MustCompile(`-?\d+`)

// damaged returns lines of which one is damaged, or lines of numbers.
func damaged(r *rand.Rand, lines []string) string {
	if r.IntN(4) == 0 {
		var b strings.Builder
		for range 1 + r.IntN(3) {
			for range r.IntN(300) {
				fmt.Fprintf(&b, "%d ", []int{r.IntN(5) - 1, r.IntN(1000) - 500, r.Int(), -r.Int()}[r.IntN(4)])
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	all := append([]string(nil), lines...)
	at := r.IntN(len(all))
	line := all[at]
	cut := func() int { return r.IntN(len(line) + 1) }
	switch r.IntN(6) {
	case 0:
		line = line[:cut()]
	case 1:
		i := cut()
		line = line[:i] + string([]byte{byte(r.IntN(255) + 1)}) + line[min(i+1, len(line)):]
	case 2:
		i, j := cut(), cut()
		line = line[:min(i, j)] + line[max(i, j):]
	case 3:
		i, j := cut(), cut()
		line = line[:max(i, j)] + line[min(i, j):]
	case 4:
		found := numbers.FindAllStringIndex(line, -1)
		if len(found) > 0 {
			f := found[r.IntN(len(found))]
			line = line[:f[0]] + []string{"-1", "99999", "1e300", "123456789012345678901", "null",
				"[]", `"x"`, "2147483648"}[r.IntN(8)] + line[f[1]:]
		}
	case 5:
		all = append(all[:at:at], all[at+1:]...)
		return strings.Join(all, "\n") + "\n"
	}
	all[at] = line
	return strings.Join(all, "\n") + "\n"
}

// What a program says at its end, and what interpreters say of a fault. Java's compiler warns
// before it.
var (
	told  = regexp.MustCompile(`(^|\n)Traveller: line \d+: [^\n]+\n$`)
	trace = regexp.MustCompile(`Traceback|Exception|goroutine|\n +at `)
)

// survives runs a program on a text, and tells whether it ended with a message. To look for leaks,
// too, takes as long as all else that sanitizers do.
func survives(t *testing.T, program *exec.Cmd, text string, leaks bool) bool {
	t.Helper()
	c := exec.Command(program.Path, program.Args[1:]...)
	c.Env = append(os.Environ(), fmt.Sprintf("ASAN_OPTIONS=exitcode=99:detect_leaks=%t", leaks),
		"UBSAN_OPTIONS=exitcode=99")
	c.Stdin = strings.NewReader(text)
	var said bytes.Buffer
	c.Stderr = &said
	err := c.Run()
	if err == nil {
		return false
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 ||
		!told.Match(said.Bytes()) || trace.Match(said.Bytes()) {
		t.Fatalf("%v, %q on\n%.2000s", err, said.String(), text)
	}
	return true
}
