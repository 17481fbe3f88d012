package engine

import (
	"cmp"
	"slices"
)

// Planned is a scene that lists the pieces on its board, so that a viewer can draw it sharp at any
// size, in its own colours, and animate moves.
type Planned interface {
	// Plan describes the board, the same for all scenes of one game; nil where only a picture can
	// show the scene.
	Plan() *Plan
	// Pieces appends the pieces on the board, in any order.
	Pieces(dst []Piece) []Piece
}

// Plan is a board of cells, with the kinds of its pieces.
type Plan struct {
	Columns int      `json:"columns"`
	Rows    int      `json:"rows"`
	Torus   bool     `json:"torus"` // what leaves at one edge enters at the other
	Kinds   []Kind   `json:"kinds"` // in the order in which they are drawn
	Labels  []Label  `json:"labels,omitempty"`
	Edges   [][2]int `json:"edges,omitempty"` // of a graph: pairs of indices in Labels
	// Dense says that there are too many cells to list pieces: viewers show the scene's picture,
	// and kinds only name its colours
	Dense bool `json:"dense,omitempty"`
	// Tilted lets a viewer draw the board as PaintTilted does, if it can
	Tilted bool `json:"tilted,omitempty"`
	// indices in Distinct of the colours of seats; nil where seat i has index i
	Seats []int `json:"seats,omitempty"`
}

// Label is the name of a cell.
type Label struct {
	Name string `json:"name"`
	X    int    `json:"x"`
	Y    int    `json:"y"`
}

// Kind is a kind of pieces.
type Kind struct {
	Name   string `json:"name"` // for a legend
	Form   Form   `json:"form"`
	Colour uint8  `json:"colour"`           // of pieces without an owner: an entry of Palette
	Letter string `json:"letter,omitempty"` // written on the piece
	Turns  bool   `json:"turns,omitempty"`  // it faces the way it last moved; see Headings
}

// Form is how a piece is drawn. Forms joined by "+" are drawn one over the other.
type Form string

// Forms that every viewer can draw.
const (
	Filled  Form = "filled" // the whole cell
	Wash    Form = "wash"   // the whole cell, transparent
	Dot     Form = "dot"    // a small mark, such as a trail
	Grain   Form = "grain"  // food
	Disc    Form = "disc"   // any piece
	Spark   Form = "spark"  // harm
	Cross   Form = "cross"  // a dead player
	Units   Form = "units"  // Number units of Seat, as a share of the units on the cell
	Pips    Form = "pips"   // a die that shows Number
	Ant     Form = "ant"
	Fox     Form = "fox"
	Hen     Form = "hen"
	Viper   Form = "viper"
	Walker  Form = "walker" // a creature on two feet
	Blob    Form = "blob"   // an amoeba
	Apple   Form = "apple"
	Flytrap Form = "flytrap"
	Chest   Form = "chest"
	Thicket Form = "thicket"
	Wall    Form = "wall"
	Thorns  Form = "thorns"
	Mud     Form = "mud"
	Fog     Form = "fog"
	Shrine  Form = "shrine"
	Amount  Form = "amount" // the whole cell, darker for more: Number in hundredths
)

// Piece is a piece on a board.
type Piece struct {
	Kind   uint8 // index in Plan.Kinds
	Seat   int8  // its owner, -1 for none
	X, Y   int16
	Facing int8 // eighths of a turn clockwise from north; -1 for none
	Number int32
}

// Nobodys returns a piece without owner or facing.
func Nobodys(kind, x, y int) Piece { return Owned(kind, -1, x, y) }

// Owned returns a piece of a seat without facing.
func Owned(kind, seat, x, y int) Piece {
	return Piece{Kind: uint8(kind), Seat: int8(seat), X: int16(x), Y: int16(y), Facing: -1}
}

// Headings turns pieces to face the way they last moved, if they are the only one of their kind and
// seat. It must see the scenes of a game in order; the zero value is ready.
type Headings struct{ last map[[2]int]Piece }

// Turn sets the facing of pieces whose kind Turns.
func (h *Headings) Turn(p *Plan, pieces []Piece) {
	if h.last == nil {
		h.last = map[[2]int]Piece{}
	}
	for i := range pieces {
		now := &pieces[i]
		if !p.Kinds[now.Kind].Turns {
			continue
		}
		key := [2]int{int(now.Kind), int(now.Seat)}
		was, ok := h.last[key]
		if now.Facing = was.Facing; !ok {
			now.Facing = 4 // towards the viewer
		}
		dx, dy := int(now.X-was.X), int(now.Y-was.Y)
		if p.Torus {
			dx, dy = nearer(dx, p.Columns), nearer(dy, p.Rows)
		}
		if far := max(dx, -dx, dy, -dy); ok && far == 1 {
			now.Facing = eighths[dy+1][dx+1]
		}
		h.last[key] = *now
	}
}

// eighths are the directions to the neighbours, by row and column.
var eighths = [3][3]int8{{7, 0, 1}, {6, -1, 2}, {5, 4, 3}}

// nearer returns the shorter of the two signed distances on a ring of n cells.
func nearer(d, n int) int {
	if 2*d > n {
		return d - n
	} else if 2*d < -n {
		return d + n
	}
	return d
}

// letters lists those that a board has a colour for, in the order in which they are drawn.
func (b *Board) letters() (all []byte) {
	for letter, colour := range b.Colours {
		if colour != Paper {
			all = append(all, letter)
		}
	}
	order := func(letter byte) int {
		switch c := b.Colours[letter]; {
		case c >= Ramp || c == Grid || c == Veil:
			return 0
		case c >= Tints:
			return 1
		case c < Seats:
			return 2
		}
		return 3
	}
	slices.SortFunc(all, func(x, y byte) int {
		return cmp.Or(cmp.Compare(order(x), order(y)),
			cmp.Compare(b.Colours[x], b.Colours[y]), cmp.Compare(x, y))
	})
	return all
}

// Plan implements Planned: a kind for each letter that has a colour. Its form is that of Forms,
// else it follows from the colour.
func (b *Board) Plan() *Plan {
	p := &Plan{Columns: b.Columns, Rows: len(b.Letters) / b.Columns, Torus: b.Torus}
	for _, letter := range b.letters() {
		colour := b.Colours[letter]
		k := Kind{Name: cmp.Or(b.Names[letter], string(letter)), Form: b.Forms[letter], Colour: colour}
		seated := colour >= Seats && colour < Tints
		if k.Turns = seated; k.Form == "" {
			switch {
			case seated:
				k.Form, k.Letter = Disc, string(letter)
			case colour == Goods:
				k.Form = Grain
			case colour == Hazard:
				k.Form = Spark
			case colour >= Tints && colour < Ramp:
				k.Form = Dot
			default:
				k.Form = Filled
			}
		}
		p.Kinds = append(p.Kinds, k)
	}
	return p
}

// Pieces implements Planned.
func (b *Board) Pieces(dst []Piece) []Piece {
	letters := b.letters()
	for i, letter := range b.Letters {
		kind := slices.Index(letters, letter)
		if kind < 0 {
			continue
		}
		seat := -1
		if c := int(b.Colours[letter]); c >= Seats && c < Ramp {
			seat = (c - Seats) % MaxSeats
		}
		dst = append(dst, Owned(kind, seat, i%b.Columns, i/b.Columns))
	}
	return dst
}
