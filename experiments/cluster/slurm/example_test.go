package slurm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/experiments/cluster/slurm"
)

// A site file says what to ask for. Submit takes it; Queue then lists the tasks that wait or run.
func Example() {
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "site.toml")
	if err := os.WriteFile(file, []byte("partition = \"long\"\ntime = \"8:00:00\"\n"),
		0o666); err != nil {
		panic(err)
	}
	site, err := slurm.ReadSite(file)
	if err != nil {
		panic(err)
	}
	queue, err := slurm.Queue(context.Background(), dir)
	fmt.Println(site.Partition, site.Time, len(queue), err)
	// Output: long 8:00:00 0 <nil>
}
