package evolve

import (
	"context"
	"errors"
	"time"

	"clade/engine"
	"clade/evolve/rundir"
	"clade/gp"
)

// Setup is everything that a run is made of.
type Setup struct {
	Game   engine.Game
	Config Config
	Seed   uint64
	// Study is all else that defines the run, such as the game's settings and the names in the
	// panels. It enters the hash that a checkpoint must agree with; it may be empty.
	Study []byte
	// Panel are the opponents of explicit fitness, for Fitness.Opponents "panel".
	Panel []engine.Player
	// Reference are the opponents in the choice of the champion, for Champion.Against "panel".
	Reference []engine.Player

	// Founders are the genomes of Config.Founders.Species, in order. Only Create and Resume need
	// them.
	Founders []gp.Genome

	// The fields below change no result.

	// Settings are what species files say of the game's settings; see gp.Species.
	Settings []gp.Setting

	// Workers is the number of goroutines that play; 0 means GOMAXPROCS.
	Workers int
	// Processor tells what this process has computed so far, for Times; nil means
	// parallel.ProcessorTime. A test that must repeat to the byte gives another.
	Processor func() time.Duration
	// Progress is called after every generation, from the goroutine that called Evolve; nil for
	// nothing.
	Progress func(Progress)
	// Warn is called with a sentence when something was amiss and could be mended, such as a
	// damaged checkpoint; nil for nothing.
	Warn func(string)
	// Fence is called before a generation's results or a checkpoint are written. Its error ends the
	// run with the files as they are; nil for no fence.
	Fence func() error
	// Remote lets other machines do a part of the run; nil means that all is done here.
	Remote Remote
}

// Progress is what is told of a generation that has ended.
type Progress struct {
	Line  *rundir.Line
	Times rundir.Times
	Saved int // generation of the newest checkpoint
	Spent Spent
}

// Remote lets other machines do a part of a run, and changes no result. Package spread has the
// kinds of it.
type Remote interface {
	// Check tells why a run of these settings cannot be done so; nil if it can.
	Check(c *Config) error
	// Start begins a session, which its function Stop ends.
	Start(ctx context.Context, s *Setup, b Border) *Session
}

// Border is where a run is between two generations.
type Border struct {
	Generation  int // the next one
	Populations [][]*Individual
}

// Session is what a Remote does for one call of Run.Evolve.
type Session struct {
	// Begin returns what evaluates an island's batches of a generation. The past is the run's
	// archive, where there is a hall.
	Begin func(generation, island int, past []*Individual) Evaluator
	// Stop ends the session. The run may go on later.
	Stop func()
}

// ErrStopped is wrapped by the error of a run whose context ended. Everything is saved; the error
// says how to go on.
var ErrStopped = errors.New("the run was stopped")
