package evolve

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"clade/gp/proof"
)

// midway returns a run that stopped in the middle, with all kinds of content in its state.
func midway(t testing.TB) *Run {
	t.Helper()
	c := small()
	c.Population, c.Tournament, c.Islands, c.Migration, c.Champion.Candidates = 6, 2,
		2, Migration{Every: 2, Migrants: 1}, 4
	return midwayOf(t, c, 6)
}

// midwayOf returns a run that stopped after a generation.
func midwayOf(t testing.TB, c Config, generation int) *Run {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := setup(t, c)
	s.Progress = func(r Progress) {
		if r.Line.Generation == generation {
			cancel()
		}
	}
	r := proof.Must(Create(t.TempDir(), s))(t)
	t.Cleanup(func() { r.Close() })
	if _, err := r.Evolve(ctx); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	return r
}

func TestStateSurvives(t *testing.T) {
	r := midway(t)
	payload := r.encode(r.state)
	s := proof.Must(r.decode(payload))(t)
	proof.Is(t, string(r.encode(s)), string(payload), "a state that was read, written")
	if !reflect.DeepEqual(s.lineage, r.state.lineage) {
		t.Error("the lineage differs")
	}
	for i, population := range s.populations {
		for j, in := range population {
			want := *r.state.populations[i][j]
			want.Player, want.lives = nil, 0
			if !reflect.DeepEqual(*in, want) {
				t.Fatalf("individual %d: %+v instead of %+v", in.ID, *in, want)
			}
		}
	}
}

// All marks of a game survive, and a game with few is written as when there were four at most:
// three numbers of a byte each and six floats.
func TestMarksSurvive(t *testing.T) {
	for marks, length := range map[int]int{1: 3 + 6*8, 5: 3 + 7*8} {
		had := record{Games: 3, Wins: 2, Losses: 1, Score: 7, Other: 5}
		for i := range marks {
			had.Marks[i] = float64(i) + 0.5
		}
		var got record
		written := encodeWire(func(c *wire) { had.code(c, marks) })
		proof.OK(t, decodeWire(written, func(c *wire) { got.code(c, marks) }))
		if len(written) != length || got != had {
			t.Errorf("%d marks: %d bytes, %+v, not %d, %+v", marks, len(written), got, length, had)
		}
	}
}

// A state with a right checksum and wrong content, which only a fault of ours could write, is an
// error and no panic.
func TestWrongStateIsRefused(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	r := midway(t)
	payload := r.encode(r.state)
	refused := 0
	for i := range payload {
		flip := []byte{1, 0x80, 0xff}[i%3]
		payload[i] ^= flip
		if _, err := r.decode(payload); err != nil {
			if !errors.Is(err, errDamaged) {
				t.Fatal(err)
			}
			refused++
		}
		payload[i] ^= flip
		if i%5 != 0 {
			continue
		}
		if _, err := r.decode(payload[:i]); err == nil {
			t.Fatalf("cut at %d of %d", i, len(payload))
		}
	}
	if refused < len(payload)/4 { // a constant or an id may well be another one
		t.Errorf("only %d of %d changes were refused", refused, len(payload))
	}
}

// FuzzState reads states. The first is short, since what is interesting is made shorter byte by
// byte.
func FuzzState(f *testing.F) {
	c := small()
	c.Population, c.Tournament, c.Islands, c.Migration = 2, 2, 2, Migration{Every: 1, Migrants: 1}
	c.Founders.MaxDepth, c.Champion.Candidates = 2, 2
	r := midwayOf(f, c, 1)
	f.Add(r.encode(r.state))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := r.decode(content)
		if err != nil {
			return
		}
		again := proof.Must(r.decode(r.encode(s)))(t)
		proof.Are(t, r.encode(again), r.encode(s), "a state that was read")
	})
}
