package amoebas

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
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
	proof.Slow(t)
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
		proof.Must(report.Close(engine.Result{}))(t)
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

// totals are what the whole world holds after some round, summed over games.
type totals struct{ games, size, energy, fuel float64 }

// TestConformanceStatistics compares games of the stock species in the full world with ones
// recorded in the original engine, which cannot be replayed: the totals of the world after 100,
// 200 and 300 rounds, on average. Which species has them depends on where it started.
func TestConformanceStatistics(t *testing.T) {
	proof.Slow(t)
	want, got := map[int]*totals{}, map[int]*totals{}
	for _, rounds := range []int{100, 200, 300} {
		want[rounds], got[rounds] = &totals{}, &totals{}
	}
	eachFile(t, "stats-*.jsonl*", func(t *testing.T, file string) {
		enginetest.EachRecord(t, file, func(_ string, l *recordedLine) {
			at, ok := want[l.R+1]
			if !ok || l.T != "r" {
				return
			}
			at.games++
			for name := range l.Size {
				at.size += float64(l.Size[name])
				at.energy += float64(l.Energy[name])
			}
			var fuel float64
			proof.OK(t, json.Unmarshal(l.Fuel, &fuel))
			at.fuel += fuel
		})
	})
	s := DefaultSettings()
	s.Order = "classic"
	g := proof.Must(newGame(s))(t)
	var players []engine.Player
	for _, name := range []string{"md(0.3)", "nasty(0.3,most-energy)", "sb(10,70,most-energy)",
		"msb(10,70,most-energy,0.3,1)"} {
		players = append(players, stock(t, name))
	}
	for seed := range uint64(4) {
		g.Play(players, seed, engine.OnStep(totalling(got).step))
	}
	for rounds, w := range want {
		o := got[rounds]
		for _, c := range []struct {
			what      string
			got, want float64
			within    float64
		}{
			{"amoebas", o.size / o.games, w.size / w.games, 0.15},
			{"energy", o.energy / o.games, w.energy / w.games, 0.15},
			{"fuel", o.fuel / o.games, w.fuel / w.games, 0.05},
		} {
			if t.Logf("round %d: %s %.0f, recorded %.0f", rounds, c.what, c.got,
				c.want); !(math.Abs(c.got/c.want-1) < c.within) {
				t.Errorf("round %d: %s %.0f, recorded %.0f", rounds, c.what, c.got, c.want)
			}
		}
	}
}

// totalling adds up the totals after some rounds.
type totalling map[int]*totals

func (r totalling) step(s engine.Scene) {
	at, ok := r[s.Step()]
	if !ok {
		return
	}
	at.games++
	w := s.(*scene).w
	for i := range w.seats {
		at.size += float64(w.sizes[i])
		at.energy += float64(w.energies[i])
	}
	for x := range w.size() {
		for y := range w.size() {
			at.fuel += float64(w.fuelAt(x, y))
		}
	}
}
