package external

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"clade/gp/proof"
)

// These tests are attacks on what runs programs.

// attack runs a script once and returns its output, or its error, and what was told.
func attack(t *testing.T, s *Supervisor, script string) (output string, told string, err error) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux limits programs")
	}
	var n notices
	s.Notice = n.add
	out, err := s.once(words(t, "sh", "-c", script), nil, time.Minute)
	return string(out), n.String(), err
}

func TestEnvironmentDoesNotLeak(t *testing.T) {
	t.Setenv("CLADE_SECRET_TOKEN", "hidden")
	out := proof.Must(new(Supervisor).once(words(t, "env"), nil, time.Minute))(t)
	var names []string
	for entry := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(entry, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	proof.Are(t, names, []string{"HOME", "LANG", "PATH", "TMPDIR"}, "variables of a program")
}

func TestFolderIsItsOwnAndGoes(t *testing.T) {
	out, _, err := attack(t, &Supervisor{},
		`pwd; ls -A | wc -l; mkdir -p a/b; echo junk > a/b/c; echo > "$HOME/d"`)
	folder, rest, _ := strings.Cut(out, "\n")
	if here, _ := os.Getwd(); err != nil || strings.TrimSpace(rest) != "0" || folder == here {
		t.Errorf("it ran in %q with %q files: %v", folder, rest, err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder is left: %v", err)
	}
}

func TestLimitsHold(t *testing.T) {
	proof.Long(t)
	l := processLimits{Memory: 100 << 20, File: 1 << 20, Files: 20, Processes: 20, Seconds: 2}
	out, _, err := attack(t, &Supervisor{limits: l},
		`ulimit -n; ulimit -t; ulimit -c; ulimit -d; ulimit -f`)
	proof.OK(t, err)
	proof.Is(t, out, fmt.Sprintf("20\n2\n0\n%d\n%d\n", l.Memory>>10, l.File>>9), "limits")
	for name, script := range map[string]string{
		"memory hog":  `dd if=/dev/zero of=/dev/null bs=200M count=1`,
		"CPU hog":     `while :; do :; done`,
		"large file":  `dd if=/dev/zero of=large bs=1M count=3`,
		"many memory": `for i in 1 2 3 4 5; do dd if=/dev/zero of=/dev/null bs=500M count=1 || exit 1; done`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			if out, _, err := attack(t, &Supervisor{limits: l}, script); err == nil ||
				errors.Is(err, errTime) {
				t.Errorf("it had its way for %v: %q, %v", time.Since(began), out, err)
			}
		})
	}
}

func TestForkBombFizzles(t *testing.T) {
	const bomb = `i=0
		while [ $i -lt 200 ]; do sleep 1000.25 >/dev/null 2>&1 & i=$((i+1)); done
		echo $i`
	out, told, err := attack(t, &Supervisor{}, bomb)
	if left := processesWith("1000.25"); len(left) > 0 {
		t.Errorf("%d processes left", len(left))
	}
	if strings.Contains(told, "processes that a program starts is not limited") {
		t.Skip(told)
	}
	if err == nil {
		t.Errorf("it started %s processes", out)
	}
}

func TestOrphansDie(t *testing.T) {
	for name, script := range map[string]string{
		"session":     `setsid sleep 1000.75 >/dev/null 2>&1 & echo`,
		"double fork": `(setsid sh -c '(sleep 1000.75 &) & ' >/dev/null 2>&1 &); echo`,
		"holds pipes": `setsid sleep 1000.75 & echo`,
	} {
		if _, told, err := attack(t, &Supervisor{}, script); err != nil || told != "" &&
			!strings.Contains(told, "not limited") {
			t.Logf("%s: %v, told %s", name, err, told)
		}
		if left := processesWith("1000.75"); len(left) > 0 {
			t.Errorf("%s: processes left: %v", name, left)
		}
	}
}

func TestNoNetwork(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	l := proof.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	reached := make(chan bool, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			reached <- true
			c.Close()
		}
	}()
	port := l.Addr().(*net.TCPAddr).Port
	_, told, err := attack(t, &Supervisor{},
		fmt.Sprintf("%s -c 'echo secret > /dev/tcp/127.0.0.1/%d'", bash, port))
	if strings.Contains(told, "may use the network") {
		t.Skip(told)
	}
	if len(reached) > 0 || err == nil {
		t.Error("it reached a server")
	}
}

// TestNoTerminal: a program is alone in its session, and so has no terminal to write to, beside
// what is escaped, nor to type commands into.
func TestNoTerminal(t *testing.T) {
	out, _, err := attack(t, &Supervisor{}, `read -r pid name state parent group session rest \
		</proc/self/stat; echo $((pid - session))`)
	proof.OK(t, err)
	proof.Is(t, out, "0\n", "how far it is from the first of its session")
}

// TestNothingIsLeft: no folder and no control group.
func TestNothingIsLeft(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for range 3 {
		_, _, err := attack(t, &Supervisor{}, "sleep 0.01")
		proof.OK(t, err)
	}
	left := proof.Must(filepath.Glob(os.Getenv("TMPDIR") + "/*"))(t)
	proof.Is(t, len(left), 0, "folders left, %v", left)
	if left, _ := filepath.Glob(fmt.Sprintf("/sys/fs/cgroup/*/clade-%d-*",
		os.Getpid())); len(left) > 0 {
		t.Errorf("control groups left: %v", left)
	}
}
