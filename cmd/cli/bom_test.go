package cli

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"clade/gp/proof"
)

// The marks, and the bytes of UTF-16, are what editors on Windows write: each kind of text that a
// person gives to a command is read with the mark of UTF-8 and is refused in UTF-16, in words that
// name the file and the way out.
func TestByteOrderMarks(t *testing.T) {
	proof.Long(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"s.toml": "game = \"multiplexer\"\n[evolve]\npopulation = 8\ngenerations = 1\n" +
			"tournament = 2\nselection = \"fitness\"\nfitness.measure = \"score\"\n" +
			"fitness.opponents = \"none\"\nchampion.against = \"fitness\"\n" +
			"[measure]\nfinal = 0\n[sweep]\nseeds = [1, 2]\n" + oneFigure,
		"b.species": "(species multiplexer 1\n  (slot output a0))\n",
		"m.map":     "5 5 Small\nXXXXX\nX0  X\nX   X\nX  1X\nXXXXX\n",
		"p.rle":     "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n",
		"g.graph":   "cells 3\nedge 0 1\nedge 1 2\nstart 0 2\n",
		"d.csv":     "id,ancestor_list\n0,[none]\n1,[0]\n",
		"d.json":    `[{"id": 0, "ancestor_list": []}]`,
	} {
		proof.OK(t, os.WriteFile(name, []byte(text), 0o666))
	}
	life := "life guard guard --set height=9 --set width=9 --set generations=1 "
	for _, line := range []string{"match " + life + "--games 2 --record g.record"} {
		proof.Must(clade(strings.Fields(line)...))(t)
	}
	must(t, "sweep", "s.toml", "--out", "first")
	keys, err := filepath.Glob("first/????????????????")
	if err != nil || len(keys) != 2 {
		t.Fatal(keys, err)
	}
	proof.OK(t, os.WriteFile("cells.txt", []byte(filepath.Base(keys[0])), 0o666))
	for name, line := range map[string]string{
		"s.toml":    "sweep s.toml --out OUT",
		"cells.txt": "sweep s.toml --cells cells.txt --out OUT",
		"b.species": "show b.species",
		"m.map":     "match darwin rover rover --games 2 --set map=m.map --set time-limit=0.01",
		"p.rle":     "match " + life + "--games 2 --set start=@p.rle",
		"g.graph": "match amoeboid random random --games 2 --set board=file --set graph=g.graph " +
			"--set limit=4",
		"g.record": "replay g.record",
		"d.csv":    "phylogeny d.csv --as svg --out OUT",
		"d.json":   "phylogeny d.json --as newick --out OUT",
	} {
		plain := proof.Must(os.ReadFile(name))(t)
		run := func(kind string, text []byte) (string, error) {
			proof.OK(t, os.WriteFile(name, text, 0o666))
			defer os.WriteFile(name, plain, 0o666)
			return clade(strings.Fields(strings.ReplaceAll(line, "OUT",
				filepath.Join(t.TempDir(), kind)))...)
		}
		want, err := run("plain", plain)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		got, err := run("plain", append([]byte("\xef\xbb\xbf"), plain...))
		if err != nil || strings.Contains(line, "match") && got != want {
			t.Errorf("%s with a mark: %v\n%s\nwant\n%s", line, err, got, want)
		}
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			var wide []byte
			for _, c := range utf16.Encode([]rune("\ufeff" + string(plain))) {
				wide = order.AppendUint16(wide, c)
			}
			for _, text := range [][]byte{wide, wide[2:]} { // with a mark, and without
				proof.Fails(run("wide", text))(t, name, "save it again with the encoding UTF-8")
			}
		}
	}
}
