package runner

import "clade/evolve"

// Options say how a run is carried out. None of them changes a result.
type Options struct {
	Workers int      // goroutines that play; 0 means GOMAXPROCS
	Command []string // recorded in the manifest
	// Begun is called when everything is checked, before a new run's directory is made; nil for
	// nothing.
	Begun func()
	// Progress is called after every generation; nil for nothing.
	Progress func(evolve.Progress)
	// Strength is called from another goroutine with the strength of champions, which is measured
	// in spare time while the run is bred; nil for nothing, and then nothing is played.
	Strength func(Strength)
	// Stage is called with the progress of the work after the last generation; nil for nothing.
	Stage func(Stage)
	// Warn is called with a sentence about something that was wrong and could be repaired; nil for
	// nothing.
	Warn func(string)
	// Fence is called before results are written. Its error ends the run without further writes;
	// nil for no fence.
	Fence func() error
	// Remote lets other machines do part of the breeding; nil for none.
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

// Stage is the progress of one part of the work after the last generation.
type Stage struct {
	Name        string
	Done, Total int
}

// Progress returns a function that reports the progress of one stage; use may be nil.
func Progress(use func(Stage), name string) func(done, total int) {
	return func(done, total int) {
		if use != nil {
			use(Stage{name, done, total})
		}
	}
}
