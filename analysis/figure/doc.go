// Package figure draws the results of the analysis packages as figures and tables. Figures come in
// one theme, ready for print: PNG, SVG, PDF and TeX, each figure with its data as tidy CSV beside
// it. It computes no results: numbers come from analysis and the packages below it.
//
// The same figure gives the same bytes on one machine and one version of Go: PNG, SVG and TeX as
// the libraries write them, PDF with a fixed date. There are two exceptions: a PNG's compressed
// bytes can change with the version of Go's compress/zlib, and on processors whose compiler fuses
// multiplication and addition a coordinate can differ in its last printed digit.
package figure
