package cli

import (
	"archive/zip"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	forms "clade/analysis/figure"
	"clade/cmd/view"
	"clade/cmd/view/site"
	"clade/engine/system/packed"
	"clade/gp/proof"
)

// What every reader says of the folders that a sweep has written, it says of the pack: to the byte,
// and so do figures and tables. The standard library reads the pack as a zip, and finds the files
// as they were.
func TestPack(t *testing.T) {
	proof.Costly(t)
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "game = \"antwars\"\n[measure]\nagainst = [\"brilliant\"]\ngames = 2\nfinal = 2\n"+
		"[evolve]\npopulation = 8\ngenerations = 3\ntournament = 2\nboards = 1\n"+oneFigure+
		"[sweep]\nreplicates = 2\n"+
		"[sweep.settings]\nevolve.tournament = [2, 4]\n")
	program(t, dir, "sweep s.toml --out swept")
	files := map[string]string{}
	runs, err := filepath.Glob(dir + "/swept/????????????????/*")
	if err != nil || len(runs) == 0 {
		t.Fatal(err)
	}
	for _, path := range runs {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			content := proof.Must(os.ReadFile(path))(t)
			name, _ := filepath.Rel(dir+"/swept", path)
			files[filepath.ToSlash(name)] = string(content)
		}
	}
	run := "swept/" + filepath.Base(filepath.Dir(runs[0]))
	says := func() (all []string) {
		for _, line := range []string{
			"status swept --json", "status " + run, "compare swept", "methods swept", "verify " + run,
			"collect swept --out table", "report swept --games 2 --out r",
			"plot swept --as svg --out figures", "population " + run, "diff " + run + " " + run,
			"match antwars run:" + run + " brilliant --games 4",
			"__complete plot swept/", "sweep s.toml --out swept --dry-run",
			"sweep s.toml --out swept --json",
		} {
			all = append(all, line+":\n"+program(t, dir, line))
		}
		for _, file := range []string{"table/observations.csv", "figures/growth.csv", "r/report.html"} {
			content := proof.Must(os.ReadFile(filepath.Join(dir, file)))(t)
			all = append(all, file+":\n"+string(content))
		}
		return all
	}
	before := says()
	// and the page compares them as the command does
	page := proof.Must(view.New(site.Options{Paths: []string{dir}, Scope: *scope}))(t)
	w := httptest.NewRecorder()
	page.ServeHTTP(w, httptest.NewRequest("GET",
		"http://localhost/api/compare?run="+dir+"/swept", nil))
	var answer struct{ Tables []forms.Table }
	proof.OK(t, json.Unmarshal(w.Body.Bytes(), &answer))
	var csv strings.Builder
	for i, t := range answer.Tables {
		if i > 0 {
			csv.WriteByte('\n')
		}
		_ = t.Write(&csv, "csv") // a Builder takes all
	}
	proof.Is(t, csv.String(), program(t, dir, "compare swept --form csv"), "what the page compares")
	latex := program(t, dir, "compare swept --form latex")
	for line := range strings.Lines(latex[strings.LastIndex(latex, `\end{table`):][1:]) {
		if line != "\n" && line[0] != '%' && !strings.HasPrefix(line, "end{table") {
			t.Errorf("a note is no comment of LaTeX: %s", line)
		}
	}
	program(t, dir, "pack swept")
	if left, err := filepath.Glob(dir + "/swept/????????????????"); err != nil || len(left) > 0 {
		t.Fatalf("%v are left, %v", left, err)
	}
	after := says()
	for i := range before {
		if before[i] != after[i] {
			t.Errorf("of folders:\n%.3000s\nof the pack:\n%.3000s", before[i], after[i])
		}
	}
	z := proof.Must(zip.OpenReader(filepath.Join(dir, "swept", packed.File)))(t)
	defer z.Close()
	for _, f := range z.File {
		r := proof.Must(f.Open())(t)
		content, err := io.ReadAll(r)
		if want, ok := files[f.Name]; err != nil || ok && want != string(content) {
			t.Errorf("%s: %v", f.Name, err)
		}
		delete(files, f.Name)
	}
	for name := range files {
		if !strings.HasPrefix(filepath.Base(name), ".") {
			t.Errorf("%s is not in the pack", name)
		}
	}
	// a later run comes to the others, and what is packed twice is there once
	program(t, dir, "sweep s.toml --out swept --set sweep.replicates=3")
	if said := program(t, dir, "pack swept"); !strings.HasPrefix(said, "2 runs packed") {
		t.Errorf("a second time: %s", said)
	}
	proof.Holds(t, program(t, dir, "pack swept"), "no finished run of swept is left to pack")
	if said := program(t, dir, "status swept"); !strings.Contains(said, "all") ||
		!strings.Contains(said, "6     6") {
		t.Errorf("then:\n%s", said)
	}
	// damage is told
	path := filepath.Join(dir, "swept", packed.File)
	content, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, content[:len(content)-7], 0o666)
	}
	proof.OK(t, err)
	c, _, said := start(t, dir, "status "+run)
	if err := c.Wait(); err == nil || !strings.Contains(said.String(), packed.File) {
		t.Errorf("of a torn pack: %v\n%s", err, said)
	}
}

// So it is where runs have stages, whose study lies beside each. By hand.
func TestPackStaged(t *testing.T) {
	proof.Costly(t)
	t.Parallel()
	dir := t.TempDir()
	sweep := func(out, stages string) (run string) {
		write(t, dir, "game = \"antwars\"\n[measure]\nagainst = [\"brilliant\"]\ngames = 2\n"+
			"final = 2\n[evolve]\npopulation = 8\ngenerations = 2\ntournament = 2\nboards = 1\n"+
			oneFigure+stages+"[sweep]\nseeds = [1]\n")
		program(t, dir, "sweep s.toml --out "+out)
		runs := proof.Must(filepath.Glob(filepath.Join(dir, out, "????????????????")))(t)
		return out + "/" + filepath.Base(runs[0])
	}
	plain := sweep("plain", "")
	run := sweep("swept", "[[stage]]\npopulations = 2\nrace = 2\n[[stage]]\nfounders = \"all\"\n")
	says := func() (all []string) {
		for _, line := range []string{"status " + run, "methods swept", "verify swept",
			"collect swept --out table", "plot " + run + " --as svg --out figures",
			"artifact swept --out a.zip", "sweep s.toml --out swept --json"} {
			all = append(all, line+":\n"+program(t, dir, line))
		}
		return append(all, string(proof.Must(os.ReadFile(dir+"/a.zip"))(t)))
	}
	before := says()
	program(t, dir, "pack swept")
	program(t, dir, "pack plain")
	for i, said := range says() {
		if said != before[i] {
			t.Errorf("of folders:\n%.3000s\nof the pack:\n%.3000s", before[i], said)
		}
	}
	// what would be written beside the pack would hide it, and replace it in the next pack
	for _, line := range []string{"resume " + run, "note " + run + " better", "resume " + plain} {
		c, _, said := start(t, dir, line)
		if err := c.Wait(); err == nil || !strings.Contains(said.String(), "is packed in runs.zip") {
			t.Errorf("%s: %v\n%s", line, err, said)
		}
	}
	left := proof.Must(filepath.Glob(dir + "/[ps]*/????????????????"))(t)
	proof.Is(t, len(left), 0, "folders left, %v", left)
}
