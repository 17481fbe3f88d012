// Package gp holds typed genetic programs: their vocabulary, growing, variation, text form,
// compiler and executors. It knows no game: a game provides a Grammar once, and fills in a Frame
// for every decision.
//
// A genome is a list of trees, one for each slot of the grammar. Trees are typed (strongly typed
// genetic programming; Montana, 1995). Float is an IEEE binary32, Bool a truth value, Area a
// rectangle of cells relative to the actor. Candidate actions in different directions are scored by
// the same tree, which sees the world turned so that the action points the same way. So executors
// compute the value of a tree in one frame under all four quarter turns at once.
//
// One program has several executors that agree bit for bit:
//
//   - Walk, a plain walk over the tree, is the oracle.
//   - Code.Eval runs the register program that Compiler has made, for one decision under four
//     turns; Code.EvalLane does so under one.
//   - Code.EvalAsks computes several trees, each under one turn, by machine code where
//     Code.Assemble has made it; Code.Choose those of Code.SetChoice, by one piece of it.
//   - Batch.Eval runs the same program for up to sixteen decisions in lockstep, on processors with
//     AVX2 or AVX-512 (see package kernels).
//   - Solo.Eval runs it for one decision, its four turns in lockstep, with AVX2 or AVX-512.
package gp
