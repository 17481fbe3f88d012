package rundir

// Problem is the error of a run that can be repaired. Its text does not name a command: a program
// that has one for the remedy adds it.
type Problem struct {
	Dir    string // of the run
	Remedy Remedy
	Err    error
}

// Remedy is what repairs a run.
type Remedy int

// A run that is not over, or whose log is damaged, has to be resumed. Any other damage has to be
// mended: files are made again from those that are whole.
const (
	Resume Remedy = iota
	Mend
)

func (f *Problem) Error() string { return f.Err.Error() }

func (f *Problem) Unwrap() error { return f.Err }
