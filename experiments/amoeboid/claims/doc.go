// Package claims examines what the authors of Amoeboid say about their game, each claim by a small
// study with a verdict. It plays no part in any game.
package claims
