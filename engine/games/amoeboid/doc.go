// Package amoeboid is the dice game of Dabdoub and Cuellar ("Amoeboid: A Partisan Combinatorial
// Game of Chance", MIT SP.268, 2010) on any graph: its rules, players, drawing, exact solver and
// search. It is not a study of the game: the claims of its authors are examined in
// results/amoeboid/claims.
//
// The rules as played here. A piece is made of a units of player A and b units of player B; its
// size is a+b; the larger number owns it, equal numbers make it neutral. In a turn the mover rolls
// a die, adds the roll to the own number of one owned piece, then takes any non-empty part of any
// owned piece to a neighbouring cell that is empty or holds a piece of any owner that is no larger
// than the part. The numbers add up, and what is left behind is a piece too. Decisions where the
// document is silent:
//
//   - The piece that grows and the piece that moves may differ.
//   - A player cannot pass by choice. Where no growth leaves a legal move, the mover still chooses
//     the growth, it stays, and the turn passes.
//   - The game ends after a move that leaves a player without an own piece. The player who still
//     owns one wins, else it is a tie. A move may lose the game for its mover.
//   - No position repeats, since every roll adds units, but a game need not end: a limit on plies
//     ends it in a tie.
//   - A player whose move is not legal forfeits the game.
package amoeboid
