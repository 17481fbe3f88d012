package engine

import (
	"testing"

	"clade/gp/proof"
)

// Answers are those that programs in the hands of others have sent, with keys of their own.
func TestReadAnswer(t *testing.T) {
	type fields struct {
		Action string `json:"action"`
		Rounds int    `json:"rounds"`
	}
	for text, want := range map[string]string{
		`{"action":"n"}`: "n 0", ` {"rounds":3,"action":"n"} ` + "\r": "n 3",
		`{"action":"n","why":"food","score":[1,{"a":null}],"ROUNDS":"x"}`: "n 0",
		`{"Action":"s","action":"n"}`:                                     "n 0",
		`{"action":"n","Action":"s"}`:                                     "n 0",
		`{"Action":"n"}`:                                                  `has no "action"`,
		`{"ation":"n"}`:                                                   `has no "action"`,
		`{"action":null}`:                                                 `has no "action"`,
		`{"action":1}`:                                                    `"action" must be a string, not a JSON number`,
		`{"action":"n","rounds":"3"}`:                                     `"rounds" must be a whole number, not a JSON string`,
		`{"action":"n","rounds":1.5}`:                                     `must be a whole number, not a JSON number 1.5`,
		`{"action":"n","rounds":9e18}`:                                    `must be a whole number, not a JSON number 9e18`,
		`{"action":"n"} {}`:                                               "text follows the answer",
		"{\"action\":\"n\"}\nhello":                                       "text follows the answer",
		`{"action":`:                                                      "ends too early",
		`{"action":n}`:                                                    "is not understood",
		"":                                                                "is empty", " \t": "is empty", `["n"]`: "no JSON object",
	} {
		var a fields
		var got string
		if err := ReadAnswer([]byte(text), &a); err != nil {
			got = err.Error()
		} else {
			got = a.Action + " " + string(rune('0'+a.Rounds))
		}
		proof.Holds(t, got, want)
	}
}

// FuzzReadAnswer looks for texts that panic.
func FuzzReadAnswer(f *testing.F) {
	f.Add([]byte(`{"action":"n","why":[{}]}`))
	f.Fuzz(func(_ *testing.T, text []byte) {
		var a struct {
			Action *string `json:"action"`
		}
		_ = ReadAnswer(text, &a)
	})
}

// The bytes are those that C#'s console and PowerShell write before their first line.
func TestReadAnswerWithMarks(t *testing.T) {
	actions := []Action{{Name: "stay"}, {Name: "go"}}
	i, err := ReadAction([]byte("\xef\xbb\xbf{\"action\":\"go\"}\r\n"), actions)
	if i != 1 || err != nil {
		t.Errorf("with the mark of UTF-8: %d, %v", i, err)
	}
	for _, answer := range []string{"\xff\xfe{\x00}\x00", "{\x00}\x00"} {
		proof.Fails(ReadAction([]byte(answer), actions))(t, "UTF-16")
	}
}
