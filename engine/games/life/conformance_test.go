package life

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// eachRecord calls check with every record of the files of a pattern, each in a subtest.
func eachRecord[T any](t *testing.T, pattern string, check func(t *testing.T, record *T)) {
	for _, path := range enginetest.Recorded(t, "lifekoth", pattern) {
		enginetest.EachRecord(t, path, func(where string, record *T) {
			t.Run(where, func(t *testing.T) { check(t, record) })
		})
	}
}

// world is a board or its oracle.
type world interface {
	place(y, x int, c colour) bool
	at(y, x int) colour
	step(bands int)
}

// worlds returns the oracle and a board of each kernel.
func worlds(t *testing.T, height, width int) map[string]world {
	all := map[string]world{"oracle": newNaive(height, width)}
	for _, k := range kernels.Available() {
		all[k.String()] = newBoard(height, width, k)
	}
	return all
}

// rows writes a world as the recorded data does.
func rows(w world, height, width int) []string {
	lines := make([]string, height)
	for y := range lines {
		line := make([]byte, width)
		for x := range line {
			line[x] = "12."[w.at(y, x)]
		}
		lines[y] = string(line)
	}
	return lines
}

func sameRows(t *testing.T, what string, got, want []string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Boards, placements and what became of them were recorded with the original controller's classes.
func TestConformanceSteps(t *testing.T) {
	type record struct {
		YSize        int `json:"y_size"`
		XSize        int `json:"x_size"`
		Board        []string
		Move1, Move2 [][2]int
		Placed, Next []string
		Count        [2]int
	}
	eachRecord(t, "steps*.jsonl*", func(t *testing.T, c *record) {
		for name, w := range worlds(t, c.YSize, c.XSize) {
			for y, row := range c.Board {
				for x, cell := range row {
					if cell != '.' {
						w.place(y, x, colour(cell-'1'))
					}
				}
			}
			sameRows(t, name+" before", rows(w, c.YSize, c.XSize), c.Board)
			for i, moves := range [2][][2]int{c.Move1, c.Move2} {
				for _, m := range moves[:min(30, len(moves))] {
					w.place(m[0], m[1], colour(i))
				}
			}
			sameRows(t, name+" placed", rows(w, c.YSize, c.XSize), c.Placed)
			w.step(1)
			sameRows(t, name+" next", rows(w, c.YSize, c.XSize), c.Next)
			var count [2]int
			for _, row := range c.Next {
				count[0] += strings.Count(row, "1")
				count[1] += strings.Count(row, "2")
			}
			if count != c.Count {
				t.Fatalf("count %v, want %v", count, c.Count)
			}
		}
	})
}

// script is a player that replies what was recorded.
type script [][][2]int

func (s script) sit(*settings, engine.Seed) seat { return s }

func (s script) choose(v *view, dst []cell) ([]cell, bool) {
	for _, m := range s[v.generation] {
		dst = append(dst, cell{int32(m[0]), int32(m[1])})
	}
	return dst, true
}

// watcher keeps what a game shows.
type watcher struct {
	live      [][2]int
	cells     [][3]int
	decisions [2][]uint64
	blind     bool
}

func (w *watcher) Decide(seat int, decision uint64) {
	w.decisions[seat] = append(w.decisions[seat], decision)
}

func (w *watcher) Step(s engine.Scene) {
	if w.blind {
		return
	}
	live := s.Scores(nil)
	w.live = append(w.live, [2]int{int(live[0]), int(live[1])})
	w.cells = w.cells[:0]
	sc := s.(scene)
	sc.board.each(func(y, x int,
		c colour) {
		w.cells = append(w.cells, [3]int{y, x, sc.seat(c) + 1})
	})
}

// Whole games were recorded with the original controller's classes.
func TestConformanceGames(t *testing.T) {
	proof.Slow(t)
	type record struct {
		YSize          int `json:"y_size"`
		XSize          int `json:"x_size"`
		Generations    int
		Moves1, Moves2 script
		Population     [][2]int
		Final          [][3]int
		Wins           [2]int
	}
	eachRecord(t, "games*.jsonl*", func(t *testing.T, c *record) {
		for _, k := range kernels.Available() {
			o := defaults()
			o.Height, o.Width, o.Generations = c.YSize, c.XSize, c.Generations
			g := mustGame(t, o)
			g.level = k
			var w watcher
			result := g.play([]engine.Player{c.Moves1, c.Moves2}, 1, 0, &w)
			proof.Is(t, fmt.Sprint(w.live[1:]), fmt.Sprint(c.Population), "%s: populations", k)
			proof.Is(t, fmt.Sprint(w.cells), fmt.Sprint(c.Final), "%s: the final board", k)
			wins := [2]int{1, 1}
			if result.Winner() != engine.Tie {
				wins[1-result.Winner()] = 0
			}
			proof.Is(t, wins, c.Wins, "%s: wins", k)
		}
	})
}

// TestConformanceProtocol holds replies to what the original did with them, and where it faulted
// (an exception, or a coordinate that is not an integer) to the rule that the reply places nothing.
func TestConformanceProtocol(t *testing.T) {
	type record struct {
		Stdout    string
		Exit      int
		YSize     int      `json:"y_size"`
		XSize     int      `json:"x_size"`
		Before    [][3]int `json:"before"`
		BotID     int      `json:"bot_id"`
		After     [][3]any `json:"after"`
		Exception *string  `json:"controller_exception"`
	}
	eachRecord(t, "protocol*.jsonl*", func(t *testing.T, c *record) {
		b := newBoard(c.YSize, c.XSize, best())
		for _, cell := range c.Before {
			b.place(cell[0], cell[1], colour(cell[2]-1))
		}
		if c.Exit == 0 {
			if cells, err := parseReply([]byte(c.Stdout)); err == nil {
				for _, cell := range cells[:min(30, len(cells))] {
					b.place(int(cell.y), int(cell.x), colour(c.BotID-1))
				}
			}
		}
		want := fmt.Sprint(c.Before)
		if c.Exception == nil && !strings.ContainsAny(c.Stdout, ".eE") {
			want = fmt.Sprint(c.After)
		}
		var got [][3]int
		b.each(func(y, x int, c colour) { got = append(got, [3]int{y, x, int(c) + 1}) })
		sort.Slice(got, func(i, j int) bool { return fmt.Sprint(got[i]) < fmt.Sprint(got[j]) })
		proof.Is(t, fmt.Sprint(got), want, "what %q leaves", c.Stdout)
	})
}

var replies = []struct {
	text string
	want []cell
	ok   bool
}{
	{"[]", nil, true},
	{" [ ]\n", nil, true},
	{"[[1,2]]", []cell{{1, 2}}, true},
	{"\t[[1 , 2] ,[-3,0]]\r\n", []cell{{1, 2}, {-3, 0}}, true},
	{"[[-0,9999999999],[-9999999999,1]]", []cell{{0, math.MaxInt32}, {math.MinInt32, 1}}, true},
	{"", nil, false}, {"{}", nil, false}, {"5", nil, false},
	{"[1,2]", nil, false},
	{"[[1]]", nil, false}, {"[[1,2,3]]", nil, false}, {"[[1,2],]", nil, false},
	{"[[1,2]", nil, false}, {"[[1,2]]x", nil, false},
	{"[[1.0,2]]", nil, false}, {"[[1e0,2]]", nil, false}, {"[[01,2]]", nil, false},
	{"[[+1,2]]", nil, false}, {"[[-,2]]", nil, false},
	{`[["1",2]]`, nil, false}, {"[[true,2]]", nil, false}, {"[[1,2]][]", nil, false},
	{"[[null,2]]", nil, false}, {"[null]", nil, false}, {"[[1,[2]]]", nil, false},
	{"[\x00", nil, false}, {"[]\x00", nil, false},
}

// The answers are written here, as programs may send them: a number that is not whole is named in the
// user's words, and "pass" may have blanks around it, as the phrase of a stamp may.
func TestTake(t *testing.T) {
	d := &decision{}
	for _, number := range []string{"1.0", "1e999", "null"} {
		err := d.Take([]byte(`{"action":[[` + number + `,2]]}`))
		proof.Says(t, err, `"action" has `+number+` where a whole number must stand`)
		if strings.Contains(err.Error(), "strconv") {
			t.Error(err)
		}
	}
	proof.OK(t, d.Take([]byte(`{"action":" pass "}`)))
}

func TestParseReply(t *testing.T) {
	for _, r := range replies {
		got, err := parseReply([]byte(r.text))
		if (err == nil) != r.ok || r.ok && !slices.Equal(got, r.want) {
			t.Errorf("parseReply(%q) = %v, %v; want %v, accepted %v", r.text, got, err, r.want, r.ok)
		}
	}
}
