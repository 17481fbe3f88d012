// Package evolve breeds populations of typed genetic programs by letting them compete in a game:
// tournaments, islands, archive of champions, lineage, checkpoints and the run directory. It knows
// no game by name, draws no figure and reads no study file.
//
// The algorithm is that of BrilliANT (Jaśkowski, Krawiec and Wieloch, RA-05/07, 2007): a parent is
// the winner of a single-elimination tournament among individuals drawn at random, and no fitness
// is ever computed. Its rivals are options of Config.
//
// A Run is made by Create or Resume from a Setup and goes on in Run.Evolve until its last
// generation or until its context ends. Every random number comes from a path of engine.Seed
// (purpose, generation, island, index), so the same setup gives the same bytes for any number of
// workers and processors, and however often the run was stopped and resumed.
//
// Other machines can do a part of it. What happens to people follows from the seeds and the
// outcomes of games, so outcomes are all that machines tell each other: Setup.Breed breeds a Leg of
// an island's way, which the run's Ledger hands out, and Setup.Help plays games that its Desk hands
// out. How questions and answers travel is not decided here.
package evolve
