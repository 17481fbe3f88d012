package antwars

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clade/gp"
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

// conformanceFolder is where recorded data stands, "" where there is none.
func conformanceFolder(t *testing.T, game string) string {
	root := os.Getenv("CLADE_CONFORMANCE")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "conformance")
	}
	folder := filepath.Join(root, game)
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no recorded games: set CLADE_CONFORMANCE to the folder that holds %s (%v)", game, err)
	}
	return folder
}

// recorded calls f with every recorded game of every file of the folder.
func recorded(t *testing.T, folder string, f func(where string, g *recordedGame)) {
	files, _ := filepath.Glob(filepath.Join(folder, "*.jsonl.gz"))
	games := 0
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(path, err)
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 1<<24)
		for n := 1; lines.Scan(); n++ {
			g := &recordedGame{}
			if err := json.Unmarshal(lines.Bytes(), g); err != nil {
				t.Fatalf("%s:%d: %v", path, n, err)
			}
			f(fmt.Sprintf("%s:%d", filepath.Base(path), n), g)
			games++
		}
		if err := lines.Err(); err != nil {
			t.Fatal(path, err)
		}
		file.Close()
	}
	if games == 0 {
		t.Fatalf("%s holds no recorded game", folder)
	}
	t.Logf("%d games in %d files", games, len(files))
}

// set makes a board of a list of cells.
func set(cells []int) (b gp.Bits) {
	for _, c := range cells {
		b.Set(c)
	}
	return b
}

func TestConformanceRules(t *testing.T) {
	recorded(t, conformanceFolder(t, "antwars"), func(where string, g *recordedGame) {
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
			if int(b.score[ant]) != g.Score[ant] {
				t.Errorf("%s: score %v, recorded %v", where, b.score, g.Score)
			}
		}
		if ply != len(g.Moves) || b.winner()+1 != g.Winner || dead != g.Dead || b.food != set(g.FoodLeft) {
			t.Errorf("%s: %d plies, winner %d, dead %d; recorded %d, %d, %d", where, ply, b.winner()+1, dead, len(g.Moves), g.Winner, g.Dead)
		}
	})
}

// TestConformanceDecisions checks every utility, by both executors, and every move of recorded genetic programs.
func TestConformanceDecisions(t *testing.T) {
	folder := conformanceFolder(t, "antwars")
	g := New().(*game)
	text, err := os.ReadFile(filepath.Join(folder, "brilliant.sexp"))
	if err != nil {
		t.Fatal(err)
	}
	printed, err := g.grammar.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	utilities, moves := 0, 0
	recorded(t, folder, func(where string, rec *recordedGame) {
		ge := printed
		if rec.Trees != nil {
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
		s := newSense(g.grammar)
		sp.code.Load(s.frame)
		b := board{food: set(rec.Food), at: starts}
		var memory [2]Memory
		var clock [2]int
		for ply := range len(rec.Moves) {
			ant := int(rec.Ants[ply] - '1')
			memory[ant].update(&b, ant, clock[ant])
			clock[ant]++
			if slices.Contains(played, ant+1) {
				if rec.U != nil {
					compareUtilities(t, fmt.Sprintf("%s, ply %d", where, ply), rec.U[ply], g.grammar, ge, sp, &memory[ant], s)
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
	if utilities == 0 || moves == 0 {
		t.Error("nothing was compared")
	}
}

func compareUtilities(t *testing.T, where, recorded string, g *gp.Grammar, ge gp.Genome, sp *species, m *Memory, s *sense) {
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
		if walked := g.Walk(ge[slot], s.frame, d/2); math.Float32bits(walked) != uint32(bits) || math.Float32bits(got) != uint32(bits) {
			t.Fatalf("%s: utility of direction %d is %v walked and %v compiled, recorded %v", where, d, walked, got, math.Float32frombits(uint32(bits)))
		}
	}
}
