// Package gp holds typed genetic programs: their vocabulary, growing, variation, text form,
// compiler and executors. It does not know any game: a game gives it a Grammar once, and a Frame
// for every decision.
//
// A genome is a list of trees, one for each slot of the grammar. Trees are typed (strongly typed
// genetic programming; Montana, 1995). Float is an IEEE binary32, Bool a truth value, Area a
// rectangle of cells relative to the actor. A game offers its candidate actions as frames that are
// turned so that each action points the same way. So an executor computes the value of a tree in
// one frame under the four quarter turns of the world at once.
//
// One program has several executors that agree bit for bit:
//
//   - Walk, a plain walk over the tree, is the oracle.
//   - Code.Eval runs the compiled register program for one decision. Compiler makes it by way of a
//     folded graph. Code.EvalLane does so for a single turn.
//   - Code.EvalAsks does so for several single turns, by machine code where Code.Assemble has made
//     it.
//   - Batch.Eval runs the same program for up to sixteen decisions in lockstep, on processors with
//     AVX2 or AVX-512 (see package kernels).
//   - Solo.Eval runs it for one decision whose four turns go in lockstep, with AVX-512.
package gp
