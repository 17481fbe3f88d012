// Package stat holds the statistics that comparisons of players and of evolutionary runs need:
// intervals, tests, effect sizes, sequential tests and aggregates. It knows nothing of games, reads
// no files and draws nothing.
//
// Every function is checked against published worked examples, cited beside the test. Functions
// that resample take a seed; the others use no chance. Samples must be finite numbers; a sample too
// small for a statistic gives NaN, not an error.
package stat
