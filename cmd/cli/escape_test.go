package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/evolve/rundir"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// evil sets a title, clears the screen, erases what was said, and turns the writing round.
const evil = "ev\x1b]0;owned\a\x1b[2J\x1b[1A\b\u009b31m\u202eil\x7f"

// TestFilesControlNoTerminal puts escape sequences into what comes from elsewhere: failures, names
// of workers, studies, players, species and files, and what no parser understands. The command is
// run as a process, and none of it reaches its output.
func TestFilesControlNoTerminal(t *testing.T) {
	proof.Costly(t)
	dir := t.TempDir()
	const small = "game = \"life\"\n[settings]\nheight = 20\nwidth = 20\ngenerations = 5\n" +
		"[measure]\nagainst = [\"guard\"]\ngames = 2\nfinal = 2\n[evolve]\npopulation = 6\n" +
		"generations = 2\ntournament = 2\nboards = 1\n" + oneFigure
	write(t, dir, small+"[sweep]\nseeds = [1, 2]\n")
	program(t, dir, "sweep s.toml --out swept")
	program(t, dir, "run s.toml --out run")
	program(t, dir, "match life guard run:run --set height=20 --set width=20 --set generations=5 "+
		"--games 2 --record game.record")
	quoted := proof.Must(json.Marshal(evil))(t)
	inJSON := strings.Trim(string(quoted), `"`)
	cells, err := filepath.Glob(dir + "/swept/*/summary.json")
	if err != nil || len(cells) != 2 {
		t.Fatal(cells, err)
	}
	replace := func(path, old, by string) {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(dir, path))
		if err == nil && !strings.Contains(string(content), old) {
			t.Fatalf("%s has no %q:\n%s", path, old, content)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, path),
				[]byte(strings.ReplaceAll(string(content), old, by)), 0o666)
		}
		proof.OK(t, err)
	}
	put := func(path, text string) {
		t.Helper()
		proof.OK(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o666))
	}
	failed := filepath.Dir(cells[0])
	proof.OK(t, os.RemoveAll(filepath.Join(failed, "summary.json")))
	failure := proof.Must(json.Marshal(sweep.Failure{Error: evil, Host: evil}))(t)
	rel := proof.Must(filepath.Rel(dir, failed))(t)
	put(rel+"/"+sweep.FailureFile, string(failure))
	proof.OK(t, sweep.RecordShutOut(dir+"/swept", sweep.ShutOut{Worker: evil, Host: evil, Run: evil,
		Differs: evil}))
	for path, to := range map[string]string{"run": "name", "run ": "against", "run  ": "broken"} {
		to = filepath.Join(dir, to)
		proof.OK(t, os.CopyFS(to, os.DirFS(filepath.Join(dir, strings.TrimSpace(path)))))
	}
	inTOML := strings.ReplaceAll(terminal.Printable(evil), `\`, `\\`)
	replace("name/manifest.json", `name = 's'`, `name = \"`+inTOML+`\"`)
	replace("against/manifest.json", "'guard'", `\"`+inTOML+`\"`)
	replace("broken/summary.json", `"fingerprint":`, `"`+evil+`":`)
	for _, run := range []string{"name", "against"} {
		proof.OK(t, rundir.Record(filepath.Join(dir, run), "manifest.json"))
	}
	text := proof.Must(os.ReadFile(dir + "/game.record"))(t)
	r := proof.Must(engine.ParseRecord("game.record", text))(t)
	r.Players[0] = evil
	proof.OK(t, r.WriteFile(dir+"/game.record"))
	content := proof.Must(os.ReadFile(dir + "/run/champion.species"))(t)
	put("e.species", string(content)+"\n("+evil+" 1 2)\n")
	put("g.species", strings.Replace(string(content), "(", "("+evil+" ", 1))
	put("e.toml", small+evil+" = 1\n")
	put("f.toml", "game = \""+terminal.Printable(evil)+"\"\n")
	put("e.json", "{\"url\": \"nats://"+inJSON+"\", \"signer\": \""+inJSON+"\"}")
	put(evil+".species", "nothing")
	shown := 0
	for _, line := range []string{"status swept", "status name against broken",
		"status swept --json",
		"sweep s.toml --out swept --dry-run", "collect swept", "report swept --games 2 --out r1",
		"verify swept", "verify name", "report name --games 2", "plot name --out p", "compare name",
		"monitor name --games 2", "phylogeny name", "population name", "resume against",
		"report against --games 2", "status broken", "report broken", "verify broken",
		"replay game.record", "why game.record --step 1", "show e.species", "show g.species",
		"run e.toml",
		"run f.toml", "worker --nats e.json", "show " + evil + ".species",
		"match life guard " + evil, "games " + evil, evil, "run s.toml --set " + evil + "=1",
		"export run:run --to " + evil, "repro " + evil, "artifact name --out a.zip",
		"view " + evil, "exploit e.species", "solve " + evil, "match life --" + evil + " x y"} {
		c, out, said := start(t, dir, line)
		_ = c.Wait() // most are errors
		for _, text := range []string{out.String(), said.String()} {
			if at := strings.IndexFunc(text, obeyed); at >= 0 || !utf8.ValidString(text) {
				t.Errorf("%q prints %q", line, text[max(0, at-60):min(len(text), at+60)])
			}
		}
		if strings.Contains(out.String()+said.String(), "owned") {
			shown++
		}
		if said.Len()+out.Len() == 0 {
			t.Errorf("%q says nothing", line)
		}
	}
	if shown < 25 {
		t.Errorf("only %d lines show what there was to show", shown)
	}
}

// obeyed tells whether a terminal does what a character says.
func obeyed(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\u202e' }
