// Package amoebas is the game AMOEBAS: species of clones that rest, move, hit and divide on a torus
// of cells with fuel, and the species that binds the most energy wins (Jörn W. Janneck, AMOEBAS: A
// Game of Clones, Lund University, 2019). It breeds nothing and keeps no score of tournaments of
// genomes.
//
// A species is a Function: it is shown the View of one amoeba and returns its Action. Game.Players
// lists hand-written species, Game.Bind returns an evolved one, and Game.Recording one that repeats
// recorded decisions. Game.Play plays a game. Game.NativeMatch writes what the original program
// writes: console lines, CSV, frames. Game.Count counts populations for curves.
package amoebas
