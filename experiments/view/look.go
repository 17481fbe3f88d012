package view

import (
	"context"

	"clade/experiments/player"
)

// Look returns the runs at and below some folders as they are now, and the sweeps, both by path.
func Look(ctx context.Context, scope player.Scope, paths []string) (runs []*Row, sweeps []string,
	err error) {
	c, err := newCatalogue(scope, paths)
	if err != nil {
		return nil, nil, err
	}
	found, err := c.look(ctx)
	return found.Runs, found.Sweeps, err
}
