package gp_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// settings are of every kind of value, as no game has them.
var settings = []gp.Setting{{"keen-senses", true, 4}, {"arena.width", int64(-17), 5},
	{"time_limit", 0.25, 6}, {"energy", 2.0, 7}, {"big", 1e300, 8},
	{"map", "a \"quoted\"; (map)\n  (setting x 1)", 9}, {"none", "", 10},
	{"sizes", []any{int64(16), int64(20)}, 11}, {"empty", []any{}, 12},
	{"mixed", []any{true, 0.5, int64(3)}, 13}}

// What a species says of its settings comes back, from the whole and from its head alone, and
// without settings it is what it was before there were any. The species is printed here.
func TestSettingsOfASpecies(t *testing.T) {
	g := testGrammar(false)
	s := &gp.Species{Game: "test", Version: 1,
		Origin: []string{"(setting x 1)", "\n  (setting y 2)"},
		Genome: g.Ramped(rand.New(rand.NewPCG(9, 9)), 2, 6)}
	plain := g.PrintSpecies(s)
	s.Settings = settings
	text := g.PrintSpecies(s)
	again, err := gp.ParseSpecies(text, anyGame(g))
	if err != nil || !reflect.DeepEqual(again.Settings, settings) {
		t.Fatalf("%v\n%v\n%s", err, again, text)
	}
	h, err := gp.ParseHeader(text)
	if err != nil || !reflect.DeepEqual(h.Settings, settings) || h.Game != "test" ||
		h.Version != 1 || strings.Join(h.Slots, " ") != "straight diagonal stay" {
		t.Errorf("%v, %+v", err, h)
	}
	if marked, err := gp.ParseHeader("\ufeff" + text); err != nil || !reflect.DeepEqual(marked, h) {
		t.Errorf("with a byte order mark: %v, %+v", err, marked)
	}
	proof.Is(t, string(gp.WithoutSettings([]byte(text))), plain, "without settings")
	proof.Is(t, settings[7].String()+", "+settings[3].String(), "sizes = [16,20], energy = 2.0",
		"the settings")
}

// A setting that cannot be read is told with its place, by either reader. The texts are written
// here.
func TestSettingsThatCannotBeRead(t *testing.T) {
	g := testGrammar(false)
	for text, want := range map[string]string{
		"(setting)":                  "line 2, column 9: a key of the game's settings is needed",
		"(setting \"a\" 1)":          `settings is needed here, such as world-size, not "a"`,
		"(setting a..b 1)":           "a key of the game's settings is needed here",
		"(setting é 1)":              "a key of the game's settings is needed here",
		"(setting a)":                `line 2, column 11: setting "a" needs true, false, a number`,
		"(setting a yes)":            `setting "a" needs true`,
		"(setting a nan)":            `setting "a" needs true`,
		"(setting a [1, 2])":         `setting "a" needs true`,
		"(setting a [1,])":           `setting "a" needs true`,
		"(setting a [[1]])":          `setting "a" needs true`,
		"(setting a 1 2)":            `")" is needed here, not "2"`,
		"(setting a 1)(setting a 1)": `setting "a" stands twice`,
		"(seting a 1)":               `unknown part of a species "seting", did you mean "setting"?`,
	} {
		text = "(species test 1\n" + text + "\n(slot straight hope))"
		proof.Fails(gp.ParseSpecies(text, anyGame(g)))(t, want)
		proof.Fails(gp.ParseHeader(text))(t, want)
	}
}
