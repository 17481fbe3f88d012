package evolve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// midway returns a run that stopped in the middle, with all kinds of content in its state.
func midway(t testing.TB) *Run {
	t.Helper()
	c := small()
	c.Population, c.Tournament, c.Islands, c.Migration, c.Champion.Candidates = 6, 2,
		2, Migration{Every: 2, Migrants: 1}, 4
	ctx, cancel := context.WithCancel(context.Background())
	s := setup(t, c)
	s.Report = func(r Report) {
		if r.Line.Generation == 6 {
			cancel()
		}
	}
	r, err := Create(t.TempDir(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if _, err := r.Evolve(ctx); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	return r
}

func TestStateSurvives(t *testing.T) {
	r := midway(t)
	payload := r.state.encode()
	s, err := r.decode(payload)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(s.encode(), payload) {
		t.Error("a state that was read is written with other bytes")
	}
	if !reflect.DeepEqual(s.lineage, r.state.lineage) {
		t.Error("the lineage differs")
	}
	for i, people := range s.people {
		for j, in := range people {
			want := *r.state.people[i][j]
			want.Player, want.lives = nil, 0
			if !reflect.DeepEqual(*in, want) {
				t.Fatalf("individual %d: %+v instead of %+v", in.ID, *in, want)
			}
		}
	}
}

// Every byte of a checkpoint matters: with any bit of it changed, and cut or lengthened anywhere,
// it is recognised as damaged.
func TestEveryDamageIsFound(t *testing.T) {
	r := midway(t)
	names, err := filepath.Glob(filepath.Join(r.dir.path, stateFolder, "*"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	file, err := os.ReadFile(names[len(names)-1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unseal(r.study, file); err != nil {
		t.Fatal(err)
	}
	found := func(what string, at int, damaged []byte) {
		if _, err := unseal(r.study, damaged); !errors.Is(err, errDamaged) {
			t.Fatalf("%s %d of %d: %v", what, at, len(file), err)
		}
	}
	for i := range file {
		for _, flip := range []byte{1, 0x80, 0xff} {
			file[i] ^= flip
			found("flipped byte", i, file)
			file[i] ^= flip
		}
		found("cut at", i, file[:i])
		found("cut before", i+1, file[i+1:])
	}
	found("lengthened", 0, append(bytes.Clone(file), 0))
	if _, err := unseal([32]byte{1}, file); !errors.Is(err, errStudy) {
		t.Errorf("a checkpoint of another study: %v", err)
	}
	newer := bytes.Clone(file[:len(file)-32])
	newer[len(family)] = '2'
	sum := sha256.Sum256(newer)
	if _, err := unseal(r.study, append(newer, sum[:]...)); !errors.Is(err, errVersion) {
		t.Errorf("a checkpoint of another version: %v", err)
	}
}

// A state with a right checksum and wrong content, which only a fault of ours could write, is an
// error and no panic.
func TestWrongStateIsRefused(t *testing.T) {
	r := midway(t)
	payload := r.state.encode()
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

// FuzzCheckpoint reads files, with the checksum set right so that the inside is reached, and bare
// states.
func FuzzCheckpoint(f *testing.F) {
	r := midway(f)
	payload := r.state.encode()
	file, err := seal(r.study, payload)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file[:len(file)-32], false)
	f.Add([]byte(magic), false)
	f.Add(payload, true)
	f.Add([]byte{}, true)
	f.Fuzz(func(t *testing.T, content []byte, bare bool) {
		if !bare {
			sum := sha256.Sum256(content)
			inside, err := unseal(r.study, append(bytes.Clone(content), sum[:]...))
			if err != nil {
				return
			}
			content = inside
		}
		s, err := r.decode(content)
		if err != nil {
			return
		}
		again, err := r.decode(s.encode())
		if err != nil || !bytes.Equal(again.encode(), s.encode()) {
			t.Fatalf("a state that was read cannot be written: %v", err)
		}
	})
}

func TestForgedLengthIsRefused(t *testing.T) {
	r := midway(t)
	file, err := seal(r.study, r.state.encode())
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range []uint64{0, 1, 1 << 31, 1 << 40, 1<<64 - 1} {
		body := bytes.Clone(file[:len(file)-32])
		binary.LittleEndian.PutUint64(body[len(magic)+32:], length)
		sum := sha256.Sum256(body)
		if _, err := unseal(r.study, append(body, sum[:]...)); !errors.Is(err, errDamaged) {
			t.Errorf("length %d: %v", length, err)
		}
	}
}
