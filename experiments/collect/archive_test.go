package collect_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"clade/experiments/collect"
	"clade/experiments/runner/runnertest"
	"clade/experiments/version"
	"clade/gp/proof"
)

// unpacked returns the folder of an archive of a run.
func unpacked(t *testing.T) string {
	t.Helper()
	run := filepath.Join(t.TempDir(), "small")
	runnertest.Breed(run, "evolve.generations=3", "evolve.population=10")
	var archive bytes.Buffer
	proof.OK(t, collect.Pack(runnertest.Scope(), []string{run}, &archive))
	files := proof.Must(zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len())))(t)
	dir := t.TempDir()
	for _, f := range files.File {
		from := proof.Must(f.Open())(t)
		text, err := io.ReadAll(from)
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o777)
		}
		if err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
		proof.OK(t, err)
	}
	return dir
}

// TestScript runs the script of an archive by the sh of this system, with and without a command
// clade, for which shell scripts of the test stand: where it cannot check what it was asked to, it
// fails and says why.
func TestScript(t *testing.T) {
	for _, need := range []string{"sh", "cmp", "grep", "basename"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip(err)
		}
	}
	dir := unpacked(t)
	plain := os.Getenv("PATH")
	if found, err := exec.LookPath("clade"); err == nil {
		t.Skipf("%s is installed", found)
	}
	const breeds = `case $1 in
version) echo "sources $SOURCES";;
run) mkdir -p "$4"; cp "runs/$(basename "$4")/done.json" "$4";;
esac`
	for _, c := range []struct {
		clade, args, told string
		fails             bool
	}{
		{"", "", "the fingerprints were not checked", false},
		{"", "again", "nothing was bred again, since there is no clade here", true},
		{"", "agian", `"agian" is not known`, true},
		{breeds, "", "every file is as it was written", false},
		{breeds, "again", "every run came out again", false},
		{"exit 3", "", "the runs are not whole", true},
		{`[ "$1" != run ]`, "again", "could not be bred again", true},
		{`[ "$1" = run ] && mkdir -p "$4" && echo {} >"$4/done.json"; true`, "again",
			"came out otherwise", true},
	} {
		proof.OK(t, os.RemoveAll(filepath.Join(dir, "again")))
		bin := t.TempDir()
		if c.clade != "" {
			proof.OK(t, os.WriteFile(filepath.Join(bin, "clade"), []byte("#!/bin/sh\n"+c.clade+"\n"), 0o777))
		}
		run := exec.Command("sh", append([]string{filepath.Join(dir, "verify.sh")},
			strings.Fields(c.args)...)...)
		run.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+plain,
			"SOURCES="+version.This().Sources)
		out, err := run.CombinedOutput()
		if (err != nil) != c.fails || !strings.Contains(string(out), c.told) ||
			strings.Contains(string(out), "another one") != (c.args == "again" && c.clade != "" &&
				c.clade != breeds) {
			t.Errorf("verify.sh %s with clade %q: %v\n%s", c.args, c.clade, err, out)
		}
	}
	page := proof.Must(os.ReadFile(filepath.Join(dir, "README.md")))(t)
	proof.Holds(t, string(page), version.Number, version.This().Sources, "go install ./cmd/clade")
	changed, err := filepath.Glob(filepath.Join(dir, "runs", "*", "lineage.csv"))
	if err == nil && len(changed) == 1 {
		err = os.WriteFile(changed[0], []byte("1\n"), 0o666)
	}
	proof.OK(t, err)
	if out, err := exec.Command("sh", filepath.Join(dir, "verify.sh")).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "are not as they were written") {
		t.Errorf("a changed file: %v\n%s", err, out)
	}
}
