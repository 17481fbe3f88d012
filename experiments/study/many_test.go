package study_test

import (
	"fmt"
	"strings"
	"testing"

	"clade/engine/system/parallel"
	"clade/experiments/study"
	"clade/gp/proof"
)

// TestManyFaults reads documents of megabytes that no study is, made here: each is refused within a
// second of processor time, and the first hundred faults are told with their places.
func TestManyFaults(t *testing.T) {
	proof.Costly(t)
	const head = "game = \"antwars\"\n"
	many := func(n int, line string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, text, last string }{
		{"keys", many(400_000, "key%d = 1\n"), "from here on"},
		{"tables", many(300_000, "[table%d]\nb = 1\n"), "from here on"},
		{"keys in a table", head + "[evolve]\n" +
			many(300_000, "b%d = 1\n")[len(head):], "from here on"},
		{"one line", head + "settings = {" + strings.Repeat("a = 1, ", 300_000) + "b = 1}\n",
			"from here on"},
		{"deep keys", head + strings.Repeat("a.", 2_000_000) + "b = 1\n", "from here on"},
		{"deep tables", head + "[" + strings.Repeat("a.", 2_000_000) + "b]\n", "from here on"},
		{"cells", head + strings.Repeat("[[sweep.cells]]\nb = 1\n", 120_000), "unknown key"},
		{"folders", head + strings.Repeat("[[a]]\n", 300_000), "unknown key"},
		{"wrong values", head + "[evolve.weights]\n" +
			many(100_000, "w%d = \"\"\n")[len(head):], "from here on"},
		{"a long key", head + strings.Repeat("a", 4_000_000) + " = 1\n", "unknown key"},
		{"a long table", head + "[" + strings.Repeat("a", 1_000_000) + "]\n" +
			many(1000, "k%d = 1\n")[len(head):], "unknown key"},
	} {
		began := parallel.ProcessorTime()
		_, err := study.Parse(scope, "many.toml", []byte(c.text))
		if err == nil {
			t.Errorf("%s: it is read", c.name)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if last := lines[len(lines)-1]; !strings.Contains(last, c.last) || len(lines) > 102 ||
			!strings.HasPrefix(lines[0], "many.toml:2:") && !strings.HasPrefix(lines[0], "many.toml:3:") ||
			len(err.Error()) > 100_000 {
			t.Errorf("%s: %d lines, %.99s ... %.99s", c.name, len(lines), lines[0], last)
		}
		used := parallel.ProcessorTime() - began
		t.Logf("%s: %d bytes are refused in %v", c.name, len(c.text), used)
		if used.Seconds() > 5 { // a second alone, and five times as much beside the others
			t.Errorf("%s: %v", c.name, used)
		}
	}
}
