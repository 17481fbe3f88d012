package engine_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// recordOf plays a noisy game of three.
func recordOf(t testing.TB, seed uint64) *engine.Record {
	t.Helper()
	g := enginetest.Number(0.5)
	record, _, err := engine.PlayRecorded(g, []string{"one", "two and \"a half\"", ""},
		constants(g, 1, 2.5, -3e9), seed, nil)
	proof.OK(t, err)
	return record
}

func encode(t testing.TB, r *engine.Record) []byte {
	t.Helper()
	return proof.Must(r.Encode())(t)
}

func TestRecordGolden(t *testing.T) {
	t.Log("if the text form changed, raise recordFormat")
	proof.Golden(t, "testdata/number.record", string(encode(t, recordOf(t, 12345))))
}

func TestRecordFile(t *testing.T) {
	record := recordOf(t, 3)
	for seat := range 70 { // several lines of decisions
		record.Decisions[2] = append(record.Decisions[2], uint64(seat)<<57)
	}
	record.Decisions[1] = nil
	path := filepath.Join(t.TempDir(), "game.record")
	for range 2 { // the second replaces the first
		proof.OK(t, record.WriteFile(path))
	}
	got := proof.Must(engine.ReadRecordFile(path))(t)
	if !reflect.DeepEqual(got, record) {
		t.Errorf("read %+v, wrote %+v", got, record)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("%d files in the directory, not 1", len(files))
	}
}

func TestRecordFileErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "no", "game.record")
	proof.Says(t, recordOf(t, 1).WriteFile(missing), missing)
	proof.Fails(engine.ReadRecordFile(missing))(t, missing)
}

// reseal puts the right checksum under an edited text.
func reseal(text string) []byte {
	body := text[:strings.LastIndex(text, "sha256 ")]
	return fmt.Appendf(nil, "%ssha256 %x\n", body, sha256.Sum256([]byte(body)))
}

func TestParseRecordErrors(t *testing.T) {
	good := string(encode(t, recordOf(t, 12345)))
	edit := func(old, new string) []byte {
		proof.Holds(t, good, old)
		return reseal(strings.Replace(good, old, new, 1))
	}
	tests := []struct {
		name string
		text []byte
		want []string
	}{
		{"empty", nil, []string{"empty"}},
		{"another file", []byte("<html>\n"), []string{":1:", "not a record"}},
		{"another format", []byte(strings.Replace(good, "record 1", "record 2", 1)),
			[]string{":1:", `format "2"`, "reads format 1"}},
		{"line ends of Windows", []byte(strings.ReplaceAll(good, "\n", "\r\n")),
			[]string{":1:", "CR LF", "fetch the file again"}},
		{"cut inside a line", []byte(good[:len(good)/2]), []string{"cut short"}},
		{"cut inside the checksum", []byte(good[:len(good)-5]), []string{"cut short"}},
		{"cut between lines", []byte(good[:strings.Index(good, "winner")]),
			[]string{":13:", "cut short"}},
		{"damaged", []byte(strings.Replace(good, "steps 3", "steps 4", 1)),
			[]string{"damaged", ":16:", "lines 1 to 15"}},
		{"no game", edit("game number", "game"), []string{":2:", `"game"`}},
		{"game name", edit("game number", "game Number"), []string{`"Number"`, "lower case"}},
		{"version", edit("version 1", "version x"), []string{":3:", `"version x" where`}},
		{"leading zero", edit("seed 12345", "seed 012345"),
			[]string{":6:", `"seed 012345" where "seed 12345"`}},
		{"seed too great", edit("seed 12345", "seed 18446744073709551616"),
			[]string{":6:", `where "seed NUMBER" must stand`}},
		{"player without quotes", edit(`"one"`, `one`), []string{":7:", "where \"seat \\\"NAME\\\" score NUMBER decisions NUMBER\" must"}},
		{"player in other quotes", edit(`"one"`, "`one`"), []string{":7:", "must stand"}},
		{"score", edit("decisions 3", "decisions"), []string{":7:", "score"}},
		{"score in another writing", edit("score -8.9", "score -08.9"),
			[]string{":11:", "score -08.9"}},
		{"score is not a number", edit("score -8.999999999531818e+09", "score NaN"), []string{"score"}},
		{"too many decisions", edit("decisions 3", "decisions 4000000000"),
			[]string{":9:", `"seat" where a decision`}},
		{"too few decisions", edit("decisions 3", "decisions 2"), []string{":7:", "decisions 3"}},
		{"winner", edit("winner 1", "winner 3"), []string{"seat 3 won"}},
		{"winner is not a number", edit("winner 1", "winner one"), []string{":13:", `"one"`}},
		{"fingerprint", edit("fingerprint ", "fingerprint f"), []string{":15:", `"fingerprint DIGITS"`}},
		{"an empty line", edit("sha256", "\nsha256"), []string{":16:", `""`}},
		{"an empty line behind", []byte(good + "\n"), []string{"cut short"}},
		{"more lines", edit("sha256", "steps 3\nsha256"), []string{":16:", `"steps 3"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := engine.ParseRecord("game.record", test.text)
			for _, want := range append(test.want, "engine: game.record:") {
				proof.Says(t, err, want)
			}
		})
	}
}

// TestRecordDamage flips every bit of a record's text and cuts it everywhere: none may be read.
func TestRecordDamage(t *testing.T) {
	good := encode(t, recordOf(t, 12345))
	for i := range good {
		for bit := range 8 {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << bit
			proof.Fails(engine.ParseRecord("x", bad))(t, "engine: x:")
		}
		proof.Fails(engine.ParseRecord("x", good[:i]))(t, "engine: x:")
	}
}

func TestEncodeErrors(t *testing.T) {
	tests := []struct {
		name string
		edit func(*engine.Record)
	}{
		{"game", func(r *engine.Record) { r.Game = "a b" }},
		{"version", func(r *engine.Record) { r.Version = 0 }},
		{"steps", func(r *engine.Record) { r.Steps = -1 }},
		{"scores", func(r *engine.Record) { r.Scores = r.Scores[1:] }},
		{"seats", func(r *engine.Record) {
			r.Players, r.Scores, r.Decisions = make([]string, 17), make([]float64, 17), make([][]uint64, 17)
		}},
		{"winner", func(r *engine.Record) { r.Winner = 3 }},
		{"settings", func(r *engine.Record) { r.Settings = "half a line" }},
	}
	for _, test := range tests {
		r := recordOf(t, 1)
		test.edit(r)
		if _, err := r.Encode(); err == nil || !strings.HasPrefix(err.Error(), "engine: ") {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
}

func TestReplay(t *testing.T) {
	record := recordOf(t, 99)
	var tape engine.Tape
	// The record's noise and rounds count, not those of the game at hand.
	proof.Must(engine.Replay(enginetest.Number(0), record, &tape))(t)
	if !reflect.DeepEqual(tape.Decisions[:3], record.Decisions) {
		t.Errorf("replayed %v, recorded %v", tape.Decisions[:3], record.Decisions)
	}
}

// onlooker is a tape that also notes the steps it was shown.
type onlooker struct {
	engine.Tape
	steps []int
}

func (o *onlooker) Step(s engine.Scene) { o.steps = append(o.steps, s.Step()) }

func TestPlayRecorded(t *testing.T) {
	g := enginetest.Number(0.5)
	players := constants(g, 2, 2)
	var watching onlooker
	record, result, err := engine.PlayRecorded(g, []string{"a", "b"}, players, 5, &watching)
	proof.OK(t, err)
	proof.Is(t, result, g.Play(players, 5, nil), "the result, unrecorded")
	if !reflect.DeepEqual(watching.Decisions[:2], record.Decisions) {
		t.Errorf("the recorder saw %v, the record has %v", watching.Decisions[:2], record.Decisions)
	}
	proof.Are(t, watching.steps, []int{0, 1, 2, 3}, "the steps that the recorder saw")
	if _, _, err := engine.PlayRecorded(g, []string{"a"}, players, 5, nil); err == nil {
		t.Error("one name for two players was taken")
	}
}

// TestRecordOfTie records a game that nobody wins, of a game without settings.
func TestRecordOfTie(t *testing.T) {
	g := enginetest.Scissors()
	record, _, err := engine.PlayRecorded(g, []string{"a", "b"}, constants(g, 1, 1), 5, nil)
	proof.OK(t, err)
	read := proof.Must(engine.ParseRecord("tie", encode(t, record)))(t)
	if read.Winner != engine.Tie || read.Settings != "" || !reflect.DeepEqual(read, record) {
		t.Errorf("read %+v, wrote %+v", read, record)
	}
	proof.Must(engine.Replay(g, read, nil))(t)
}

func TestReplayErrors(t *testing.T) {
	tests := []struct {
		name string
		game engine.Game
		edit func(*engine.Record)
		want string
	}{
		{"wrong game", enginetest.Scissors(), func(*engine.Record) {}, "cannot be played as scissors"},
		{"other rules", nil, func(r *engine.Record) { r.Version = 7 }, "version 7 of the rules"},
		{"seats", nil, func(r *engine.Record) { r.Decisions = r.Decisions[:1] }, "1 seats"},
		{"unknown setting", nil, func(r *engine.Record) { r.Settings += "nose = 3\n" },
			"has no setting nose"},
		{"setting out of range", nil, func(r *engine.Record) { r.Settings = "rounds = 11\n" }, "1..10"},
		{"settings where there are none", enginetest.Scissors(),
			func(r *engine.Record) { r.Game = "scissors"; r.Decisions = r.Decisions[:2] },
			"has settings"},
		{"another decision", nil, func(r *engine.Record) { r.Decisions[1][2]++ }, "another course"},
		{"another seed", nil, func(r *engine.Record) { r.Seed++ }, "another course"},
		{"another score", nil, func(r *engine.Record) { r.Scores[1]++ }, "seat 1 scored"},
		{"another winner", nil, func(r *engine.Record) { r.Winner = 0 }, "recorded 0"},
		{"other steps", nil, func(r *engine.Record) { r.Steps++ }, "after 3 steps, recorded 1 after 4"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := test.game
			if g == nil {
				g = enginetest.Number(0)
			}
			record := recordOf(t, 99)
			test.edit(record)
			proof.Fails(engine.Replay(g, record, nil))(t, test.want)
		})
	}
}

// FuzzParseRecord holds that any text is read or refused, and that what is read has one writing.
func FuzzParseRecord(f *testing.F) {
	good := encode(f, recordOf(f, 12345))
	f.Add(good)
	f.Add([]byte("clade record 1\n"))
	f.Add(good[:len(good)/2])
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, text := range [][]byte{text, sealed(text)} {
			r, err := engine.ParseRecord("fuzz", text)
			if err != nil {
				continue
			}
			proof.Is(t, string(encode(t, r)), string(text), "what was read, written")
		}
	})
}

// sealed puts a right checksum in the place of the last line, so that fuzzing comes past it.
func sealed(text []byte) []byte {
	body := text[:bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n')+1]
	return fmt.Appendf(bytes.Clone(body), "sha256 %x\n", sha256.Sum256(body))
}

func ExampleReplay() {
	g := enginetest.Number(0.5)
	players := constants(g, 1, 2)
	record, _, err := engine.PlayRecorded(g, []string{"one", "two"}, players, 42, nil)
	if err != nil {
		panic(err)
	}
	result, err := engine.Replay(g, record, nil)
	fmt.Println("seat", result.Winner(), "wins again,", err)
	// Output: seat 1 wins again, <nil>
}
