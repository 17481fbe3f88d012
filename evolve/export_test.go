package evolve

// What the tests of spread runs need of the others'.
var (
	Variants    = variants
	Small       = small
	Solitary    = solitary
	NewSetup    = setup
	Evolved     = evolved
	Contents    = contents
	Compare     = compare
	Interrupted = interrupted
)

// Work lets the games of a setup of NewSetup take longer.
func Work(s Setup, rounds int) { s.Game.(*numbers).work = rounds }
