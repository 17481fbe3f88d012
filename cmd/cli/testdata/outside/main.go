package main

import (
	"clade/cmd/cli"
	"clade/engine/games/all"
)

func main() { cli.Main(append(all.Games(), newBids())...) }
