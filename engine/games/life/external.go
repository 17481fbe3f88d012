package life

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

	"clade/engine"
	"clade/gp/input"
)

// facts is what both sides know before a game.
type facts struct {
	Height      int     `json:"height"`      // rows of the board
	Width       int     `json:"width"`       // columns of the board
	Generations int     `json:"generations"` // of the game
	Cells       int     `json:"cells"`       // that a side may wake in a generation
	Seconds     float64 `json:"seconds"`     // for a turn: setting turn_seconds
}

// TurnSeconds tells how long a program may take for a turn.
func (f facts) TurnSeconds() float64 { return f.Seconds }

// observation is the board as a side sees it.
type observation struct {
	Generation int  `json:"generation"` // from 0
	First      bool `json:"first"`      // the side places first
	// live cells, each [row, column] from 0 at the upper left
	Own   [][2]int32 `json:"own"`
	Enemy [][2]int32 `json:"enemy"` // likewise
	// cells that differ from the generation before, with their owner then: 0 nobody, 1 the side, 2
	// the other side
	Changed [][3]int32 `json:"changed"`
	// the seed of the numbers by which species draw sites, its upper and its lower 32 bits
	Sites [2]uint32 `json:"sites"`
}

// Facts implements engine.Interactive.
func (g *game) Facts() any {
	s := &g.settings
	return facts{s.Height, s.Width, s.Generations, s.Cells, s.TurnSeconds}
}

// Seat implements engine.Interactive.
func (g *game) Seat(a engine.Agent) engine.Player { return &external{agent: a} }

// external is a side, in one game, for which an agent decides.
type external struct {
	agent engine.Agent
	sites engine.Seed // the seed of the sites that a species in its place would draw
}

// sit returns the side itself, which is for one game.
func (e *external) sit(_ *settings, seed engine.Seed) seat {
	e.sites = seed
	return e
}

// choose asks the agent. Without an answer the side forfeits its turn.
func (e *external) choose(v *view, dst []cell) ([]cell, bool) {
	d := decision{view: v, cells: dst, sites: e.sites}
	e.agent.Act(&d)
	return d.cells, d.taken
}

// decision is a turn.
type decision struct {
	view  *view
	cells []cell
	taken bool
	sites engine.Seed
}

// Observation implements engine.Decision.
func (d *decision) Observation() any {
	v := d.view
	o := observation{Generation: v.generation, First: v.own == colourA, Own: [][2]int32{},
		Enemy: [][2]int32{}, Changed: [][3]int32{},
		Sites: [2]uint32{uint32(d.sites >> 32), uint32(d.sites)}}
	v.board.each(func(y, x int, c colour) {
		of := &o.Enemy
		if c == v.own {
			of = &o.Own
		}
		*of = append(*of, [2]int32{int32(y), int32(x)})
	})
	v.board.eachChanged(func(y, x int, was colour) {
		who := int32(0)
		if was == v.own {
			who = 1
		} else if was != dead {
			who = 2
		}
		o.Changed = append(o.Changed, [3]int32{int32(y), int32(x), who})
	})
	return o
}

// passed is the only action that is a fixed word.
const passed = "pass"

// Actions implements engine.Decision. Cells to wake are too many to list.
func (d *decision) Actions() ([]engine.Action, bool) {
	return []engine.Action{{Name: passed, Key: " "}}, false
}

// Take implements engine.Decision: the cells to wake, in order, or a stamp and its place, or
// "pass". Only the first settings.Cells cells count, and those off the board or on a live cell have
// no effect.
func (d *decision) Take(answer []byte) error {
	var a struct {
		Action json.RawMessage `json:"action"`
	}
	if err := engine.ReadAnswer(answer, &a); err != nil {
		return err
	}
	var word string
	if json.Unmarshal(a.Action, &word) == nil && strings.TrimSpace(word) == passed {
		d.cells, d.taken = d.cells[:0], true
		return nil
	}
	cells, err := []cell(nil), error(nil)
	if word != "" {
		cells, err = parsePhrase(word)
	} else {
		cells, err = parseReply(a.Action)
	}
	if err == nil {
		d.cells, d.taken = cells, true
	}
	return err
}

// View implements engine.Viewed: both sides see the whole board.
func (d *decision) View(int) (engine.Planned, image.Point) { return d.view.board, image.Pt(-1, -1) }

// Text implements engine.Speaker: the board, reduced so that a terminal has room for it, and what
// may be answered.
func (d *decision) Text() string {
	const columns, rows = 44, 22
	v := d.view
	wide := (v.board.width + columns - 1) / columns
	high := max((v.board.height+rows-1)/rows, 1)
	grid := make([][]byte, (v.board.height+high-1)/high)
	for i := range grid {
		grid[i] = bytes.Repeat([]byte{'.'}, (v.board.width+wide-1)/wide)
	}
	var live [2]int
	v.board.each(func(y, x int, c colour) {
		at, mark := &grid[y/high][x/wide], byte('o')
		if c == v.own {
			live[0]++
		} else {
			live[1]++
			mark = 'x'
		}
		if *at != '.' && *at != mark {
			mark = '*'
		}
		*at = mark
	})
	return fmt.Sprintf("%s\n\ngeneration %d of %d; %d cells are yours (o), %d not (x), * both; a "+
		"letter is %d rows and %d columns\nglider ROW COLUMN [TURN], likewise %s; cells "+
		"[[ROW,COLUMN],...]; 50 pass passes 50 times\n", bytes.Join(grid, []byte{'\n'}),
		v.generation+1, v.settings.Generations, live[0], live[1], high, wide,
		strings.Join(stampNames()[1:], ", "))
}

// Tint implements engine.Tinted.
func (d *decision) Tint(letter rune) uint8 { return tints[letter] }

var tints = map[rune]uint8{'o': engine.Seats, 'x': engine.Seats + 1, '*': engine.Seats + 1}

// placeable are the stamps that a phrase places.
var placeable = [...]*stamp{&glider, &block, &pentomino, &acorn, &growth, &spaceship, &single}

func stampNames() (names []string) {
	for _, s := range placeable {
		names = append(names, s.name)
	}
	return names
}

// parsePhrase reads a stamp, the row and the column of its middle and, optionally, its turn in
// 0..7, as turned has it.
func parsePhrase(phrase string) ([]cell, error) {
	words := strings.Fields(phrase)
	if len(words) == 0 {
		return nil, errors.New(`the "action" is empty`)
	}
	i := slices.Index(stampNames(), words[0])
	if i < 0 {
		return nil, fmt.Errorf(`%s; it is "pass", such as "glider 10 20", or an array of `+
			`[row, column]`, input.Unknown("action", words[0], append(stampNames(), passed)))
	}
	numbers := [3]int{}
	if len(words) < 3 || len(words) > 4 {
		return nil, fmt.Errorf("%s needs a row, a column and perhaps a turn", words[0])
	}
	for k, word := range words[1:] {
		var err error
		if numbers[k], err = strconv.Atoi(word); err != nil || numbers[k] < 0 ||
			numbers[k] >= maxSide || k == 2 && numbers[k] >= orientations {
			return nil, fmt.Errorf("%q is not a row, column or turn", word)
		}
	}
	var cells []cell
	for _, c := range placeable[i].cells {
		y, x := turned(c, numbers[2])
		cells = append(cells, cell{int32(y + numbers[0]), int32(x + numbers[1])})
	}
	return cells, nil
}

// parseReply reads an external player's reply, a JSON array of pairs of integers, and returns the
// cells, y before x. One faulty entry makes the whole reply an error, even after the entries that
// count; the original placed the entries before it, or never went on. Coordinates beyond the range
// of int32 become its ends, which lie off every board.
func parseReply(text []byte) ([]cell, error) {
	var pairs [][]json.RawMessage
	if err := json.Unmarshal(text, &pairs); err != nil {
		return nil, errors.New(`"action" is neither "pass" nor an array of [row, column]`)
	}
	var cells []cell
	for _, pair := range pairs {
		if len(pair) != 2 {
			return nil, fmt.Errorf("an entry of \"action\" has %d numbers, not 2", len(pair))
		}
		var at [2]int32
		for i, number := range pair {
			v, err := strconv.ParseInt(string(number), 10, 32)
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return nil, fmt.Errorf("\"action\" has %.60s where a whole number must stand", number)
			}
			at[i] = int32(v)
		}
		cells = append(cells, cell{at[0], at[1]})
	}
	return cells, nil
}
