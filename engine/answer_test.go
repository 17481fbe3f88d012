package engine

import (
	"strings"
	"testing"
)

// The bytes are those that C#'s console and PowerShell write before their first line.
func TestReadAnswerWithMarks(t *testing.T) {
	actions := []Action{{Name: "stay"}, {Name: "go"}}
	i, err := ReadAction([]byte("\xef\xbb\xbf{\"action\":\"go\"}\r\n"), actions)
	if i != 1 || err != nil {
		t.Errorf("with the mark of UTF-8: %d, %v", i, err)
	}
	for _, answer := range []string{"\xff\xfe{\x00}\x00", "{\x00}\x00"} {
		if _, err := ReadAction([]byte(answer), actions); err == nil ||
			!strings.Contains(err.Error(), "UTF-16") {
			t.Errorf("%q: %v", answer, err)
		}
	}
}
