package enginetest

import (
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// BenchmarkGather plays twelve games at a time among bred foragers; see Bench.
func BenchmarkGather(b *testing.B) { Bench(b, Gather()) }

// TestBatchesAllocateNothing: not for a decision, nor for a game. Under the race detector memory
// that is kept for the next batch is sometimes lost.
func TestBatchesAllocateNothing(t *testing.T) {
	const boards = 60
	g := Gather()
	players := proof.Must(bindAll(g, Bred(g, 3)))(t)
	var r engine.Referee
	for seats := 2; seats <= 3; seats++ {
		play := func() { r.Boards(g, players[:seats], 1, 0, boards) }
		play()
		if n := testing.AllocsPerRun(20, play); n >= boards {
			t.Errorf("%d games of %d allocate %v times", boards*seats, seats, n)
		}
	}
}
