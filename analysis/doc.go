// Package analysis turns the records of runs into numbers: curves over generations, lineages, and
// the composition of species. It draws nothing and runs nothing: package figure draws, and the
// packages of experiments read run directories into the structs defined here.
//
// The packages below it each answer one kind of question:
//
//   - stat: intervals, tests, effect sizes and aggregates for any sample;
//   - rating: how strong each player of a league is;
//   - monitor: what a coevolving population does over its generations;
//   - why: the utilities behind a player's decision, and the values of its tree;
//   - figure: all of these as pictures, each with its data.
package analysis
