// Command clade breeds species that play games, and lets them compete.
package main

import (
	"clade/cmd/cli"
	"clade/engine/games/all"
)

func main() { cli.Main(all.Games()...) }
