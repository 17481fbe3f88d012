package slurm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/gp/proof"
)

// TestArrayLimit asks a Slurm that shows no MaxArraySize, one that allows no arrays, and one that
// does.
func TestArrayLimit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for line, want := range map[string]string{"ClusterName = x": "shows no MaxArraySize; give the",
		"MaxArraySize = 0": "allows no arrays", "MaxArraySize            = 1001": ""} {
		script := "#!/bin/sh\necho '" + line + "'\n"
		proof.OK(t, os.WriteFile(filepath.Join(dir, "scontrol"), []byte(script), 0o755))
		n, err := arrayLimit(t.Context())
		if (err == nil) != (want == "") || err == nil && n != 1001 ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d, %v", line, n, err)
		}
	}
}
