// Package rating estimates the strength of the players of a league from games between them:
// Bradley-Terry for two seats, Plackett-Luce for more, with intervals and rank ranges by bootstrap,
// and two game-theoretic answers for leagues in which strength is not a single number, Nash
// averaging and alpha-rank. It plays no game and it does not schedule any.
//
// The unit of evidence is a board, not a game: the two games that a pair of players has on one
// board, each once in each seat, share what chance put on it.
package rating
