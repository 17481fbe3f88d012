package amoebas

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// recordedTournament is a meta.json.
type recordedTournament struct {
	Rounds  int
	Flags   map[string]bool
	Genesis []string `json:"genesis_order"`
	RGB     map[string][3]uint8
}

// The tournaments' tables and pictures were written by the original program.
func TestConformanceTournaments(t *testing.T) {
	eachFile(t, "tournament/*/meta.json", func(t *testing.T, file string) {
		dir := filepath.Dir(file)
		t.Log(filepath.Base(dir))
		text := proof.Must(os.ReadFile(file))(t)
		var meta recordedTournament
		proof.OK(t, json.Unmarshal(text, &meta))
		var species []entrant
		for _, name := range meta.Genesis {
			c := meta.RGB[name]
			species = append(species, entrant{name, "", color.NRGBA{c[0], c[1], c[2], 255}})
		}
		o := output{
			generationalStats: meta.Flags["generational-stats"],
			reportExtinctions: meta.Flags["report-extinctions"],
			lastGenStats:      meta.Flags["last-gen-stats"],
			saveGraphics:      meta.Flags["save-graphics"],
			csvStats:          meta.Flags["csv-stats"],
			directory:         filepath.Join(t.TempDir(), "made"),
		}
		var console bytes.Buffer
		report := proof.Must(newReport(species, o, &console, io.Discard))(t)
		showStates(t, filepath.Join(dir, "states.jsonl.gz"), report)
		if _, err := report.Close(engine.Result{}); err != nil {
			t.Fatal(err)
		}
		compareFiles(t, dir, o.directory, console.Bytes())
	})
}

// showStates shows the recorded states to a report.
func showStates(t *testing.T, file string, report engine.Recorder) {
	var w *recordedWorld
	enginetest.EachRecord(t, file, func(_ string, l *recordedLine) {
		if l.T == "header" {
			w = newRecorded(t, l)
			return
		}
		w.load(l)
		w.round = l.AfterRounds
		report.Step(&scene{w: w.world})
	})
}

// compareFiles compares the console, the CSV files byte for byte, and the frames pixel for pixel.
func compareFiles(t *testing.T, want, got string, console []byte) {
	for _, pattern := range []string{"console.txt", "*.csv", "*.png"} {
		files := proof.Must(filepath.Glob(filepath.Join(want, pattern)))(t)
		for _, f := range files {
			name := filepath.Base(f)
			recorded := proof.Must(os.ReadFile(f))(t)
			written := console
			if name != "console.txt" {
				written = proof.Must(os.ReadFile(filepath.Join(got, name)))(t)
			}
			if filepath.Ext(name) == ".png" {
				if !samePixels(t, recorded, written) {
					t.Errorf("%s has other pixels than recorded", name)
				}
			} else if !bytes.Equal(recorded, written) {
				t.Errorf("%s is\n%s\nrecorded\n%s", name, written, recorded)
			}
		}
	}
}

// TestReportReplacesFilesAsAWhole writes over an earlier tournament's file: who has that one open
// still reads it whole, so nobody ever sees half a file.
func TestReportReplacesFilesAsAWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "popsize.csv")
	proof.OK(t, os.WriteFile(path, []byte("earlier"), 0o666))
	earlier := proof.Must(os.Open(path))(t)
	defer earlier.Close()
	report, err := newReport([]entrant{{name: "red"}}, output{csvStats: true, directory: dir},
		io.Discard, io.Discard)
	if err == nil {
		_, err = report.Close(engine.Result{})
	}
	proof.OK(t, err)
	proof.Is(t, string(proof.Must(io.ReadAll(earlier))(t)), "earlier", "the earlier file")
	proof.Is(t, string(proof.Must(os.ReadFile(path))(t)), ":red\n", "the file")
}

func samePixels(t *testing.T, a, b []byte) bool {
	t.Helper()
	var pictures [2]image.Image
	for i, data := range [][]byte{a, b} {
		img := proof.Must(png.Decode(bytes.NewReader(data)))(t)
		pictures[i] = img
	}
	if pictures[0].Bounds() != pictures[1].Bounds() {
		return false
	}
	for y := range pictures[0].Bounds().Dy() {
		for x := range pictures[0].Bounds().Dx() {
			if color.NRGBAModel.Convert(pictures[0].At(x, y)) != color.NRGBAModel.Convert(
				pictures[1].At(x, y)) {
				return false
			}
		}
	}
	return true
}
