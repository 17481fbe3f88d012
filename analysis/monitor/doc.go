// Package monitor measures how a coevolving population changes over its generations: whether it
// gets better against its ancestors, forgets how to beat them, cycles, or no longer distinguishes
// its members. It plays no game: callers provide the results, or a function that returns them.
//
// Scores are points as a share of all points, 0..1: one half is even.
package monitor
