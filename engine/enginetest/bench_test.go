package enginetest

import (
	"testing"

	"clade/engine"
)

// BenchmarkGather plays twelve games at a time among bred foragers; see Bench.
func BenchmarkGather(b *testing.B) { Bench(b, Gather()) }

// TestBatchesAllocateNothing: not for a decision, nor for a game.
func TestBatchesAllocateNothing(t *testing.T) {
	g := Gather()
	players, err := bindAll(g, Bred(g, 3))
	if err != nil {
		t.Fatal(err)
	}
	var r engine.Referee
	for seats := 2; seats <= 3; seats++ {
		play := func() { r.Boards(g, players[:seats], 1, 0, 6) }
		play()
		if n := testing.AllocsPerRun(20, play); n != 0 {
			t.Errorf("games of %d allocate %v times", seats, n)
		}
	}
}
