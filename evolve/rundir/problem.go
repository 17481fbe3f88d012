package rundir

// Problem is the error of a run that can be made good. Its text says so without naming a program's
// command; a program that has one for it adds it.
type Problem struct {
	Dir    string // of the run
	Remedy Remedy
	Err    error
}

// Remedy is what makes a run good again.
type Remedy int

// A run that is not over, or whose log is damaged, is resumed; what else is damaged is mended: it
// is made again of what is whole.
const (
	Resume Remedy = iota
	Mend
)

func (f *Problem) Error() string { return f.Err.Error() }

func (f *Problem) Unwrap() error { return f.Err }
