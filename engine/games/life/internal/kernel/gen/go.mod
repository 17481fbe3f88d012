module clade/engine/life/internal/kernel/gen

go 1.26.0

require (
	clade/gp/gen v0.0.0
	github.com/mmcloughlin/avo v0.6.0
)

require (
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)

replace clade/gp/gen => ../../../../../../gp/gen
