package santafe

import (
	"slices"
	"sync/atomic"

	"clade/gp"
)

// program is a tree compiled to a list of moves and questions, each with the turns before it.
// Sequences need no instructions. A question whose answer is known, because the ant has done
// nothing since it was asked, is left out.
type program struct {
	code      []instruction
	questions []question
	// ways are those of the questions that the ant came to, in order; nil before the first game.
	ways atomic.Pointer[[]way]
}

// question is an if-food-ahead of the tree, in the tree's order.
type question struct {
	at     int32 // the instruction that asks; ^way if the answer is known
	middle int32 // the questions from the next one on to before middle stand in its first branch
	end    int32 // and from middle to before end in the second
}

// way is a set of branches of a question: those that an ant has taken.
type way uint8

const (
	taken way = 1 << iota // the first branch: there was food ahead
	other                 // the second
)

// instruction is some actions, all turns but perhaps the last one, and where to go on.
type instruction struct {
	actions uint64 // what it adds to the log
	next    int32  // the instruction that follows; for a question, if there is food ahead
	other   int32  // the one that follows a question if there is none
	kind    kind
	turn    uint8 // quarters to the right, of all its turns together
	count   uint8 // actions
}

type kind uint8

const (
	pass   kind = iota // the tree's beginning, to which its end returns
	step               // turns, then a move
	ask                // turns, then the question whether there is food ahead
	turned             // turns only, before paths meet
)

// compiler makes programs. It is scratch memory of one goroutine.
type compiler struct {
	g    *gp.Grammar
	code []instruction
	all  gp.Tree
	at   int // the node to be read

	questions []question

	pending instruction // turns not emitted yet
	known   int8        // what is ahead: 1 food, -1 none, 0 unknown
	loose   []int32     // instructions without a place to go on: i for next, ^i for other
	base    int         // loose ones from here on go on to the next instruction
}

// mostTurns is the greatest number of turns of an instruction, so that with a move they fit a word.
const mostTurns = perWord - 2

func (c *compiler) compile(t gp.Tree) *program {
	c.code, c.questions, c.loose, c.base = c.code[:0], c.questions[:0], c.loose[:0], 0
	c.all, c.at = t, 0
	c.pending, c.known = instruction{}, 0
	c.emit(instruction{kind: pass})
	c.tree()
	c.meet()
	c.link(0)
	return &program{code: slices.Clone(c.code), questions: slices.Clone(c.questions)}
}

// emit appends an instruction, and makes everything loose go on to it.
func (c *compiler) emit(in instruction) {
	at := int32(len(c.code))
	c.link(at)
	c.code = append(c.code, in)
	c.loose = append(c.loose, at)
}

// link makes everything loose go on to an instruction.
func (c *compiler) link(to int32) {
	for _, i := range c.loose[c.base:] {
		if i >= 0 {
			c.code[i].next = to
		} else {
			c.code[^i].other = to
		}
	}
	c.loose = c.loose[:c.base]
}

// flush emits the pending turns as an instruction of a kind.
func (c *compiler) flush(k kind) {
	c.pending.kind = k
	c.emit(c.pending)
	c.pending = instruction{}
}

func (c *compiler) act(a action) {
	p := &c.pending
	p.actions |= uint64(a) << (2 * p.count)
	p.count++
	c.known = 0
	switch a {
	case left:
		p.turn = (p.turn + 3) & 3
	case right:
		p.turn = (p.turn + 1) & 3
	case move:
		c.flush(step)
		return
	}
	if p.count == mostTurns {
		c.flush(turned)
	}
}

// tree compiles the subtree at the node to be read.
func (c *compiler) tree() {
	op := c.all[c.at].Op
	c.at++
	switch op {
	case opLeft, opRight, opMove:
		c.act(action(op))
	case opProgn3:
		c.tree()
		fallthrough
	case opProgn2:
		c.tree()
		c.tree()
	case opIfFoodAhead:
		c.question()
	}
}

func (c *compiler) skip() { c.at = c.g.End(c.all, c.at) }

func (c *compiler) question() {
	number := len(c.questions)
	c.questions = append(c.questions, question{})
	q := question{}
	switch c.known {
	case 1:
		q.at = ^int32(taken)
		c.tree()
		q.middle = int32(len(c.questions))
		c.skip()
	case -1:
		q.at = ^int32(other)
		c.skip()
		q.middle = int32(len(c.questions))
		c.tree()
	default:
		q.at = int32(len(c.code))
		q.middle = c.ask()
	}
	q.end = int32(len(c.questions))
	c.questions[number] = q
}

// ask compiles a question whose answer is not known, and both its branches. It returns the number
// of the first question after the first branch.
func (c *compiler) ask() (middle int32) {
	at := int32(len(c.code))
	c.flush(ask)
	c.known = 1
	c.tree()
	middle = int32(len(c.questions))
	c.meet()
	base := c.base
	c.base = len(c.loose) // the ends of the first path stay loose
	c.loose = append(c.loose, ^at)
	c.known = -1
	c.tree()
	c.meet()
	c.base, c.known = base, 0
	return middle
}

// meet ends a path: what follows is also reached by other paths, which have other turns pending.
func (c *compiler) meet() {
	if c.pending.count > 0 {
		c.flush(turned)
	}
}

// run plays a whole life. It holds the hot loop of the package.
//
// An ant that comes back to a former state, with nothing eaten in between, repeats itself for ever
// (Brent, 1980: the present state is compared with one kept at passes 1, 2, 4, ...). The rest of
// its log is then filled by copying.
func (p *program) run(w *world) {
	code := p.code
	w.asked = append(w.asked[:0], make([]way, len(code))...)
	asked := w.asked
	at, heading, eaten, time := 0, 0, 0, 0
	kept, keptTime, passes, renew := -1, 0, 0, 1
	for pc := int32(0); ; {
		in, here := &code[pc], pc
		pc = in.next
		if in.kind == pass {
			if state := eaten<<16 | at<<2 | heading; state == kept {
				w.log.circle(time, time-keptTime)
				break
			} else if passes++; passes == renew {
				kept, keptTime, renew = state, time, 2*renew
			}
			continue
		}
		w.log.put(time, in.actions)
		if time += int(in.count); time >= actions {
			break
		}
		heading = (heading + int(in.turn)) & 3
		if in.kind == turned {
			continue
		}
		ahead := int(neighbours[at&(cells-1)][heading])
		row, bit := &w.food[uint(ahead)/side%side], uint32(1)<<(ahead&(side-1))
		if in.kind == ask {
			if *row&bit == 0 {
				pc = in.other
				asked[here] |= other
			} else {
				asked[here] |= taken
			}
			continue
		}
		at = ahead
		if *row&bit != 0 {
			*row &^= bit
			if eaten++; eaten == pieces {
				w.time, w.eaten = time, eaten
				return
			}
		}
	}
	w.log[words-1] &= lastWord
	w.time, w.eaten = actions, eaten
}

// remember keeps the ways of a life, so that genomes that differ only in branches never taken need
// not be played.
func (p *program) remember(asked []way) {
	if p.ways.Load() != nil {
		return
	}
	ways := appendWays(make([]way, 0, len(p.questions)), p.questions, 0, len(p.questions), asked)
	p.ways.Store(&ways)
}

// appendWays appends the ways of the questions from..to-1 that the ant came to.
func appendWays(ways []way, questions []question, from, to int, asked []way) []way {
	for i := from; i < to; {
		q := &questions[i]
		w := way(^q.at)
		if q.at >= 0 {
			w = asked[q.at]
		}
		ways = append(ways, w)
		if w&taken != 0 {
			ways = appendWays(ways, questions, i+1, int(q.middle), asked)
		}
		if w&other != 0 {
			ways = appendWays(ways, questions, int(q.middle), int(q.end), asked)
		}
		i = int(q.end)
	}
	return ways
}

// unused searches a tree for the branch, never taken, that holds a node.
type unused struct {
	g          *gp.Grammar
	tree       gp.Tree
	ways       []way // of the questions still to come
	node       int
	start, end int // the branch, once it is found
}

// look reads the subtree at i, to which the ant came, up to the node. It returns the index after
// it, which is beyond the node once the search is over.
func (u *unused) look(i int) int {
	op := u.tree[i].Op
	i++
	switch {
	case i > u.node || op <= opMove:
		return i
	case op == opIfFoodAhead:
		w := u.ways[0]
		u.ways = u.ways[1:]
		i = u.branch(i, w&taken != 0)
		if i > u.node {
			return i
		}
		return u.branch(i, w&other != 0)
	}
	for n := int(op-opProgn2) + 2; n > 0 && i <= u.node; n-- {
		i = u.look(i)
	}
	return i
}

func (u *unused) branch(i int, was bool) int {
	if was {
		return u.look(i)
	}
	end := u.g.End(u.tree, i)
	if end > u.node {
		u.start, u.end = i, end
	}
	return end
}

// playsAs tells whether a tree differs from old, of which this is the program, only in one branch
// that was never taken. False means that it is not known whether both play alike.
func (p *program) playsAs(g *gp.Grammar, old, tree gp.Tree) bool {
	ways := p.ways.Load()
	if ways == nil {
		return false
	}
	same := 0
	for same < len(old) && same < len(tree) && old[same] == tree[same] {
		same++
	}
	if same == len(old) {
		return true
	}
	u := unused{g: g, tree: old, ways: *ways, node: same}
	u.look(0)
	return u.end > 0 && slices.Equal(old[u.end:], tree[g.End(tree, u.start):])
}
