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

	"clade/gp/proof"
)

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

func encoder(t testing.TB) *zstd.Encoder {
	z := proof.Must(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)))(t)
	return z
}

// FuzzRestore restores archives that lead out of the directory, end early or are none. Nothing is
// ever written beside the directory.
func FuzzRestore(f *testing.F) {
	for _, names := range []string{"a checkpoints/b", "../out", "/etc/out", "a/../../out",
		"up->.. up/out", "up->/ up/out", "folder/", ".", "", "a a/b", "a/b a"} {
		f.Add(names, 0)
	}
	f.Add("a b", 3*512+12)
	root, z := f.TempDir(), encoder(f)
	f.Fuzz(func(t *testing.T, names string, without int) {
		content := tarOf(strings.Split(names, " ")...)
		content = content[:len(content)-min(max(0, without), len(content))]
		parent, err := os.MkdirTemp(root, "")
		proof.OK(t, err)
		defer os.RemoveAll(parent)
		dir := filepath.Join(parent, "run")
		err = restore(z.EncodeAll(content, nil), dir)
		entries, readErr := os.ReadDir(parent)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if len(entries) > 1 || len(entries) == 0 && err == nil {
			t.Fatalf("%v stand beside the directory", entries)
		}
		if err != nil {
			return
		}
		// What was restored packs again, and every name of the archive that is a plain one is
		// there.
		proof.Must(snapshot(dir))(t)
		r := tar.NewReader(bytes.NewReader(content))
		for {
			h, err := r.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Errorf("an archive was restored that cannot be read: %v", err)
				}
				return
			}
			proof.Must(os.Stat(filepath.Join(dir, filepath.FromSlash(h.Name))))(t)
		}
	})
}

func TestRestoreRefuses(t *testing.T) {
	z := encoder(t)
	for _, names := range [][]string{{"../out"}, {"/etc/out"}, {"up->..", "up/out"}, {"folder/"},
		{"\xff"}} {
		if err := restore(z.EncodeAll(tarOf(names...), nil),
			filepath.Join(t.TempDir(), "run")); err == nil {
			t.Errorf("%v was restored", names)
		}
	}
	if err := restore([]byte("no archive"), filepath.Join(t.TempDir(), "run")); err == nil {
		t.Error("rubbish was restored")
	}
	whole := z.EncodeAll(tarOf("a", "b"), nil)
	if err := restore(whole[:len(whole)-3], filepath.Join(t.TempDir(), "run")); err == nil {
		t.Error("a torn archive was restored")
	}
}

// TestLimits restores archives that are larger than the limits: too many files, a long one, too
// much in all, too many folders in one another. No file beyond the limit is written.
func TestLimits(t *testing.T) {
	archive := encoder(t).EncodeAll(tarOf("a", "f/g/b"), nil) // of a byte each
	for at, fits := range map[limits]bool{{2, 2, 1, 2}: true, {1, 2, 1, 2}: false,
		{2, 1, 1, 2}: false, {2, 2, 0, 2}: false, {2, 2, 1, 1}: false} {
		dir := filepath.Join(t.TempDir(), "run")
		if err := restoreWithin(archive, dir, at); (err == nil) != fits {
			t.Errorf("%+v: %v", at, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "f/g/b")); (err == nil) != fits {
			t.Errorf("%+v: what was written: %v", at, err)
		}
	}
}
