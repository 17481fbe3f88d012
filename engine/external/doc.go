// Package external lets programs play the games of package engine: processes of any language, and
// WebAssembly modules. It knows no game and uses no network.
//
// A program reads lines of JSON and answers each "turn" with one; PROTOCOL.md documents every
// field. A mistake costs it the decision: a forfeit, for which the game's rule for a faulty player
// applies.
//
// A process gets a minimal environment, a folder of its own, and limits on memory, files, processes
// and processor time. On Linux, where users may create namespaces, it also has no network, and
// nothing that it starts outlives it; elsewhere a Supervisor reports that it cannot ensure this. A
// process can read what its user can, so run untrusted programs as WebAssembly, which has no access
// to anything.
package external
