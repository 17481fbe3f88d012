package cli

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clade/evolve/rundir"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// TestArtifact packs two runs, a staged one and one that descends from another, unpacks them as a
// reviewer, checks them by the archive's own script, and breeds them again.
func TestArtifact(t *testing.T) {
	proof.Long(t)
	t.Chdir(t.TempDir())
	text := runnertest.Study(4, "")
	founders := "[evolve.founders]\nspecies = [\"run:runs/1@all\"]\n"
	stages := "\n[[stage]]\npopulations = 2\nrace = 2\n[[stage]]\nfounders = \"all\"\n"
	proof.OK(t, errors.Join(os.WriteFile("1.toml", []byte(text), 0o666),
		os.WriteFile("2.toml", []byte(text), 0o666),
		os.WriteFile("3.toml", []byte(text+stages), 0o666),
		os.WriteFile("4.toml", []byte(text+founders), 0o666)))
	for seed := range 4 {
		if out, err := clade("run", fmt.Sprint(seed+1, ".toml"), "--seed", fmt.Sprint(seed+1), "--out",
			fmt.Sprint("runs/", seed+1)); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	pack := func(name string) []byte {
		t.Helper()
		must(t, "artifact", "runs", "--out", name)
		return proof.Must(os.ReadFile(name))(t)
	}
	archive := pack("a.zip")
	if !bytes.Equal(archive, pack("new/b.zip")) || !bytes.Equal(archive, pack("a.zip")) {
		t.Error("the same runs give another archive")
	}
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err == nil {
		err = os.CopyFS("there", z)
	}
	proof.OK(t, err)
	for _, f := range z.File { // 1980-00-00 is none
		proof.Is(t, f.Modified.UTC().Format(time.DateOnly), "1980-01-01", "the date")
	}
	page := proof.Must(os.ReadFile("there/README.md"))(t)
	proof.Is(t, strings.Count(string(page), "| antwars |"), 4, "runs of\n%s", page)
	proof.OK(t, os.Mkdir("bin", 0o777))
	program := fmt.Sprintf("#!/bin/sh\n%s=1 exec %s \"$@\"\n", asProgram, os.Args[0])
	proof.OK(t, os.WriteFile("bin/clade", []byte(program), 0o777))
	bin := proof.Must(filepath.Abs("bin"))(t)
	check := func(args ...string) (string, error) {
		c := exec.Command("sh", append([]string{"there/verify.sh"}, args...)...)
		c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := check("again"); err != nil || !strings.Contains(out, "came out again") ||
		strings.Contains(out, "not checked") {
		t.Errorf("%v\n%s", err, out)
	}
	log := filepath.Join("there/runs/runs-1", rundir.LogFile)
	content, err := os.ReadFile(log)
	if err == nil {
		content[len(content)/2] ^= 1
		err = os.WriteFile(log, content, 0o666)
	}
	proof.OK(t, err)
	if out, err := check(); err == nil || !strings.Contains(out, rundir.LogFile+": FAILED") {
		t.Errorf("%v\n%s", err, out)
	}
	for want, args := range map[string][]string{
		rundir.LogFile:   {"there/runs/runs-1"},
		"is named twice": {"runs/1", "./runs/1"},
		"holds none":     {"bin"},
	} {
		proof.Fails(clade(append([]string{"artifact", "--out", "c.zip"}, args...)...))(t, want)
	}
	if _, err := os.Stat("c.zip"); err == nil {
		t.Error("an archive of damaged runs is there")
	}
}
