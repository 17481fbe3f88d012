package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// Settings of [evolve]: of all runs of TestBytes, of games for one, of islands, and of a run that
// lasts long enough for a worker to join it.
const (
	tiny = " population=24 generations=5 tournament=3 boards=1 checkpoint=2 probes.every=2" +
		" champion.candidates=4 champion.games=8 champion.every=2" +
		" variation.crossover=0.5 variation.mutation=0.2 variation.constants=0.25"
	alone = " selection=fitness fitness.measure=score fitness.opponents=none" +
		" champion.against=fitness"
	islands = " islands=3 migration.every=2 migration.migrants=3"
	large   = " population=300 generations=40 tournament=5 boards=6 checkpoint=20 probes.games=0"
)

// measured lets some champions be measured.
const measured = ` measure.against=["greedy"] measure.games=4 measure.every=2`

// games are the games of TestBytes, with who plays a match and settings that make it short.
var games = []struct {
	name, players, settings string
	kernels                 bool // there are several to choose from
}{
	{"antwars", "smart greedy", "", true},
	{"amoebas", "caesar theroots", " world-size=12 rounds=20", true},
	{"darwin", "rover pirate", " map=arena time-limit=0.4 arena.width=11 arena.height=11" +
		" arena.creatures=3 arena.apples=3 arena.enchanted=1 arena.hazards=1", false},
	{"life", "interrupting random", " height=60 width=60 generations=15", true},
	{"amoeboid", "greedy random", " size=3 limit=30", false},
	{"multiplexer", "perfect", "", true},
	{"santafe", "koza", "", false},
}

// bred are the runs of TestBytes besides one of each game: settings of [evolve], and others.
var bred = []struct{ name, game, evolve, others string }{
	{"free-for-alls of amoebas", "amoebas", " selection=pairs seats=4", ""},
	{"free-for-alls of darwin", "darwin", " selection=pairs seats=4", " settings.arena.species=4"},
	{"amoebas with memory", "amoebas", " variation.slots=2", " settings.memory=true"},
	{"races through mazes", "darwin", " selection=fitness fitness.measure=score" +
		" fitness.opponents=panel", ` players.panel=["treasure"] settings.map=maze` +
		" settings.maze.width=9 settings.maze.height=9"},
	{"measured", "antwars", "", measured},
	{"odd", "antwars", " population=25 tournament=7 boards=2", ""},
	{"elites", "antwars", " elites=3 parsimony=true", ""},
	{"hall", "antwars", " hall=2 champion.every=1", ""},
	{"steady", "antwars", " replacement=steady", ""},
	{"pairs", "antwars", " selection=pairs", ""},
	{"pairs, odd, once", "antwars", " selection=pairs population=25 once=true", ""},
	{"wins", "antwars", " selection=fitness elites=2", ""},
	{"score", "antwars", " selection=fitness fitness.measure=score hall=2", ""},
	{"round robin", "antwars", " selection=fitness fitness.opponents=all", ""},
	{"panel", "antwars", " selection=fitness fitness.opponents=panel",
		` players.panel=["greedy","random"]`},
	{"steady, fitness", "antwars", " selection=fitness replacement=steady", ""},
	{"reference", "antwars", " champion.against=panel", ` players.reference=["greedy"]`},
	{"no champion", "antwars", " champion.against=none probes.games=0", ""},
	{"islands", "antwars", islands, ""},
	{"large, shared", "antwars", large, ""},
	{"islands, pairs", "antwars", islands + " selection=pairs", ""},
	{"islands, steady", "antwars", islands + " replacement=steady", ""},
	{"islands, round robin, hall", "antwars",
		islands + " hall=2 selection=fitness fitness.opponents=all", ""},
	{"islands apart", "antwars", " islands=2 migration.migrants=0", ""},
	{"first parents", "antwars", " lineage=first", ""},
	{"no lineage", "antwars", " lineage=none", ""},
	{"founders", "antwars", " founders.min-depth=1 founders.max-depth=4 founders.retries=9", ""},
	{"variation", "antwars", " variation.crossover=0.4 variation.mutation=0.3" +
		" variation.constants=0.2 variation.slots=2 variation.exchange=0.3" +
		" variation.max-depth=6 variation.grow-depth=3 variation.inner=0.5", ""},
	{"stop", "santafe", alone + " stop-at=20 generations=50", ""},
	{"alone, steady", "santafe", alone + " replacement=steady parsimony=true", ""},
	{"alone, islands", "multiplexer", alone + " elites=2" + islands, ""},
}

// set returns the flags for settings, each behind a space, with a prefix for their keys.
func set(prefix, settings string) string {
	return strings.ReplaceAll(settings, " ", " --set "+prefix)
}

// TestBytes carries out small studies of every kind, and the commands that look at runs and at
// players, in processes of their own, and holds the files that must repeat to their hashes, which
// CLADE_UPDATE=1 writes anew. What changes a hash changes results that were published. A short test has
// one game.
func TestBytes(t *testing.T) {
	known := openHashes(t)
	each := func(name string, test func(t *testing.T, dir string)) {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t, t.TempDir()) })
	}
	begin := "run s.toml --set measure.final=0" + set("evolve.", tiny)
	runs := []string{"generations.jsonl", "lineage.csv", "champions/*.species",
		"checkpoints/*.zst", "champion.species", "measures.jsonl", "checksums.sha256",
		"figures/*.csv"}
	breed := func(t *testing.T, dir, name, game, line string) {
		write(t, dir, "game = \""+game+"\"")
		program(t, dir, line+" --out run")
		known.hold(t, name, hashes(t, dir+"/run", runs...))
	}
	small := map[string]string{}
	for i, g := range games {
		if i > 0 && testing.Short() {
			return
		}
		small[g.name] = g.settings
		line := begin + set("settings.", g.settings)
		if !strings.Contains(g.players, " ") {
			line += set("evolve.", alone)
		}
		levels := kernels.Available()
		for level := kernels.Scalar; level <= kernels.AVX512; level++ {
			each(fmt.Sprint(g.name, " ", level), func(t *testing.T, dir string) {
				best := level == levels[len(levels)-1]
				if !slices.Contains(levels, level) || !best && (testing.Short() || !g.kernels) {
					t.Skip("not on this processor, or not in this game or this short test")
				}
				breed(t, dir, g.name, g.name, fmt.Sprint(kernels.Variable, "=", level, " ", line))
			})
		}
		each("match of "+g.name, func(t *testing.T, dir string) {
			out := program(t, dir, "match "+g.name+" "+g.players+set("", g.settings)+
				" --games 4 --json --record game.record --curves curves")
			got := hashes(t, dir, "game.record", "curves/*.csv")
			got["printed"] = hash([]byte(out))
			known.hold(t, "match of "+g.name, got)
		})
	}
	if testing.Short() {
		return
	}
	for _, c := range bred {
		each(c.name, func(t *testing.T, dir string) {
			breed(t, dir, c.name, c.game, begin+set("settings.", small[c.game])+
				set("evolve.", c.evolve)+set("", c.others))
		})
	}
	each("resumed", func(t *testing.T, dir string) {
		breed(t, dir, "islands", "antwars", begin+set("evolve.", islands))
		states, _ := filepath.Glob(dir + "/run/checkpoints/*")
		for _, file := range []string{slices.Max(states), dir + "/run/done.json"} {
			proof.OK(t, os.Remove(file))
		}
		program(t, dir, "resume run")
		known.hold(t, "islands", hashes(t, dir+"/run", runs...))
	})
	each("sweep", func(t *testing.T, dir string) {
		write(t, dir, "game = \"antwars\"\n[sweep]\nseeds = [1, 2]\n"+
			"[sweep.settings]\nevolve.boards = [1, 2]\n")
		program(t, dir, "sweep"+strings.TrimPrefix(begin, "run")+set("", measured)+" --out sweep")
		program(t, dir, "collect sweep")
		files := []string{"figures/*.csv", "observations.csv"}
		for _, kind := range runs[:len(runs)-1] { // its runs draw no figures
			files = append(files, "*/"+kind)
		}
		known.hold(t, "sweep", hashes(t, dir+"/sweep", files...))
	})
	each("figures and tables", func(t *testing.T, dir string) {
		write(t, dir, `game = "antwars"`)
		for i, elites := range []int{0, 0, 5, 5} {
			program(t, dir, fmt.Sprintf("%s%s --set measure.final=8 --set evolve.elites=%d"+
				" --seed %d --out r%d", begin, set("", measured), elites, 1+i%2, i))
		}
		for _, line := range []string{
			"plot r0 r1 r2 r3 --out plot --as svg", "compare r0 r1 r2 r3 --out compare --as svg",
			"monitor r1 --every 1 --games 4 --out monitor --as svg",
			"phylogeny r1 --out phylogeny --as svg", "report r0 r1 r2 r3 --games 4 --out report",
			"match antwars run:r0 run:r1@2 --games 2 --record champions.record",
			"league antwars random greedy smart run:r0 --games 8 --out league --as svg",
			"league amoebas caesar theroots berit2 covid --seats 3 --games 3 --out three --as svg" +
				set("", small["amoebas"]),
			"tournament darwin rover pirate pilgrim skunk --csv tournament.csv" +
				set("", small["darwin"]+" arena.species=4"),
		} {
			program(t, dir, line)
		}
		withoutTimes(t, filepath.Join(dir, "report", "tables.tex"))
		known.hold(t, "figures and tables", hashes(t, dir, "plot/*.csv", "compare/*.csv",
			"monitor/*.csv", "phylogeny/*.csv", "report/tables.tex", "champions.record",
			"league/*.csv", "three/*.csv", "tournament.csv"))
	})
	each("islands with a worker", func(t *testing.T, dir string) {
		write(t, dir, `game = "antwars"`)
		run, _, said := start(t, dir, kernels.Variable+"=scalar "+begin+
			set("evolve.", islands)+
			" --workers 1 --out away --nats here --listen 127.0.0.1:0")
		for range 3000 {
			if _, err := os.Stat(dir + "/away/nats.json"); err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		worker, _, _ := start(t, dir, "worker --nats away/nats.json --workers 1")
		err := run.Wait()
		_ = worker.Process.Kill()
		_ = worker.Wait()
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		known.hold(t, "islands", hashes(t, dir+"/away", runs...))
	})
}

// withoutTimes takes the times that runs took out of a file.
func withoutTimes(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		text = regexp.MustCompile(`[0-9.]+ s `).ReplaceAll(text, nil)
		err = os.WriteFile(path, text, 0o666)
	}
	proof.OK(t, err)
}

func write(t *testing.T, dir, study string) {
	t.Helper()
	proof.OK(t, os.WriteFile(filepath.Join(dir, "s.toml"), []byte(study), 0o666))
}

// oneFigure, of a study, lets a run draw one panel: all figures take most of a small run's time.
const oneFigure = "[figures]\npanels = [\"size\"]\n"

// start starts a line of the command, which may begin with a variable, in a folder.
func start(t *testing.T, dir, line string) (c *exec.Cmd, out, said *strings.Builder) {
	t.Helper()
	words := strings.Fields(line)
	first := slices.IndexFunc(words, func(w string) bool { return !strings.Contains(w, "=") })
	out, said = &strings.Builder{}, &strings.Builder{}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // a run waits for its worker
	t.Cleanup(cancel)
	c = exec.CommandContext(ctx, os.Args[0], words[first:]...)
	c.Dir, c.Env = dir, append(append(os.Environ(), asProgram+"=1"), words[:first]...)
	c.Stdout, c.Stderr = out, said
	_, err := c.StdinPipe() // on which nothing comes
	if err == nil {
		err = c.Start()
	}
	proof.OK(t, err)
	return c, out, said
}

// program carries a line of the command out and returns what it prints.
func program(t *testing.T, dir, line string) string {
	t.Helper()
	c, out, said := start(t, dir, line)
	if err := c.Wait(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, said)
	}
	return out.String()
}

// hashFile is testdata/bytes.json: hashes by case and by kind of file.
type hashFile struct {
	lock  sync.Mutex
	known map[string]map[string]string
	anew  map[string]bool // cases that have been replaced
}

func openHashes(t *testing.T) *hashFile {
	t.Helper()
	const golden = "testdata/bytes.json"
	h := &hashFile{known: map[string]map[string]string{}, anew: map[string]bool{}}
	text, err := os.ReadFile(golden)
	if err == nil {
		err = json.Unmarshal(text, &h.known)
	}
	if err != nil && !proof.Update() {
		t.Fatal(err)
	}
	t.Cleanup(func() { // after the last case
		if text, err := json.MarshalIndent(h.known, "", "\t"); err != nil {
			t.Error(err)
		} else if !proof.Update() {
			return
		} else if err := os.WriteFile(golden, append(text, '\n'), 0o666); err != nil {
			t.Error(err)
		}
	})
	return h
}

// hold compares hashes with those of a case. With CLADE_UPDATE=1 the first ones of a case replace them.
func (h *hashFile) hold(t *testing.T, name string, have map[string]string) {
	t.Helper()
	h.lock.Lock()
	defer h.lock.Unlock()
	if proof.Update() && !h.anew[name] {
		h.known[name], h.anew[name] = have, true
	}
	for kind, want := range h.known[name] {
		if have[kind] != want {
			t.Errorf("%s: in testdata/bytes.json, under %q, the hash was %s and is %q", kind, name, want,
				have[kind])
		}
	}
	for kind := range have {
		if h.known[name][kind] == "" {
			t.Errorf("%s: testdata/bytes.json has no hash of it under %q; CLADE_UPDATE=1 writes it",
				kind, name)
		}
	}
}

func hash(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

// hashes returns a hash for each pattern that finds files: of their names, without folders, since
// those of a sweep are called after hashes of settings, and of what must last in them.
func hashes(t *testing.T, dir string, patterns ...string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for _, pattern := range patterns {
		paths, _ := filepath.Glob(filepath.Join(dir, pattern))
		var files []string
		for _, path := range paths {
			content, err := os.ReadFile(path)
			if err == nil {
				content, err = lasting(filepath.Base(path), content)
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			files = append(files, filepath.Base(path)+" "+hash(content)+"\n")
		}
		slices.Sort(files)
		if len(files) > 0 {
			sums[pattern] = hash([]byte(strings.Join(files, "")))
		}
	}
	return sums
}

// changing finds the tables of a report that tell fingerprints and versions.
var changing = regexp.MustCompile(`(?s)\\label\{tab:(runs|versions)\}.*?\\end\{table\}`)

// lasting returns what must last of a file: a state without the hash of its study, a species
// without the settings that it says, the table of a sweep without the hashes of studies, a report's
// tables without captions and versions.
func lasting(name string, content []byte) ([]byte, error) {
	switch {
	case strings.HasSuffix(name, ".zst"): // see evolve/checkpoint.go
		head := bytes.IndexByte(content, '\n') + 1
		state, err := zstd.NewReader(nil)
		if err != nil {
			return nil, err
		}
		defer state.Close()
		start := slices.Concat(content[:head], content[head+32:head+40])
		return state.DecodeAll(content[head+40:len(content)-32], start)
	case strings.HasSuffix(name, ".species"): // no earlier one said settings
		return gp.WithoutSettings(content), nil
	case name == "checksums.sha256": // which files they are of
		var names []string
		for line := range strings.Lines(string(content)) {
			if _, file, ok := strings.Cut(line, "  "); ok {
				names = append(names, file)
			}
		}
		return []byte(strings.Join(names, "")), nil
	case name == "observations.csv":
		rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
		if err != nil {
			return nil, err
		}
		for _, column := range []string{"run", "fingerprint", "seconds"} {
			at := slices.Index(rows[0], column)
			for _, row := range rows[1:] {
				row[at] = ""
			}
		}
		return fmt.Append(nil, rows), nil
	case name == "tables.tex":
		var rows []byte
		for line := range bytes.Lines(changing.ReplaceAll(content, nil)) {
			if bytes.Contains(line, []byte(" & ")) {
				rows = append(rows, line...)
			}
		}
		return rows, nil
	}
	return content, nil
}
