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
