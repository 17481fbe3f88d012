// Package life plays Life, King of the Hill: Conway's Life with two colours, where each side may
// wake some cells in every generation and more live cells at the end win. It draws no figures and
// breeds nothing.
//
// A live cell stays with two or three friends beside it; enemies never kill it. A dead cell is born
// with exactly three neighbours of one colour and none of the other. Beyond the edges all is dead.
// In every generation the first side places, then the second side, which sees the first side's new
// cells; then one generation runs. Which seat is the first side is drawn from the seed of the game.
//
// Board holds the cells and moves them; Game is the game; Seat is how somebody decides.
// Hand-written sides, foreign processes (see Game.Exec), evolved programs and recordings are all
// Players, who take a Seat for one game.
package life
