package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/study"
	"clade/gp/proof"
)

// played is a small tournament by the command, with every flag of the original.
func played(t *testing.T, more ...string) (console, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "made", "here")
	out, err := clade(append([]string{"match", "amoebas", "red=caesar", "blue=mindless",
		"green=theroots", "--rounds", "25", "--set", "world-size=9",
		"--generational-stats", "--report-extinctions", "--last-gen-stats", "--csv-stats",
		"--save-graphics", "--gif", "--directory", dir,
		"--colour", "green=00ff00"}, more...)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out, dir
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	return proof.Must(os.ReadFile(filepath.Join(path...)))(t)
}

// What a tournament prints and its CSV files stand in testdata, byte for byte.
func TestTournamentOutput(t *testing.T) {
	console, dir := played(t)
	got := console + "\npopsize.csv\n" + string(read(t, dir, "popsize.csv")) + "\nenergy.csv\n" +
		string(read(t, dir, "energy.csv"))
	proof.Golden(t, "testdata/tournament.txt", got)
}

func TestTournamentRecordsAndPrintsJSON(t *testing.T) {
	record := filepath.Join(t.TempDir(), "game.record")
	out, _ := played(t, "--record", record, "--json")
	var end struct {
		Rounds  int
		Winner  string
		Species []struct{ Name, Player string }
	}
	if err := json.Unmarshal([]byte(out), &end); err != nil || end.Rounds != 25 ||
		len(end.Species) != 3 || end.Species[2].Player != "theroots" {
		t.Errorf("%v\n%s", err, out)
	}
	proof.Holds(t, proof.Must(clade("replay", record))(t), "ended as recorded")
}

func TestCurvesCommand(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	proof.Holds(t, proof.Must(clade("match", "amoebas", "caesar", "theroots", "mindless", "--set",
		"world-size=10", "--rounds", "20", "--curves", dir, "--duels", "--games", "2"))(t),
		"populations.png")
	if text := string(read(t, dir, "populations.csv")); !strings.Contains(text,
		"territory,theroots,20,") {
		t.Errorf("the data lack the territory of theroots in the last round:\n%.500s", text)
	}
}

func TestTournamentMisuse(t *testing.T) {
	for args, want := range map[string]string{
		"caesar theroots --gif": "whose players have names: red=caesar " +
			"blue=theroots",
		"red=caesar blue=theroots --colour gren=ff0000":   `did you mean "red"?`,
		"red=caesar blue=theroots --colour red=ff00":      "NAME=RRGGBB",
		"red=caesar blue=theroots --watch":                "needs a terminal",
		"red=caesar blue=theroots --games 4":              "it is one game",
		"red=caesar blue=theroots --curves x --csv-stats": "--csv-stats shows one game",
		"red=cesar":                  `did you mean "caesar"?`,
		"red=caesar --rounds 0":      "rounds must be in",
		"red=caesar --set sizes=[3]": "sizes must be in",
		"caesar theroots --games 2 --rounds 5 --set size=": "unknown key",
	} {
		_, err := clade(append([]string{"match", "amoebas"}, strings.Fields(args)...)...)
		refused(t, err, 2, want, args)
	}
	proof.Fails(clade("match", "amoebas", "red=caesar", "red=theroots", "--rounds",
		"2"))(t, "stands twice")
}

// keys is a terminal's input for tests.
type keys struct{ text string }

func (k *keys) Read(b []byte) (int, error) {
	if k.text == "" {
		return 0, errors.New("the end")
	}
	n := copy(b, k.text)
	k.text = k.text[n:]
	return n, nil
}

func TestScreenKeys(t *testing.T) {
	var out bytes.Buffer
	s := &screen{Writer: raw{&out}, keys: make(chan byte)}
	interrupted := make(chan bool)
	go s.read(&keys{"+ \x03q"}, func() { close(interrupted) })
	if a, b := s.key(-1), s.key(time.Minute); a != '+' || b != ' ' {
		t.Errorf("keys %q and %q", a, b)
	}
	<-interrupted
	proof.Is(t, s.key(time.Millisecond), 0, "the key behind the interrupt")
	if n, err := s.Write([]byte("a\nb")); n != 3 || err != nil || out.String() != "a\r\nb" {
		t.Errorf("%d, %v, %q", n, err, out.String())
	}
}

// TestWatchedTournament shows a game to a terminal that keeps what it is sent.
func TestWatchedTournament(t *testing.T) {
	g := proof.Must(study.NewGame(*scope, "amoebas", "rounds=3", "world-size=9"))(t)
	names := []string{"caesar", "mindless"}
	players := proof.Must(scope.FindAll(g, names))(t)
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	source := g.(engine.NativeMatch).NativeMatch(flags)
	proof.OK(t, flags.Parse([]string{"-colour", "rome=010203"}))
	report := proof.Must(source.Begin([]string{"rome", "fog"}, names, io.Discard, io.Discard))(t)
	var out bytes.Buffer
	w := &terminal.Viewer{Out: &out, Columns: 60, Rows: 20, Colours: terminal.TrueColours,
		Key: func(time.Duration) byte { return 0 }}
	g.Play(players, 1, shown{report, &screen{Viewer: w}})
	if text := out.String(); strings.Count(text, "step ") != 4 ||
		!strings.Contains(text, "48;2;1;2;3m rome 1 (100) \x1b[0m") ||
		strings.Count(text, ";1;2;3m") < 8 {
		t.Errorf("%q", text)
	}
}
