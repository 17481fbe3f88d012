package life

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

var replies = []struct {
	text string
	want []cell
	ok   bool
}{
	{"[]", nil, true},
	{" [ ]\n", nil, true},
	{"[[1,2]]", []cell{{1, 2}}, true},
	{"\t[[1 , 2] ,[-3,0]]\r\n", []cell{{1, 2}, {-3, 0}}, true},
	{"[[-0,9999999999],[-9999999999,1]]", []cell{{0, math.MaxInt32}, {math.MinInt32, 1}}, true},
	{"", nil, false}, {"{}", nil, false}, {"5", nil, false}, {"null", nil, false},
	{"[1,2]", nil, false},
	{"[[1]]", nil, false}, {"[[1,2,3]]", nil, false}, {"[[1,2],]", nil, false},
	{"[[1,2]", nil, false}, {"[[1,2]]x", nil, false},
	{"[[1.0,2]]", nil, false}, {"[[1e0,2]]", nil, false}, {"[[01,2]]", nil, false},
	{"[[+1,2]]", nil, false}, {"[[-,2]]", nil, false},
	{`[["1",2]]`, nil, false}, {"[[true,2]]", nil, false}, {"[[1,2]][]", nil, false},
	{"[\x00", nil, false}, {"[]\x00", nil, false},
}

func TestParseReply(t *testing.T) {
	for _, r := range replies {
		got, err := parseReply([]byte(r.text), nil)
		if (err == nil) != r.ok || r.ok && !slices.Equal(got, r.want) {
			t.Errorf("parseReply(%q) = %v, %v; want %v, accepted %v", r.text, got, err, r.want,
				r.ok)
		}
	}
}

// FuzzParseReply holds that just those replies are accepted that the standard library reads as
// pairs of integers.
func FuzzParseReply(f *testing.F) {
	for _, r := range replies {
		f.Add([]byte(r.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := parseReply(text, nil)
		if err == nil && !json.Valid(text) {
			t.Fatalf("%q is no JSON", text)
		}
		var want [][]json.Number
		pairs := json.Unmarshal(text, &want) == nil && want != nil
		for _, p := range want {
			pairs = pairs && len(p) == 2
		}
		if err == nil && (!pairs || len(want) != len(got)) {
			t.Fatalf("%q read as %v", text, got)
		}
		integers := pairs && !bytes.ContainsAny(text, `"`) // the library takes quoted numbers too
		for _, p := range want {
			for _, n := range p {
				integers = integers && n != "" && !strings.ContainsAny(string(n), ".eE")
			}
		}
		if integers && err != nil {
			t.Fatalf("%q refused: %v", text, err)
		}
	})
}
