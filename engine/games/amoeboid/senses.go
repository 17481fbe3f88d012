package amoeboid

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"clade/gp"
	"clade/gp/export"
)

// slotMove is the one slot of a genome: the worth of a candidate.
const slotMove = 0

// window is the part of the board that areas cover, around the piece where a move ended.
var window = gp.Window{Side: 11}

// sense is a row of the table of senses: a scalar, a flag or a layer.
type sense struct {
	word  string // of a layer, its name, with which the words of its forms begin
	about string // what it says, for people
	// Exactly one is set: number of a scalar, truth of a flag, cells (of the board) of a layer.
	number func(*outcome) float32
	truth  func(*outcome) bool
	cells  func(*outcome) uint64
	forms  []gp.Form // of a layer: how it can be asked
	// runtime is the same as an expression for exported programs, in the Go of export/player.go.
	// That of a layer tells whether it holds cell c of the board, on which n units stand; the move
	// ended on center.
	runtime string
}

// formWords holds the endings of the words of a layer's forms, of which Sum and Greatest are of the
// sizes of pieces.
var formWords = map[gp.Form]string{gp.Any: "?", gp.Count: "-count", gp.Sum: "-mass",
	gp.Greatest: "-largest"}

// formAbouts holds the beginnings of what those words say.
var formAbouts = map[gp.Form]string{gp.Any: "the area holds ",
	gp.Count: "the number in the area of ", gp.Sum: "the sizes together in the area of ",
	gp.Greatest: "the greatest size in the area of "}

// senses are the rows in the order of the grammar's operators. All describe the position after the
// move, as the mover sees it. Sizes are in units. The grammar, the frame's contents and the
// exported programs are made of them. Saved genomes refer to operators by number: rows must keep
// their order, and new ones go last.
var senses = []sense{
	{word: "roll", about: "the roll of the die",
		number:  func(o *outcome) float32 { return float32(o.t.Roll) },
		runtime: "float32(rolled)"},
	{word: "size", about: "size of the piece where the move ended",
		number:  func(o *outcome) float32 { return float32(o.piece.Size()) },
		runtime: "float32(size(end))"},
	{word: "units", about: "the mover's units in it",
		number:  func(o *outcome) float32 { return float32(o.piece[o.seat]) },
		runtime: "float32(mine[end])"},
	{word: "foreign", about: "the other player's units in it",
		number:  func(o *outcome) float32 { return float32(o.piece[1-o.seat]) },
		runtime: "float32(theirs[end])"},
	{word: "left", about: "size of what stayed behind",
		number:  func(o *outcome) float32 { return float32(o.left) },
		runtime: "float32(size(begun))"},
	{word: "eaten", about: "size of what stood there before, growth not counted",
		number:  func(o *outcome) float32 { return float32(o.before.Size()) },
		runtime: "float32(eaten)"},
	{word: "lead", about: "first advantage: own units less the other's",
		number:  func(o *outcome) float32 { return float32(o.summed().lead) },
		runtime: "float32(lead)"},
	{word: "control", about: "second advantage: sizes of own pieces less sizes of the other's",
		number:  func(o *outcome) float32 { return float32(o.summed().mine - o.summed().theirs) },
		runtime: "float32(ownMass - enemyMass)"},
	{word: "mine", about: "sum of the sizes of own pieces",
		number:  func(o *outcome) float32 { return float32(o.summed().mine) },
		runtime: "float32(ownMass)"},
	{word: "theirs", about: "sum of the sizes of the other's pieces",
		number:  func(o *outcome) float32 { return float32(o.summed().theirs) },
		runtime: "float32(enemyMass)"},
	{word: "myPieces", about: "own pieces",
		number:  func(o *outcome) float32 { return float32(bits.OnesCount64(o.own())) },
		runtime: "float32(pieces)"},
	{word: "theirPieces", about: "the other's pieces",
		number:  func(o *outcome) float32 { return float32(bits.OnesCount64(o.enemy())) },
		runtime: "float32(enemies)"},
	{word: "neutrals", about: "neutral pieces",
		number:  func(o *outcome) float32 { return float32(bits.OnesCount64(o.neutral())) },
		runtime: "float32(neutrals)"},
	{word: "room", about: "empty cells",
		number:  func(o *outcome) float32 { return float32(bits.OnesCount64(o.empty())) },
		runtime: "float32(room)"},
	{word: "threat", about: "size of the largest enemy piece next to the moved piece that could eat " +
		"it after its best roll; 0 without, and where the piece is not the mover's",
		number:  func(o *outcome) float32 { return float32(o.endangered(o.seat).threat) },
		runtime: "float32(threat)"},
	{word: "exposed", about: "size of the largest own piece that an enemy next to it could eat " +
		"after its best roll, 0 without",
		number:  func(o *outcome) float32 { return float32(o.endangered(o.seat).exposed) },
		runtime: "float32(exposed)"},
	{word: "prey", about: "size of the largest enemy piece next to an own piece of at least its " +
		"size, 0 without",
		number:  func(o *outcome) float32 { return float32(o.endangered(1 - o.seat).prey) },
		runtime: "float32(prey)"},
	{word: "theirLargest", about: "size of the largest enemy piece",
		number:  func(o *outcome) float32 { return float32(o.summed().largest) },
		runtime: "float32(largest)"},
	{word: "risk", about: "size of the largest own piece that an enemy next to it could eat at " +
		"once, 0 without: the mean over its rolls",
		number:  func(o *outcome) float32 { return o.endangered(o.seat).chances.mean(o.t.Die) },
		runtime: "mean(false)"},
	{word: "hope", about: "the same of the enemy's pieces, if the mover rolled next",
		number:  func(o *outcome) float32 { return o.endangered(1 - o.seat).chances.mean(o.t.Die) },
		runtime: "mean(true)"},

	{word: "wins?", about: "the move ends the game, and the mover has won",
		truth:   func(o *outcome) bool { return o.own() != 0 && o.enemy() == 0 },
		runtime: "pieces > 0 && enemies == 0"},
	{word: "loses?", about: "the move ends the game, and the mover has lost",
		truth:   func(o *outcome) bool { return o.own() == 0 && o.enemy() != 0 },
		runtime: "pieces == 0 && enemies > 0"},
	{word: "whole?", about: "nothing stayed behind",
		truth:   func(o *outcome) bool { return o.left == 0 },
		runtime: "size(begun) == 0"},
	{word: "diagonal?", about: "the move was diagonal",
		truth:   func(o *outcome) bool { return o.diagonal },
		runtime: "atX[end] != atX[begun] && atY[end] != atY[begun]"},
	{word: "eats?", about: "the move ate an enemy piece",
		truth: func(o *outcome) bool { return o.ate }, runtime: "ate"},
	{word: "merges?", about: "the move joined an own piece",
		truth: func(o *outcome) bool { return o.merged }, runtime: "merged"},
	{word: "mineNow?", about: "the piece where the move ended is the mover's",
		truth:   func(o *outcome) bool { return o.own()>>o.to&1 != 0 },
		runtime: "isOwn(end)"},

	{word: "own", about: "the mover's pieces", forms: []gp.Form{gp.Any, gp.Count, gp.Sum},
		cells: (*outcome).own, runtime: "isOwn(c)"},
	{word: "enemy", about: "the other player's pieces",
		forms: []gp.Form{gp.Any, gp.Count, gp.Sum, gp.Greatest}, cells: (*outcome).enemy,
		runtime: "isEnemy(c)"},
	{word: "neutral", about: "nobody's pieces", forms: []gp.Form{gp.Any, gp.Count, gp.Sum},
		cells: (*outcome).neutral, runtime: "n > 0 && !isOwn(c) && !isEnemy(c)"},
	{word: "empty", about: "cells of the board without a piece",
		forms: []gp.Form{gp.Any, gp.Count}, cells: (*outcome).empty, runtime: "n == 0"},
	{word: "hunter", about: "enemy pieces that could eat the moved piece after their best roll, if " +
		"they stood next to it", forms: []gp.Form{gp.Any, gp.Count, gp.Greatest},
		cells: (*outcome).hunters, runtime: "isEnemy(c) && n+die >= size(center)"},
	{word: "endangered", about: "the mover's pieces that stand next to such an enemy of their own",
		forms:   []gp.Form{gp.Any, gp.Count, gp.Greatest},
		cells:   func(o *outcome) uint64 { return o.endangered(o.seat).endangered },
		runtime: "isOwn(c) && beside(c, false) > 0 && beside(c, false)+die >= n"},
}

// vocabulary is what trees can read.
type vocabulary struct {
	senses  []sense
	grammar *gp.Grammar
}

// usual is the vocabulary of every board, so that a species bred on one can play on another.
var usual = sync.OnceValue(func() *vocabulary {
	v, err := newVocabulary(senses)
	if err != nil {
		panic(err)
	}
	return v
})

// newVocabulary returns the vocabulary of a table of senses, or an error for a row that lacks
// something.
func newVocabulary(senses []sense) (*vocabulary, error) {
	spec := gp.Spec{
		Slots:     []gp.Slot{{Name: "move", Type: gp.Float}},
		Operators: gp.Shared(),
		Window:    window,
		Rects:     gp.RectRange{Centre: 3, Side: 7, SideSum: 14},
	}
	for _, s := range senses {
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("amoeboid: %w", err)
		}
		switch {
		case s.number != nil:
			spec.Operators = append(spec.Operators, gp.ScalarSensor(s.word, spec.Scalars).Saying(s.about))
			spec.Scalars++
		case s.truth != nil:
			spec.Operators = append(spec.Operators, gp.FlagSensor(s.word, spec.Flags).Saying(s.about))
			spec.Flags++
		default:
			layer := gp.Layer{Name: s.word}
			for _, form := range s.forms {
				spec.Operators = append(spec.Operators, gp.AreaSensor(s.word+formWords[form], form,
					len(spec.Layers)).Saying(formAbouts[form]+s.about))
				if form != gp.Any && form != gp.Count {
					layer.Unit = 1
				}
			}
			spec.Layers = append(spec.Layers, layer)
		}
	}
	grammar, err := gp.NewGrammar(spec)
	if err != nil {
		return nil, fmt.Errorf("amoeboid: %w", err)
	}
	return &vocabulary{senses, grammar}, nil
}

func (s *sense) check() error {
	ways := 0
	for _, has := range []bool{s.number != nil, s.truth != nil, s.cells != nil} {
		if has {
			ways++
		}
	}
	switch {
	case ways != 1:
		return fmt.Errorf("sense %q is filled by %d functions; give it one of number, truth and cells",
			s.word, ways)
	case (s.cells != nil) != (len(s.forms) > 0):
		return fmt.Errorf("sense %q: a layer has forms, how it can be asked, and nothing else has",
			s.word)
	case slices.ContainsFunc(s.forms, func(f gp.Form) bool { return formWords[f] == "" }):
		return fmt.Errorf("sense %q has a form that has no word in formWords", s.word)
	case s.about == "":
		return fmt.Errorf("sense %q has no sentence, about, for people", s.word)
	}
	return export.Sense{Word: s.word, Expression: s.runtime}.Check()
}

// exported returns the rows as the exported programs compute them: scalars and flags, and layers.
func (v *vocabulary) exported() (values, layers []export.Sense) {
	for _, s := range v.senses {
		if s.cells != nil {
			layers = append(layers, export.Sense{Word: s.word, Expression: s.runtime})
		} else {
			values = append(values, export.Sense{Word: s.word, Expression: s.runtime, Stage: "After"})
		}
	}
	return values, layers
}

// reading is a row that a genome reads, and its scalar, flag or layer.
type reading struct {
	*sense
	index int
}

// readBy returns the rows that a genome reads.
func (v *vocabulary) readBy(ge gp.Genome) []reading {
	words := map[string]bool{}
	for _, tree := range ge {
		for _, n := range tree {
			words[v.grammar.Operators[n.Op].Name] = true
		}
	}
	return slices.DeleteFunc(v.all(), func(r reading) bool {
		return !words[r.word] && !slices.ContainsFunc(r.forms, func(f gp.Form) bool {
			return words[r.word+formWords[f]]
		})
	})
}

// all returns all rows.
func (v *vocabulary) all() (rows []reading) {
	scalars, flags, layers := 0, 0, 0
	for i := range v.senses {
		s, next := &v.senses[i], &layers
		if s.number != nil {
			next = &scalars
		} else if s.truth != nil {
			next = &flags
		}
		rows = append(rows, reading{s, *next})
		*next++
	}
	return rows
}

// Grammar returns the vocabulary: sensors of the position after a candidate move, around the piece
// where it ended, turned so that it came from below.
func (g *Game) Grammar() *gp.Grammar { return g.vocabulary.grammar }
