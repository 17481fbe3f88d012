package runner

import (
	"errors"
	"fmt"

	"clade/evolve"
	"clade/experiments/study"
)

// Adopt writes the manifest of a run that evolve.Create has made, so that the run can be opened,
// resumed, measured, plotted and watched like the run of a study. The setup is that of Create. It
// returns an error for players, which have no names that a manifest could hold, and for settings in
// Setup.Study.
func Adopt(dir string, setup evolve.Setup) (*Run, error) {
	if len(setup.Panel) > 0 || len(setup.Reference) > 0 || len(setup.Study) > 0 {
		return nil, errors.New("a run with a panel, a reference or a study of its own cannot be " +
			"adopted; breed it with study.New and runner.Start")
	}
	if IsRun(dir) {
		return nil, fmt.Errorf("%s has a manifest; runner.Open opens it", dir)
	}
	s, err := study.New(setup.Game, setup.Config, setup.Seed)
	if err != nil {
		return nil, err
	}
	r := &Run{Dir: dir, Study: s, Game: setup.Game}
	if r.Manifest, err = newManifest(s, setup.Game); err != nil {
		return nil, err
	}
	r.Manifest.Adopted = true
	return r, r.writeManifest()
}
