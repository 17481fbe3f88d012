// Package external seats programs in the games of package engine: processes of any language, and
// WebAssembly modules. It knows no game, and it reads no network.
//
// A program reads lines of JSON and answers each "turn" with one; PROTOCOL.md holds every field.
// What it does wrong costs it the decision: a forfeit, for which the game's rule for a faulty
// player applies.
//
// A process gets a minimal environment, a folder of its own and limits (see Limits). On Linux it
// also runs without a network, and nothing that it starts outlives it, where the system lets a user
// make namespaces; where it does not, a Supervisor says so. It can read what its user can: a
// program that is not trusted belongs into WebAssembly, which reaches nothing at all.
package external
