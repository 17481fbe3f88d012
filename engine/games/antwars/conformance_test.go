package antwars

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/proof"
)

// recordedGame is one line of a recorded file: see the README beside the data.
type recordedGame struct {
	Kind     string
	Food     []int
	Ants     string
	Moves    string
	Results  string
	Score    [2]int
	Winner   int
	Dead     int
	FoodLeft []int `json:"food_left"`
	GP       []int
	Trees    []string
	U        []string
}

// recorded calls f with every recorded game.
func recorded(t *testing.T, f func(where string, g *recordedGame)) {
	games := 0
	for _, path := range enginetest.Recorded(t, "antwars", "*.jsonl*") {
		enginetest.EachRecord(t, path, func(where string, g *recordedGame) {
			f(where, g)
			games++
		})
	}
	t.Logf("%d games", games)
}

// set makes a board of a list of cells.
func set(cells []int) (b gp.Bits) {
	for _, c := range cells {
		b.Set(c)
	}
	return b
}

// The games were recorded by another evaluator, written from the paper.
func TestConformanceRules(t *testing.T) {
	recorded(t, func(where string, g *recordedGame) {
		b := board{food: set(g.Food), at: starts}
		ply := 0
		for range rounds {
			for ant := range 2 {
				if b.dead[ant] {
					continue
				}
				if ply >= len(g.Moves) || int(g.Ants[ply]-'1') != ant {
					t.Fatalf("%s: ply %d is ant %d's", where, ply, ant+1)
				}
				did := b.move(ant, int(g.Moves[ply]-'0'))
				if want := strings.IndexByte(".ek", g.Results[ply]); int(did) != want {
					t.Fatalf("%s: ply %d gives %d, recorded %d", where, ply, did, want)
				}
				ply++
			}
		}
		dead := 0
		for ant := range 2 {
			if b.dead[ant] {
				dead = ant + 1
			}
			proof.Is(t, int(b.score[ant]), g.Score[ant], "%s: the score of ant %d", where, ant)
		}
		if ply != len(g.Moves) || b.winner()+1 != g.Winner || dead != g.Dead ||
			b.food != set(g.FoodLeft) {
			t.Errorf("%s: %d plies, winner %d, dead %d; recorded %d, %d, %d", where, ply,
				b.winner()+1, dead, len(g.Moves), g.Winner, g.Dead)
		}
	})
}

// TestConformanceDecisions checks every utility, by both executors, and every move of genetic
// programs, as another evaluator recorded them.
func TestConformanceDecisions(t *testing.T) {
	g := New().(*game)
	utilities, moves := 0, 0
	recorded(t, func(where string, rec *recordedGame) {
		ge := printed(t)
		if rec.Trees != nil {
			var err error
			if ge, err = g.grammar.Parse(strings.Join(rec.Trees, "\n")); err != nil {
				t.Fatal(where, err)
			}
		}
		played := rec.GP
		for i, name := range strings.Split(rec.Kind, "-") {
			if name == "brilliant" && rec.GP == nil {
				played = append(played, i+1)
			}
		}
		if len(played) == 0 {
			return
		}
		player, err := g.Bind(ge)
		if err != nil {
			t.Fatal(where, err)
		}
		sp := player.(*species)
		s := newSense(g)
		sp.code.Load(s.frame)
		b := board{food: set(rec.Food), at: starts}
		var memory [2]memory
		var clock [2]int
		for ply := range len(rec.Moves) {
			ant := int(rec.Ants[ply] - '1')
			memory[ant].update(&b, ant, clock[ant])
			clock[ant]++
			if slices.Contains(played, ant+1) {
				if rec.U != nil {
					compareUtilities(t, fmt.Sprintf("%s, ply %d", where, ply), rec.U[ply],
						g.grammar, ge, sp, &memory[ant], s)
					utilities += 8
				}
				if d := sp.move(&memory[ant], s); d != int(rec.Moves[ply]-'0') {
					t.Fatalf("%s: ply %d goes %d, recorded %c", where, ply, d, rec.Moves[ply])
				}
				moves++
			}
			b.move(ant, int(rec.Moves[ply]-'0'))
		}
	})
	t.Logf("%d utilities and %d moves agree", utilities, moves)
	if moves == 0 {
		t.Skip("no recorded game was played by a genetic program")
	}
}

// TestConformanceBrilliant holds that the built-in BrilliANT is the one that the paper prints, as
// another evaluator reads it.
func TestConformanceBrilliant(t *testing.T) {
	g := New().Grammar()
	for _, path := range enginetest.Recorded(t, "antwars", "*.sexp") {
		text := proof.Must(os.ReadFile(path))(t)
		ge, err := g.Parse(string(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if !slices.EqualFunc(ge, printed(t), slices.Equal[gp.Tree]) {
			t.Errorf("%s is another genome", path)
		}
	}
}

func compareUtilities(t *testing.T, where, recorded string, g *gp.Grammar, ge gp.Genome,
	sp *species, m *memory, s *sense) {
	t.Helper()
	straight, diagonal := sp.utilities(m, s)
	for d := range 8 {
		bits, err := strconv.ParseUint(recorded[8*d:8*d+8], 16, 32)
		if err != nil {
			t.Fatal(where, err)
		}
		slot, got := d&1^1, diagonal[d/2]
		if slot == slotStraight {
			got = straight[d/2]
		}
		s.hope(slot)
		if walked := g.Walk(ge[slot], s.frame, d/2); math.Float32bits(walked) != uint32(bits) ||
			math.Float32bits(got) != uint32(bits) {
			t.Fatalf("%s: utility of direction %d is %v walked and %v compiled, recorded %v", where,
				d, walked, got, math.Float32frombits(uint32(bits)))
		}
	}
}
