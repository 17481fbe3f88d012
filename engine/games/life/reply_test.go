package life

import (
	"math"
	"slices"
	"strings"
	"testing"

	"clade/gp/proof"
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
	{"", nil, false}, {"{}", nil, false}, {"5", nil, false},
	{"[1,2]", nil, false},
	{"[[1]]", nil, false}, {"[[1,2,3]]", nil, false}, {"[[1,2],]", nil, false},
	{"[[1,2]", nil, false}, {"[[1,2]]x", nil, false},
	{"[[1.0,2]]", nil, false}, {"[[1e0,2]]", nil, false}, {"[[01,2]]", nil, false},
	{"[[+1,2]]", nil, false}, {"[[-,2]]", nil, false},
	{`[["1",2]]`, nil, false}, {"[[true,2]]", nil, false}, {"[[1,2]][]", nil, false},
	{"[[null,2]]", nil, false}, {"[null]", nil, false}, {"[[1,[2]]]", nil, false},
	{"[\x00", nil, false}, {"[]\x00", nil, false},
}

// The answers are written here, as programs may send them: a number that is not whole is named in the
// user's words, and "pass" may have blanks around it, as the phrase of a stamp may.
func TestTake(t *testing.T) {
	d := &decision{}
	for _, number := range []string{"1.0", "1e999", "null"} {
		err := d.Take([]byte(`{"action":[[` + number + `,2]]}`))
		proof.Says(t, err, `"action" has `+number+` where a whole number must stand`)
		if strings.Contains(err.Error(), "strconv") {
			t.Error(err)
		}
	}
	proof.OK(t, d.Take([]byte(`{"action":" pass "}`)))
}

func TestParseReply(t *testing.T) {
	for _, r := range replies {
		got, err := parseReply([]byte(r.text))
		if (err == nil) != r.ok || r.ok && !slices.Equal(got, r.want) {
			t.Errorf("parseReply(%q) = %v, %v; want %v, accepted %v", r.text, got, err, r.want, r.ok)
		}
	}
}
