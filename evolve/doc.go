// Package evolve breeds populations of typed genetic programs by letting them compete in a game:
// selection, variation, islands, an archive of champions, and lineage. It knows no game by name,
// draws no figure and reads no study file.
//
// The algorithm is that of BrilliANT (Jaśkowski, Krawiec and Wieloch, RA-05/07, 2007): a parent is
// the winner of a single-elimination tournament among individuals drawn at random, and no fitness
// is ever computed. Alternatives are options of Config; each selection scheme is a type, listed in
// generation.go.
//
// Create or Resume makes a Run from a Setup, and Run.Evolve breeds until the last generation or
// until its context ends. Every random number comes from a path of engine.Seed (purpose,
// generation, island, index), so the same setup gives the same bytes for any number of workers and
// processors, and however often the run was stopped and resumed.
//
// The project is built on eaopt, which runs the loop of generations over the populations and calls
// this package for selection, variation and migration. It does no more, since it computes fitness
// from one genome alone, its random numbers cannot be saved, and its operators have faults that
// eaopt.go lists. Only that file uses eaopt.
//
// The games of a generation are a sequence of batches. An Evaluator returns the outcome of each: by
// playing it here, or from other machines. Package rundir is the directory of a run.
//
// Setup.RemoteIslands lets several machines work on one run by breeding its islands. Only outcomes of
// games are exchanged, since a population follows from them and from the run's seeds. The run's
// machine keeps a Coordinator, which hands out epochs; another machine breeds an Epoch into an
// EpochResult, and the run repeats it without playing. No message is transported here, and no
// result depends on which machine did what.
package evolve
