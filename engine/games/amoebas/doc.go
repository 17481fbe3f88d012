// Package amoebas is the game AMOEBAS: species of clones that rest, move, hit and divide on a torus
// of cells with fuel, and the species that binds the most energy wins (Jörn W. Janneck, AMOEBAS: A
// Game of Clones, Lund University, 2019). It breeds nothing and keeps no score of tournaments of
// genomes.
//
// A species is a decider: it is shown the view of one amoeba and returns its action. Those written
// by hand are in roster.go, evolved ones in evolved.go, programs from outside in external.go, and
// recorded decisions in game.go. native.go writes what the original program writes: console lines,
// CSV, frames. census.go counts populations for curves.
package amoebas
