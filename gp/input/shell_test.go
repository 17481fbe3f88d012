package input

import (
	"os"
	"os/exec"
	"os/user"
	"strings"
	"testing"

	"clade/gp/proof"
)

// readBack returns the words that the system's sh reads.
func readBack(t *testing.T, line string) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", `for w in `+line+`; do printf '%s\0' "$w"; done`).Output()
	if err != nil {
		t.Fatalf("sh does not read %s: %v", line, err)
	}
	words := strings.Split(string(out), "\x00")
	return words[:len(words)-1]
}

// words are those that shells would change: of paths and names as users have reported them.
var words = []string{"runs/quick", "my runs/a", "kim's runs", "50%j", "a(1)", "$HOME", "`id`", "~/x",
	"~", "a~", "a\nb", "", "--set", "x=y", "*", "[a]", "{a,b}", "a;b", "a&b", "a|b", "<a>", "#a",
	`a\b`, `"a"`, "!x", "ä", "a\tb", "C:\\runs", "persist:python3 bot.py"}

// What Quote writes is read back by the sh of this system, and by SplitCommand.
func TestQuoteIsReadBack(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	line := Quote(words...)
	proof.Are(t, readBack(t, line), words, "what sh reads of %s", line)
	proof.Are(t, proof.Must(SplitCommand(line))(t), words, "what Split reads of %s", line)
	for _, plain := range []string{"runs/quick", "run:runs/quick@50", "--out=a", "evolve.boards=2"} {
		proof.Is(t, Quote(plain), plain, "quoted in vain")
	}
}

// Lines are split as the manual of sh says.
func TestSplit(t *testing.T) {
	for in, want := range map[string][]string{
		`a b`: {"a", "b"}, ` a  'b c' `: {"a", "b c"}, `a "b 'c'" ''`: {"a", "b 'c'", ""},
		`a\ b "c\"d" 'e\f'`: {"a b", `c"d`, `e\f`}, "": nil,
		`sh -c "printf '[]\n' \\ \$x"`: {"sh", "-c", `printf '[]\n' \ $x`},
		"\"a\\\nb\" c\\\nd":            {"ab", "cd"}, "b\xe9te": {"b\xe9te"},
	} {
		proof.Are(t, proof.Must(SplitCommand(in))(t), want, "%q", in)
	}
}

// The home directories are those that the system's user database and environment tell.
func TestHome(t *testing.T) {
	t.Setenv("HOME", "/home/of mine")
	for in, want := range map[string]string{"~": "/home/of mine", "~/a/b": "/home/of mine/a/b",
		"a/~": "a/~", "": "", "~nobody-of-this-name/x": "~nobody-of-this-name/x", "./~/x": "./~/x"} {
		proof.Is(t, Home(in), want, "Home(%q)", in)
	}
	if me, err := user.Current(); err == nil && me.Username != "" {
		proof.Is(t, Home("~"+me.Username+"/x"), strings.TrimSuffix(me.HomeDir, "/")+"/x",
			"the home of %s", me.Username)
	}
	proof.Are(t, proof.Must(SplitCommand(`~/bots/a '~/b' a~ ~`))(t),
		[]string{os.Getenv("HOME") + "/bots/a", "~/b", "a~", os.Getenv("HOME")}, "with homes")
}

// FuzzSplit looks for lines that panic, and for words that do not come back.
func FuzzSplit(f *testing.F) {
	f.Add(`a "b c" 'd' \e`)
	for _, w := range words {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, s string) {
		split, err := SplitCommand(s)
		if err != nil {
			return
		}
		proof.Are(t, proof.Must(SplitCommand(Quote(split...)))(t), split, "what is quoted and split")
	})
}
