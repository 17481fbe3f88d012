package external

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/amoebas"
	"clade/engine/games/amoeboid"
	"clade/engine/games/antwars"
	"clade/engine/games/darwin"
	"clade/engine/games/life"
	"clade/gp/proof"
)

// fields appends the names of all fields that a value of a type can have in JSON. Of a map with
// string keys they are those of the value, or "*" if its elements are numbers by name.
func fields(dst []string, at string, v reflect.Value, t reflect.Type) []string {
	switch t.Kind() {
	case reflect.Interface:
		if v.IsValid() && !v.IsNil() {
			return fields(dst, at, v.Elem(), v.Elem().Type())
		}
		return append(dst, at)
	case reflect.Slice, reflect.Array:
		return fields(dst, at+"[]", reflect.Value{}, t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			field := reflect.Value{}
			if v.IsValid() {
				field = v.Field(i)
			}
			dst = fields(dst, at+"."+name, field, t.Field(i).Type)
		}
		return dst
	case reflect.Map:
		if t.Elem().Kind() != reflect.Interface {
			return append(dst, at+".*")
		}
		for _, key := range v.MapKeys() {
			dst = append(dst, at+"."+key.String())
		}
		return dst
	default:
		return append(dst, at)
	}
}

// told lists the fields in the tables of a section of the page.
func told(t *testing.T, page, heading string) (names []string) {
	t.Helper()
	_, section, ok := strings.Cut(page, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("PROTOCOL.md has no %q", heading)
	}
	level, _, _ := strings.Cut(heading, " ")
	section, _, _ = strings.Cut(section, "\n"+level+" ")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(section, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

// TestPageHoldsEveryField compares PROTOCOL.md with what is sent, both ways.
func TestPageHoldsEveryField(t *testing.T) {
	text := proof.Must(os.ReadFile("PROTOCOL.md"))(t)
	page := string(text)
	var messages []string
	for _, m := range []any{gameMessage{}, turnMessage{}, endMessage{}} {
		typ := reflect.TypeOf(m)
		for i := range typ.NumField() {
			messages = append(messages, typ.Field(i).Tag.Get("json"))
		}
	}
	slices.Sort(messages)
	proof.Are(t, told(t, page, "## Messages"), messages, "the messages' fields on the page")
	for _, g := range []engine.Game{antwars.New(), amoebas.New().Short(), darwin.New(), life.New(),
		amoeboid.New(), enginetest.Gather()} {
		var want []string
		once := &look{}
		outsider := &engine.External{Begin: func(o engine.Opening) engine.Agent {
			want = fields(nil, "facts", reflect.ValueOf(o.Facts), reflect.TypeOf(o.Facts))
			return once
		}}
		if s, ok := g.(engine.ShortForm); ok {
			g = s.Short()
		}
		g.Play([]engine.Player{outsider, outsider}, 1, nil)
		want = append(want, once.fields...)
		slices.Sort(want)
		heading := "### " + g.Info().Name
		if heading == "### gather" {
			heading = "### Games of a Stepper"
		}
		proof.Are(t, told(t, page, heading), want, "%s on the page", g.Info().Name)
	}
}

// look is an agent that looks at its first decision, and never answers.
type look struct{ fields []string }

func (l *look) Act(d engine.Decision) {
	if l.fields == nil {
		o := d.Observation()
		l.fields = fields(nil, "observation", reflect.ValueOf(o), reflect.TypeOf(o))
	}
}

func (l *look) End(*engine.Result) {}

// TestMessagesAreLines: whatever a game shows is one line of JSON.
func TestMessagesAreLines(t *testing.T) {
	o := engine.Opening{Info: antwars.New().Info(), Facts: map[string]string{"a": "\n"}, Seats: 2}
	for _, m := range [][]byte{opening(o), farewell(&engine.Result{}, 2)} {
		if strings.Count(string(m), "\n") != 1 || !json.Valid(m) {
			t.Errorf("message %q", m)
		}
	}
}
