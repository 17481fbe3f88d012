// Package gp holds typed genetic programs: their vocabulary, growing, variation, text form,
// compiler and executors. It knows no game and plays none: a game hands it a Grammar once, and a
// Frame for every decision.
//
// A genome is a list of trees, one for each slot of the grammar. Trees are typed (Koza's strongly
// typed genetic programming): Float is an IEEE binary32, Bool a truth value, Area a rectangle of
// cells relative to the actor. An executor computes the value of a tree in one frame under the four
// quarter turns of the world at once, because a game offers its candidate actions as frames turned
// so that each action points the same way.
//
// One program has several executors that agree bit for bit:
//
//   - Walk, a plain walk over the tree, is the oracle;
//   - Code.Eval runs the compiled register program (tree, folded graph, linear code; see Compiler)
//     for one decision;
//   - Batch.Eval runs the same program for up to sixteen decisions in lockstep, with AVX-512 or
//     AVX2 where the processor has them (see package kernels);
//   - Solo.Eval runs it for one decision whose four turns go in lockstep, with AVX-512.
package gp
