package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"clade/gp/proof"
)

// hinted are commands in what clade prints: between backquotes, or at the end of a line.
var hinted = regexp.MustCompile("`(clade [^`]*)`|: (clade .*)")

// asCommand makes this test binary the command clade of the path, and returns how a shell carries a
// line out.
func asCommand(t *testing.T) (shell func(line string) *exec.Cmd) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	bin := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "clade"))
	}
	proof.OK(t, err)
	return func(line string) *exec.Cmd {
		c := exec.Command("sh", "-c", line)
		c.Env = append(os.Environ(), asProgram+"=1",
			"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		return c
	}
}

// TestHintsCanBePasted carries out, by the shell of this system, every command that clade tells a
// user to use about runs in a folder whose name, as users' have had it, shells would change.
func TestHintsCanBePasted(t *testing.T) {
	proof.Costly(t)
	sh := asCommand(t)
	t.Chdir(t.TempDir())
	study := "game = \"antwars\"\n[measure]\nfinal = 0\n[evolve]\npopulation = 8\n" +
		"generations = 2\ntournament = 2\n[evolve.champion]\ncandidates = 2\ngames = 8\n" +
		"[evolve.probes]\ngames = 0\n" + oneFigure
	for name, text := range map[string]string{"s.toml": study,
		"sweep.toml": study + "[sweep]\nseeds = [1]\n"} {
		proof.OK(t, os.WriteFile(name, []byte(text), 0o666))
	}
	const folder = `kim's "runs" $HOME (1)`
	const quoted = `'kim'\''s "runs" $HOME (1)'`
	var pasted []string
	says := func(line string) {
		t.Helper()
		out, _ := sh(line).CombinedOutput()
		for _, m := range hinted.FindAllStringSubmatch(string(out), -1) {
			if hint := m[1] + m[2]; strings.Contains(hint, folder[:3]) {
				pasted = append(pasted, hint)
			}
		}
	}
	says("clade run s.toml --out " + quoted + "/a")
	says("clade run s.toml --out " + quoted + "/a")
	says("clade sweep sweep.toml --out " + quoted + "/sweep")
	long := sh("exec clade run s.toml --set evolve.generations=100000 --out " + quoted + "/long")
	proof.OK(t, long.Start())
	log := filepath.Join(folder, "long", "generations.jsonl")
	for range 3000 {
		time.Sleep(20 * time.Millisecond)
		if text, _ := os.ReadFile(log); strings.Count(string(text), "\n") > 20 {
			break
		}
	}
	_ = long.Process.Signal(syscall.SIGTERM)
	_ = long.Wait() // 143
	says("clade status " + quoted + "/long")
	says("clade artifact " + quoted + "/long --out a.zip")
	says("clade report " + quoted + "/long")
	// resuming it takes too long for a test
	pasted = slices.DeleteFunc(pasted, func(hint string) bool {
		if !strings.Contains(hint, "/long") {
			return false
		}
		proof.Is(t, hint, "clade resume "+quoted[:len(quoted)-1]+"/long'", "the hint")
		return true
	})
	for name, text := range map[string]string{"generations.jsonl": "", "summary.json": "{",
		"lineage.csv": "1\n"} {
		path := filepath.Join(folder, "a", name)
		err := os.Remove(path)
		if text != "" && err == nil {
			err = os.WriteFile(path, []byte(text), 0o666)
		}
		if err != nil {
			t.Log(err)
		}
		says("clade plot " + quoted + "/a")
		says("clade status " + quoted + "/a")
		says("clade artifact " + quoted + "/a --out a.zip")
		says("clade phylogeny " + quoted + "/a")
	}
	slices.Sort(pasted)
	pasted = slices.Compact(pasted)
	t.Logf("pasted:\n%s", strings.Join(pasted, "\n"))
	for _, command := range []string{"show", "resume", "collect", "verify --mend"} {
		if !slices.ContainsFunc(pasted, func(hint string) bool {
			return strings.HasPrefix(hint, "clade "+command+" ")
		}) {
			t.Errorf("no hint tells of clade %s", command)
		}
	}
	for _, hint := range pasted {
		proof.Ran(t, sh(hint))
	}
}

// TestHomeOfFlags: the shell of this system leaves the ~ of --out=~/x.
func TestHomeOfFlags(t *testing.T) {
	sh := asCommand(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Chdir(t.TempDir())
	out, err := sh("clade match antwars greedy random --games 2 --record=~/kept/a.record && " +
		"clade docs --out=~/docs").CombinedOutput()
	for _, path := range []string{"kept/a.record", "docs"} {
		if _, missing := os.Stat(filepath.Join(home, path)); err != nil || missing != nil {
			t.Errorf("%v, %v\n%s", err, missing, out)
		}
	}
	if _, err := os.Stat("~"); err == nil {
		t.Error("a folder ~ was made")
	}
	proof.Ran(t, sh("clade docs --out=-d"))
}
