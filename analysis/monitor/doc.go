// Package monitor watches what a coevolving population does over its generations: whether it gains
// on its ancestors, forgets them, runs in circles, or stops telling its members apart. It plays no
// game: callers hand in the results, or a function that gets them.
//
// Scores are points as a share of all points, 0..1: one half is even.
package monitor
