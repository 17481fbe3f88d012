package study_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/games/all"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp"
	"clade/gp/proof"
)

// What a game says of its settings makes the same game again, printed into a species and read back.
// The settings are those of the project's studies.
func TestSaidMakesTheGameAgain(t *testing.T) {
	proof.Slow(t)
	paths, err := filepath.Glob("../*/*.toml")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d studies, %v", len(paths), err)
	}
	said := 0
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			t.Chdir("../..")
			s := proof.Must(study.Read(scope, filepath.Join("experiments", "study", path)))(t)
			g := proof.Must(s.NewGame())(t)
			settings := proof.Must(study.Said(scope, g))(t)
			said += len(settings)
			text := g.Grammar().PrintSpecies(&gp.Species{Game: s.Game, Version: 1, Settings: settings})
			h := proof.Must(gp.ParseHeader(text))(t)
			again := proof.Must(study.GameWith(scope, s.Game, h.Settings))(t)
			if a, ok := g.(engine.Adjustable); ok && !reflect.DeepEqual(a.Settings(),
				again.(engine.Adjustable).Settings()) {
				t.Errorf("%+v, want %+v\n%s", again.(engine.Adjustable).Settings(), a.Settings(), text)
			}
			plain, err := scope.Game(s.Game)
			settings, cannot := study.Said(scope, plain)
			proof.OK(t, errors.Join(err, cannot))
			proof.Is(t, len(settings), 0, "settings of the default, %v", settings)
		})
	}
	if said < 60 {
		t.Errorf("%d settings", said)
	}
}

// Settings of a command come typed, those of a table one by one.
func TestSettings(t *testing.T) {
	for set, want := range map[string]any{"map=arena": "arena", "time-limit=2": 2.0,
		"arena.width=17": int64(17), "shared-map=true": true} {
		got, err := study.Settings(scope, "darwin", set)
		if err != nil || len(got) != 1 || got[0].Value != want {
			t.Errorf("%s: %v, %v", set, got, err)
		}
	}
	got, err := study.Settings(scope, "darwin", "arena={width=17, height=19}")
	if err != nil || len(got) < 2 || got[0].Key != "arena.width" {
		t.Errorf("%v, %v", got, err)
	}
	for set, game := range map[string]string{"speed=1": "chase", "maps=1": "darwin",
		"map": "darwin", "map=3": "darwin"} {
		proof.Fails(study.Settings(scope, game, set))(t, "setting")
	}
}

// The boards are written by hand, in two formats.
const (
	boardA = "!a glider\n.O\n..O\nOOO\n"
	boardB = "x = 2, y = 2, rule = S23/B3\n2o$2o"
)

// TestFilesInStudies holds that a study with settings, cells and exclusions that name files is the
// same once it is written and the files are gone.
func TestFilesInStudies(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.cells": boardA, "b.rle": boardB,
		"path.graph": "cells 3\nedge 0 1\nedge 1 2\nstart 0 2\n"} {
		proof.OK(t, os.WriteFile(name, []byte(text), 0o666))
	}
	files := player.Scope{Games: all.Games(), Trust: player.Files}
	const life = "game = \"life\"\n[settings]\nheight = 9\nwidth = 9\ngenerations = 2\n"
	for text, groups := range map[string][]string{
		life + "start = \"@a.cells\"\n": {""},
		life + "[sweep.settings]\nsettings.start = [\"@a.cells\", \"@b.rle\", \"\"]\n" +
			"[[sweep.exclude]]\nsettings.start = \"@a.cells\"\n": {"start #N b.rle 09eb11", "start empty"},
		life + "[[sweep.cells]]\nname = \"a\"\nsettings.start = \"@a.cells\"\n" +
			"[[sweep.cells]]\n\"settings.start\" = \"@b.rle\"\n[sweep.merge]\n" +
			"settings.start = \"@b.rle\"\n": {"a", "start #N b.rle 09eb11"},
		"game = \"amoeboid\"\n[settings]\nboard = \"file\"\ngraph = \"path.graph\"\n": {""},
	} {
		s, err := study.Parse(files, "s", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		written := proof.Must(s.Text())(t)
		keys := func(s *study.Study) (keys, groups []string) {
			g, err := s.Grid()
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			for _, c := range g.Cells {
				keys, groups = append(keys, c.Key), append(groups, c.Group)
			}
			return keys, groups
		}
		had, of := keys(s)
		proof.Are(t, of, groups, "%s: groups", text)
		// nothing that comes over a network may name a file
		nobody := player.Scope{Games: all.Games()}
		again, err := study.Parse(nobody, "s", written)
		if err != nil {
			t.Errorf("written as\n%s\n%v", written, err)
			continue
		}
		have, _ := keys(again)
		proof.Are(t, have, had, "%s: keys, written and read", text)
		proof.Fails(study.Parse(nobody, "s", []byte(text)))(t, "would read a file")
	}
	proof.Fails(study.Parse(files, "s.toml", []byte(life+"start = \"@c.rle\"\n")))(t,
		"s.toml:6:1: settings: life: start: open c.rle")
}

// TestFilesInRecords holds that a record has the board and not its file's name, and that one which
// names a file is known.
func TestFilesInRecords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.cells")
	proof.OK(t, os.WriteFile(file, []byte(boardA), 0o666))
	files := player.Scope{Games: all.Games(), Trust: player.Files}
	g := proof.Must(study.NewGame(files, "life", "height=9", "width=9", "generations=1",
		"start=@"+file))(t)
	p := proof.Must(files.Find(g, "guard"))(t)
	record, _, err := engine.PlayRecorded(g, []string{"a", "b"}, []engine.Player{p, p}, 1, nil)
	proof.OK(t, err)
	const glider = `start = "#N a.cells\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"`
	nobody := player.Scope{Games: all.Games()}
	if !strings.Contains(record.Settings, glider) || study.CheckFile(nobody, record) != nil {
		t.Errorf("the record has\n%s", record.Settings)
	}
	named := *record
	named.Settings = strings.Replace(record.Settings, glider, `start = "@`+file+`"`, 1)
	if study.CheckFile(nobody, &named) == nil || study.CheckFile(files, &named) != nil {
		t.Error("a record that names a file is not known by it")
	}
	if err := study.Adjust(nobody, record, "start=@"+file); err == nil {
		t.Error("a setting of anybody's reads a file")
	}
	proof.OK(t, study.Adjust(files, record, "start=@"+file))
	proof.Holds(t, record.Settings, glider)
}
