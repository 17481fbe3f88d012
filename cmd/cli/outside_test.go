package cli

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"clade/experiments/cluster/clustertest"
	"clade/gp/proof"
)

// A module outside of the tree has a game of its own, a main of one line, and the whole workbench,
// workers and the page too;
// and another breeds ants with the packages in some thirty lines, to a run that the command opens.
func TestModulesOutside(t *testing.T) {
	if !proof.Full() {
		t.Skip("set CLADE_FULL=1 to build the command in other modules")
	}
	t.Parallel()
	root := proof.Must(filepath.Abs("../.."))(t)
	dir := t.TempDir()
	run := func(where, name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = where
		return proof.Ran(t, c)
	}
	for _, module := range []string{"outside", "breed"} {
		at := filepath.Join(dir, module)
		proof.OK(t, os.CopyFS(at, os.DirFS(filepath.Join("testdata", module))))
		// The requirements are those of this module, so that nothing need be fetched.
		text := proof.Must(os.ReadFile(filepath.Join(root, "go.mod")))(t)
		mod := strings.Replace(string(text), "module clade\n", "module example.org/"+module+
			"\n\nrequire clade v0.0.0\n\nreplace clade => "+root+"\n", 1)
		sum := proof.Must(os.ReadFile(filepath.Join(root, "go.sum")))(t)
		for name, text := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sum} {
			proof.OK(t, os.WriteFile(filepath.Join(at, name), text, 0o600))
		}
		run(at, "go", "build", "-mod=mod", "-ldflags=-s -w", "-o",
			filepath.Join(dir, module+"-program"), ".")
	}
	write := func(name, text string) {
		proof.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	const three = "population = 21\nselection = \"pairs\"\nseats = 3\n"
	write("bids.toml", "game = \"bids\"\n[measure]\nagainst = [\"honest\"]\n[evolve]\n"+three+
		"generations = 4\n")
	write("sweep.toml", "game = \"bids\"\n[evolve]\n"+three+"generations = 2\n"+
		"[sweep]\nreplicates = 2\n")
	clade := filepath.Join(dir, "outside-program")
	for _, line := range []string{
		"games", "players bids",
		"run bids.toml --out run", "resume run", "plot run --out figures",
		"match bids run:run miser saver --games 30 --record bids.record",
		"replay bids.record --gif bids.gif",
		"league bids miser honest run:run --games 30 --seats 3",
		"sweep sweep.toml --out swept", "show run:run",
		"monitor run --games 10", "report run --games 10 --out report",
		"report swept --games 10 --out swept-report",
		"why bids.record --step 3 --seat 1", "why bids.record --step 3 --seat 2",
		"export run:run --to python --out bids.py",
		"population run",
	} {
		run(dir, clade, strings.Fields(line)...)
	}
	// Its sweep on a worker of the same program ends as on this machine alone.
	start := func(args ...string) (*exec.Cmd, *bufio.Reader) {
		t.Helper()
		c := exec.CommandContext(t.Context(), clade, args...)
		c.Dir, c.Stderr = dir, t.Output()
		out := proof.Must(c.StdoutPipe())(t)
		proof.OK(t, c.Start())
		return c, bufio.NewReader(out)
	}
	stop := func(c *exec.Cmd) {
		t.Helper()
		proof.OK(t, c.Process.Signal(os.Interrupt))
		err := c.Wait()
		proof.Is(t, c.ProcessState.ExitCode(), 130, "%s: %v", c.Args, err)
	}
	sweep, said := start("sweep", "sweep.toml", "--nats", "here", "--listen", "127.0.0.1:0",
		"--out", "spread", "--json")
	clustertest.Eventually(t, "the sweep's server is there", func() bool {
		_, err := os.Stat(filepath.Join(dir, "spread", "nats.json"))
		return err == nil
	})
	worker, _ := start("worker", "--nats", "spread/nats.json", "--workers", "1")
	spread, err := io.ReadAll(said)
	// the worker ends by itself, since its server is over
	proof.OK(t, errors.Join(err, sweep.Wait(), worker.Wait()))
	alone := run(dir, clade, "sweep", "sweep.toml", "--out", "swept", "--json")
	proof.Is(t, string(spread), alone, "what a worker bred")
	// Its page shows its runs and games, and says why.
	view, said := start("view", ".", "--listen", "127.0.0.1:0")
	line := proof.Must(said.ReadString('\n'))(t)
	page, _, _ := strings.Cut(line, " ")
	game := "game=bids&players=run:run&players=saver&players=honest&seed=5"
	for at, want := range map[string]string{
		"runs":                         `"title":"Sealed bids"`,
		"game?" + game:                 `"scenes":13`,
		"why?" + game + "&at=3&seat=0": `"candidates":`,
	} {
		answer := proof.Must(http.Get(page + "api/" + at))(t)
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s answers %s %v\n%.500s", at, answer.Status, err, text)
		}
	}
	stop(view)
	run(dir, filepath.Join(dir, "breed-program"), "ants")
	for _, line := range []string{"resume ants", "plot ants --out more", "population ants",
		"verify ants",
		"match antwars run:ants greedy --games 4"} {
		run(dir, clade, strings.Fields(line)...)
	}
}
