// Package analysis turns what runs recorded into numbers: curves over generations, lineages, and
// what species are made of. It draws nothing and runs nothing: package figure draws, and package
// experiments reads run directories into the structs defined here.
//
// The packages below it each answer one kind of question:
//
//   - stat: intervals, tests, effect sizes and aggregates for any sample;
//   - rating: how strong each player of a league is;
//   - monitor: what a coevolving population does over its generations;
//   - why: what an evolved player weighed up in a decision, and the values of its tree;
//   - figure: all of these as pictures, each with its data.
package analysis
