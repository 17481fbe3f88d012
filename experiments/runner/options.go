package runner

import "clade/evolve"

// Options say how a run is carried out. None of them changes a result.
type Options struct {
	Workers int      // goroutines that play; 0 means GOMAXPROCS
	Command []string // recorded in the manifest
	// Begun is called when nothing stands against a run that begins, before its directory is made;
	// nil for nothing.
	Begun func()
	// Progress is called after every generation; nil for nothing.
	Progress func(evolve.Progress)
	// Strength is called, from another goroutine, as champions are measured in spare time while
	// the run is bred; nil for nothing, and nothing is played for it.
	Strength func(Strength)
	// Stage is called as the work after the last generation goes on; nil for nothing.
	Stage func(Stage)
	// Warn is called with a sentence when something was amiss and could be mended; nil for nothing.
	Warn func(string)
	// Fence is called before results are written. Its error ends the run with the files as they
	// are; nil for no fence.
	Fence func() error
	// Remote lets other machines do a part of the breeding; nil means that all is done here.
	Remote evolve.Remote
}

func (o *Options) fence() error {
	if o.Fence == nil {
		return nil
	}
	return o.Fence()
}

func (o *Options) warn(what string) {
	if o.Warn != nil {
		o.Warn(what)
	}
}

func (o *Options) stage(s Stage) {
	if o.Stage != nil {
		o.Stage(s)
	}
}

// Stage tells how far one part of the work after the last generation is.
type Stage struct {
	Name        string
	Done, Total int
}

// Progress returns a function that passes on how far one stage is; use may be nil.
func Progress(use func(Stage), name string) func(done, total int) {
	return func(done, total int) {
		if use != nil {
			use(Stage{name, done, total})
		}
	}
}
