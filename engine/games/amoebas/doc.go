// Package amoebas is the game AMOEBAS: species of clones that rest, move, hit and divide on a torus
// of cells with fuel, and the species that binds the most energy wins (Jörn W. Janneck, AMOEBAS: A
// Game of Clones, Lund University, 2019). It breeds nothing and keeps no score of tournaments of
// genomes.
//
// A species is a decider: it is shown the view of one amoeba and returns its action. game.Players
// lists hand-written species, game.Bind returns an evolved one, and game.Recording one that repeats
// recorded decisions. game.Play plays a game. game.NativeMatch writes what the original program
// writes: console lines, CSV, frames. game.count counts populations for curves.
package amoebas
