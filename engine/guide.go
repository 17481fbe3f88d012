package engine

import _ "embed" // the page

// Guide is the page on writing a game.
//
//go:embed README.md
var Guide []byte
