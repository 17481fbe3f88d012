package main

import (
	"clade/cmd/cli"
	"clade/engine/all"
)

func main() { cli.Main(append(all.Games(), newBids())...) }
