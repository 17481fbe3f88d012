package slurm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/experiments/study"
	"clade/gp/proof"
)

var siteTexts = []string{
	"", "partition = \"long\"\ntime = \"8:00:00\"\nmemory = \"2G\"\ncpus = 4\ntasks = " +
		"10\nparallel = 5\ngrace = 60\naccount = \"a\"\nqos = \"q\"",
	"options = [\"--constraint=avx512\", \"--exclusive\"]\nsetup = [\"module load go\"]",
	"partition = \"a\\n#SBATCH --wrap=evil\"", "options = [\"\\nrm -rf /\"]", "cpus = -1",
	"unknown = 1", "[", "time = 5",
}

// FuzzSite reads site files. What is accepted gives a job script in which every value stands in a
// line of its own option: nothing reaches the shell but the lines of setup.
func FuzzSite(f *testing.F) {
	for _, s := range siteTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		site := &Site{}
		if study.Decode("site.toml", []byte(text), site) != nil || site.Check() != nil {
			return
		}
		site.Setup = nil
		write := func(s *Site) (head, body string) {
			job, err := (&submission{Tasks: 2, Cells: []string{"a", "b", "c"}}).script("/sweep",
				"/sweep/slurm/001", "my", s)
			proof.OK(t, err)
			head, body, _ = strings.Cut(string(job), "\n\n")
			return head, body
		}
		head, body := write(site)
		if _, want := write(&Site{CPUs: site.CPUs}); body != want {
			t.Errorf("the body of the script depends on the site:\n%s", body)
		}
		for _, line := range strings.Split(head, "\n") {
			if !strings.HasPrefix(line, "#") {
				t.Errorf("the line %q of the script reaches the shell", line)
			}
		}
	})
}

func TestSiteErrors(t *testing.T) {
	for text, want := range map[string]string{
		"cpus = 1\nparalel = 5":    `site.toml:2:1: unknown key "paralel", did you mean "parallel"?`,
		"cpus = 1\ntime = 5":       "site.toml:2:1: time: a text in double quotes is needed",
		"cpus = 1\n\npartition = ": "site.toml:3:",
		"[sweep]\nseeds = [1]":     `site.toml:1:2: unknown key "sweep"`,
	} {
		proof.Says(t, study.Decode("site.toml", []byte(text), &Site{}), want)
	}
}

// The forms are those of sbatch 22.05, which was asked for each: without a controller it reads its
// options all the same.
func TestSiteCheck(t *testing.T) {
	for _, c := range []struct {
		site Site
		want string
	}{
		{Site{Time: "0", Memory: "0"}, ""}, {Site{Time: "UNLIMITED", Memory: "4gb"}, ""},
		{Site{Time: "1-5:3", Memory: "100"}, ""}, {Site{Time: "1-0"}, ""}, {Site{Time: "4"}, ""},
		{Site{Time: "2:00", Grace: 30}, ""}, {Site{Time: "0:03:01"}, ""},
		{Site{Time: "00:01:00"}, "ask for more than 180 s"},
		{Site{Time: "3"}, "saves its runs 120 s before its end"}, {Site{Time: "3:00"}, "too short"},
		{Site{Time: "10", Grace: 600}, "ask for more than 660 s"},
		{Site{Time: "8h"}, `8:00:00, not "8h"`}, {Site{Time: "1:2:3:4"}, "time must be"},
		{Site{Memory: "lots"}, `such as 4G, not "lots"`}, {Site{Memory: "1.5G"}, "memory must be"},
		{Site{Memory: "4Gi"}, "memory must be"}, {Site{Partition: "a\nb"}, "of one line"},
		{Site{Options: []string{"-C avx512", "--ntasks-per-node=1"}}, ""},
		{Site{Options: []string{"constraint=avx512"}}, "begins with a dash"},
		{Site{Options: []string{"--exclusive --array=0-3"}}, "script has --array itself"},
		{Site{Options: []string{"-a0-3"}}, "script has -a itself"},
	} {
		switch err := c.site.Check(); {
		case c.want == "":
			proof.OK(t, err)
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%+v: %v\nwant %s", c.site, err, c.want)
		}
	}
}

// A site file may begin with the mark of an editor on Windows, and its numbers are 0 or more.
func TestReadSite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "site.toml")
	for text, want := range map[string]string{"\xef\xbb\xbfcpus = 4\n": "",
		"\xff\xfec\x00":        "site.toml: the text is in UTF-16",
		"cpus = 1\ngrace = -1": "site.toml:2:1: grace must be 0 or more, not -1"} {
		proof.OK(t, os.WriteFile(path, []byte(text), 0o666))
		s, err := ReadSite(path)
		if want == "" && (err != nil || s.CPUs != 4) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
}
