// Package experiments says what a study is, and runs it: from a TOML file to a run directory with
// champions, measurements and figures. It plays no game itself and breeds nothing itself; it puts
// the other packages to work.
package experiments
