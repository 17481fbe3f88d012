package external

import (
	"slices"
	"strings"
	"testing"
)

func TestSplitWords(t *testing.T) {
	for in, want := range map[string][]string{
		`a b`: {"a", "b"}, ` a  'b c' `: {"a", "b c"}, `a "b 'c'" ''`: {"a", "b 'c'", ""},
		`a\ b "c\"d" 'e\f'`: {"a b", `c"d`, `e\f`}, "": nil,
		`sh -c "printf '[]\n' \\ \$x"`: {"sh", "-c", `printf '[]\n' \ $x`},
		"\"a\\\nb\" c\\\nd":            {"ab", "cd"}, "b\xe9te": {"b\xe9te"},
	} {
		if got, err := splitWords(in); err != nil || !slices.Equal(got, want) {
			t.Errorf("splitWords(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
}

func TestCommandsThatCannotRun(t *testing.T) {
	for _, command := range []string{"", "  ", "no-such-program-anywhere x", `sh "x`, `sh x\`,
		"sh \x00", "sh '\x00'"} {
		if _, err := new(Supervisor).Exec(command); err == nil {
			t.Errorf("%q is taken for a command", command)
		}
	}
}

func FuzzSplitWords(f *testing.F) {
	f.Add(`a "b c" 'd' \e`)
	f.Fuzz(func(t *testing.T, s string) {
		if words, err := splitWords(s); err == nil && len(strings.Join(words, "")) > len(s) {
			t.Errorf("%q", words)
		}
	})
}
