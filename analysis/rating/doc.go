// Package rating estimates the strength of the players of a league from games between them:
// Bradley-Terry for two seats, Plackett-Luce for more, with intervals and rank ranges by bootstrap.
// For leagues in which strength is not a single number it has two game-theoretic methods, Nash
// averaging and alpha-rank. It neither plays nor schedules games.
//
// The independent unit is a board, not a game: the two games of a pair of players on one board,
// with seats swapped, share its chance.
package rating
