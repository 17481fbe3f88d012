// Package enginetest has the conformance suite that every game passes, and toy games for tests of
// code that plays games. It knows no real game, and only tests import it.
//
// engine/README.md explains how to write a game. Its templates are here: gather.go, which
// engine.Lockstep plays, and toy.go, which plays itself.
package enginetest

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// Run checks a game for everything that package engine promises of games:
//
//   - facts: Info and the grammar are sane and do not change;
//   - bind: genomes of the grammar become players, and genomes that do not fit it are refused with
//     an error;
//   - roster: names are unique, every player can be made without arguments or says why not, and
//     senseless arguments are refused;
//   - result: scores and marks are finite, nothing is written for seats that do not play, no seat
//     decides more often than Info.Decisions;
//   - repeat: the same players and seed give the same result; another seed another fingerprint,
//     and, without chance, the same scores;
//   - relabel: a result depends on which player is in which seat, not on which copy of a player it
//     is, nor on whether copies share memory. Scores need not follow their players through permuted
//     seats, because seats may differ by the rules; a match of package engine makes up for it;
//   - winner, course, person: the winner has the greatest score, a recorder sees the course that
//     the fingerprint and the result stand for, and a game goes on after its person has left;
//   - recorder: a recorder changes nothing, every scene fills its picture with colours of one
//     palette, and its other methods make sense;
//   - replay: a game replayed from its record's text is the same game;
//   - faulty: a game whose recorded decisions run out or make no sense still ends by the rules;
//   - hostile: genomes of the greatest depth and of infinite or undefined values do no harm;
//   - shared: the same players in games of many goroutines give the same results (to be run with
//     -race), and no goroutine is left over;
//   - chance, seats, slots, sensors: the seed matters if Info says so, no seat is blind, and each
//     tree and each sensor can change decisions in every seat;
//   - drawing: a seat of a Stepper draws all of its view, whatever the frame held before;
//   - batch, executors: PlayBatch gives what Play gives, with every executor;
//   - equivalence: a child plays as its parent if PlaysAs says so;
//   - weigh: a player from Weigh plays as that from Bind; its utilities are the values of its
//     trees, bit for bit, and it takes the best candidate;
//   - settings: a game with its own settings is the same game, and other values than settings are
//     refused;
//   - stop: a stopped game does not change later games;
//   - external: agents of an engine.Interactive game see data that encode as JSON and repeat, every
//     listed action is accepted and no senseless answer is, and each is told the end once;
//   - marks: the marks count something.
//
// It logs how often a game allocates. It plays about 150 games, so a game that lasts long should be
// adjusted to be short. Run must not be called by a parallel test, because it counts goroutines.
func Run(t *testing.T, g engine.Game) {
	t.Helper()
	var s *subject
	if err := guard(func() (err error) { s, err = newSubject(g); return err }); err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		var err error
		t.Run(c.name, func(t *testing.T) {
			if slices.Contains(alone, c.name) {
				proof.Alone(t)
			}
			if err = guard(func() error { return c.check(s) }); err != nil {
				t.Error(err)
			}
		})
		if errors.As(err, new(tooLong)) {
			return // other checks could play for ever
		}
	}
	for _, c := range s.casts {
		seed := uint64(0)
		n := testing.AllocsPerRun(2, func() { g.Play(c.players, seed, nil); seed++ })
		t.Logf("%v allocations a game with %s", n, c.name)
	}
}

// check tests one promise; its error says how the game breaks it.
type check struct {
	name  string
	check func(*subject) error
}

// checks lists all checks, those first on which others rely.
var checks = [...]check{
	{"facts", checkFacts},
	{"bind", checkBind},
	{"roster", checkRoster},
	{"result", checkResult},
	{"repeat", checkRepeat},
	{"relabel", checkRelabel},
	{"winner", checkWinner},
	{"course", checkCourse},
	{"recorder", checkRecorder},
	{"replay", checkReplay},
	{"stop", checkStop},
	{"faulty", checkFaulty},
	{"hostile", checkHostile},
	{"shared", checkShared},
	{"chance", checkChance},
	{"seats", checkSeats},
	{"slots", checkSlots},
	{"sensors", checkSensors},
	{"drawing", checkDrawing},
	{"batch", checkBatch},
	{"executors", checkExecutors},
	{"equivalence", checkEquivalence},
	{"weigh", checkWeigh},
	{"settings", checkSettings},
	{"external", checkExternal},
	{"marks", checkMarks}, // last, because it uses all games before
}

// alone are the checks that take longest, and play one game after the other as others do.
var alone = []string{"roster", "course", "recorder", "hostile", "seats", "slots", "sensors",
	"executors", "weigh"}

// guard turns a panic of a game into an error.
func guard(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case tooLong:
			err = r
		default:
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}

// subject is a game under test with players to play it.
type subject struct {
	game  engine.Game
	info  engine.Info
	seeds []uint64
	casts []cast
	// some mark was not 0 in a game of the checks so far
	marked bool
}

// cast is players for every seat of a game.
type cast struct {
	name    string
	players []engine.Player
}

// newSubject casts the game: random genomes and built-in players in the least number of seats, and
// both mixed in the greatest.
func newSubject(g engine.Game) (*subject, error) {
	s := &subject{game: g, info: g.Info(), seeds: []uint64{1, 0xfedcba9876543210}}
	if s.info.MinSeats < 1 || s.info.MaxSeats > engine.MaxSeats || s.info.MinSeats > s.info.MaxSeats {
		return nil, fmt.Errorf("%d to %d seats; 1 <= MinSeats <= MaxSeats <= %d is needed",
			s.info.MinSeats, s.info.MaxSeats, engine.MaxSeats)
	}
	random, err := bindAll(g, randomGenomes(g, 4))
	if err != nil {
		return nil, err
	}
	own := rosterPlayers(g)
	s.cast(s.info.MinSeats, "random genomes", random)
	if len(own) > 0 {
		s.cast(s.info.MinSeats, "built-in players", own)
	}
	both := random
	for i, p := range own {
		both = slices.Insert(both, min(2*i, len(both)), p)
	}
	s.cast(s.info.MaxSeats, "both", both)
	return s, nil
}

// cast seats players in order, starting again if there are too few.
func (s *subject) cast(seats int, name string, from []engine.Player) {
	c := cast{name: fmt.Sprintf("%s in %d seats", name, seats)}
	for i := range seats {
		c.players = append(c.players, from[i%len(from)])
	}
	s.casts = append(s.casts, c)
}

// each calls f with every cast and seed until it returns an error, to which it adds cast and seed.
func (s *subject) each(f func(c cast, seed uint64) error) error {
	for _, c := range s.casts {
		for _, seed := range s.seeds {
			if err := f(c, seed); err != nil {
				return fmt.Errorf("%s, seed %d: %w", c.name, seed, err)
			}
		}
	}
	return nil
}

// same returns an error for a difference between two results.
func same(what string, a, b engine.Result) error {
	switch {
	case a.Scores != b.Scores:
		return fmt.Errorf("%s: scores %v and %v", what, a.Scores, b.Scores)
	case a.Fingerprint != b.Fingerprint:
		return fmt.Errorf("%s: fingerprints %016x and %016x", what, a.Fingerprint, b.Fingerprint)
	case a != b:
		return fmt.Errorf("%s: results %+v and %+v", what, a, b)
	}
	return nil
}
