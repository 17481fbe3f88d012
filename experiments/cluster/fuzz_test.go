package cluster

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
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
		site, err := parseSite("site.toml", []byte(text))
		if err != nil || site.check() != nil {
			return
		}
		site.Setup = nil
		write := func(s *Site) (head, body string) {
			job, err := (&Submission{Tasks: 2, Cells: []string{"a", "b", "c"}}).script("/sweep",
				"/sweep/slurm/001", "my", s)
			if err != nil {
				t.Fatal(err)
			}
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
		"cpus = 1\ntime = 5":       "site.toml:2:8: ",
		"cpus = 1\n\npartition = ": "site.toml:3:",
		"[sweep]\nseeds = [1]":     `site.toml:1:2: unknown key "sweep"`,
	} {
		if _, err := parseSite("site.toml", []byte(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

// tarOf makes an archive of names with a byte of content each; a name that ends in a slash is a
// folder, one with an arrow a link.
func tarOf(names ...string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, n := range names {
		h := &tar.Header{Name: n, Mode: 0o666, Size: 1, Typeflag: tar.TypeReg}
		if from, to, link := strings.Cut(n, "->"); link {
			h = &tar.Header{Name: from, Linkname: to, Typeflag: tar.TypeSymlink}
		} else if strings.HasSuffix(n, "/") {
			h = &tar.Header{Name: n, Typeflag: tar.TypeDir}
		}
		if w.WriteHeader(h) == nil && h.Size > 0 {
			_, _ = w.Write([]byte("x"))
		}
	}
	_ = w.Close()
	return b.Bytes()
}

func compressed(t testing.TB, content []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll(content, nil)
}

// FuzzUnpack unpacks archives that lead out of the directory, end early or are none. Nothing is
// ever written beside the directory.
func FuzzUnpack(f *testing.F) {
	for _, names := range [][]string{{"a", "checkpoints/b"}, {"../out"}, {"/etc/out"},
		{"a/../../out"}, {"up->..", "up/out"}, {"up->/", "up/out"}, {"folder/"}, {"."}, {""},
		{"a", "a/b"}, {"a/b", "a"}} {
		f.Add(tarOf(names...))
	}
	f.Add(tarOf("a", "b")[:700])
	f.Add([]byte("no archive"))
	f.Fuzz(func(t *testing.T, content []byte) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "run")
		err := unpack(compressed(t, content), dir)
		entries, readErr := os.ReadDir(parent)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if len(entries) != 1 {
			t.Fatalf("%v stand beside the directory", entries)
		}
		if err != nil {
			return
		}
		// What was unpacked packs again, and every name of the archive that is a plain one is
		// there.
		if _, err := pack(dir); err != nil {
			t.Error(err)
		}
		r := tar.NewReader(bytes.NewReader(content))
		for {
			h, err := r.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Errorf("an archive was unpacked that cannot be read: %v", err)
				}
				return
			}
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(h.Name))); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestUnpackRefuses(t *testing.T) {
	for _, names := range [][]string{{"../out"}, {"/etc/out"}, {"up->..", "up/out"}, {"folder/"}} {
		if err := unpack(compressed(t, tarOf(names...)),
			filepath.Join(t.TempDir(), "run")); err == nil {
			t.Errorf("%v was unpacked", names)
		}
	}
	if err := unpack([]byte("no archive"), filepath.Join(t.TempDir(), "run")); err == nil {
		t.Error("rubbish was unpacked")
	}
	whole := compressed(t, tarOf("a", "b"))
	if err := unpack(whole[:len(whole)-3], filepath.Join(t.TempDir(), "run")); err == nil {
		t.Error("a torn archive was unpacked")
	}
}
