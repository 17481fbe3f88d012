package external

import "testing"

func TestCommandsThatCannotRun(t *testing.T) {
	for _, command := range []string{"", "  ", "no-such-program-anywhere x", `sh "x`, `sh x\`,
		"sh \x00", "sh '\x00'"} {
		if _, err := new(Supervisor).Exec(command); err == nil {
			t.Errorf("%q is taken for a command", command)
		}
	}
}
