// Package life plays Life, King of the Hill: Conway's Life with two colours, where each side may
// wake some cells in every generation, and more live cells at the end win. It draws no figures and
// breeds nothing.
//
// A live cell stays alive with two or three friends beside it; enemies never kill it. A dead cell
// is born with exactly three neighbours of one colour and none of the other. Beyond the edges all
// is dead. In every generation the first side places, then the second side, which sees the new
// cells; then one generation runs. The seed of the game draws which seat is the first side.
//
// The type board holds the cells and moves them, game holds the rules, and a player takes a seat
// for one game. Built-in sides, external programs, evolved programs and recordings are all players.
package life
