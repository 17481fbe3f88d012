// Package evolve breeds populations of typed genetic programs by letting them compete in a game:
// selection, variation, islands, an archive of champions, and lineage. It knows no game by name,
// draws no figure and reads no study file.
//
// The algorithm is that of BrilliANT (Jaśkowski, Krawiec and Wieloch, RA-05/07, 2007): a parent is
// the winner of a single-elimination tournament among individuals drawn at random, and no fitness
// is ever computed. Its rivals are options of Config; the selection schemes among them are a type
// each, listed in generation.go.
//
// A Run is made by Create or Resume from a Setup and goes on in Run.Evolve until its last
// generation or until its context ends. Every random number comes from a path of engine.Seed
// (purpose, generation, island, index), so the same setup gives the same bytes for any number of
// workers and processors, and however often the run was stopped and resumed.
//
// The project is built on eaopt, which runs the loop of generations over the populations and calls
// this package for selection, variation and migration. It does no more, since its fitness is a
// number of one genome, its random numbers cannot be saved, and its own operators have faults that
// eaopt.go lists. That file is the only one that knows it.
//
// What is played in a generation is a sequence of batches. An Evaluator finds out what a batch
// comes to, and the algorithm does not know how: by playing it here, or, with Setup.Remote, by
// other machines, see package spread. Package rundir is the directory that a run leaves behind.
package evolve
