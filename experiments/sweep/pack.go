package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/experiments/cluster/lease"
	"clade/experiments/study"
)

// Pack puts the finished runs of a sweep into one file of its directory, and removes their folders.
// Readers find them there as before; see package packed. Runs that a worker holds, or that are
// still to be compared, stay as they are. It returns how many it has packed.
func Pack(g *study.Grid, dir string) (int, error) {
	var keys []string
	for i := range g.Cells {
		c := &g.Cells[i]
		at := c.Directory(dir)
		if _, err := os.Lstat(at); err != nil {
			continue // it is packed, or waits
		}
		if sum, err := done(c, at); err != nil {
			return 0, err
		} else if sum == nil {
			continue
		}
		if origin, err := Unaudited(at); err != nil {
			return 0, err
		} else if origin != nil {
			continue
		}
		if holder, err := lease.Inspect(at); err != nil {
			return 0, err
		} else if !holder.Held || holder.Dead {
			keys = append(keys, c.Key)
		}
	}
	if len(keys) == 0 {
		return 0, nil
	}
	skip := func(name string) bool { return strings.HasPrefix(name, ".") }
	if err := packed.Write(dir, keys, skip); err != nil {
		return 0, fmt.Errorf("cannot pack %s: %w", dir, err)
	}
	if err := durable.SyncDir(dir); err != nil {
		return 0, err
	}
	for _, key := range keys { // from here on a crash leaves some both packed and not
		if err := os.RemoveAll(filepath.Join(dir, key)); err != nil {
			return 0, err
		}
	}
	return len(keys), nil
}
