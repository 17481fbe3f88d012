package external

import _ "embed" // the page

// Protocol is the page on what programs are told and answer.
//
//go:embed PROTOCOL.md
var Protocol []byte
