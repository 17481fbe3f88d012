package multiplexer

import "clade/gp"

// program is a tree. It is run from its end to its beginning, so that the arguments of a node come
// before it, the first one last, and are on top of a stack. It is not compiled, because it runs
// only once: a compiler that folded constants and shared equal subtrees removed three nodes of
// five, and took longer than running all.
type program struct{ tree gp.Tree }

// The numbers of the tables after those of the inputs. The stack follows.
const (
	always = inputs + iota // true in every case
	never
	firstSlot
)

// registers is scratch memory of one running game: the tables of the inputs, of the two constants,
// and of the stack.
type registers struct {
	tables []table
	held   []int32 // for plain Go, by place in the stack: the table that holds the value
}

// newRegisters returns room for trees of a number of nodes.
func newRegisters(nodes int) *registers {
	r := &registers{tables: make([]table, firstSlot+nodes), held: make([]int32, nodes)}
	copy(r.tables, inputTables[:])
	for i := range r.tables[always] {
		r.tables[always][i] = ^uint64(0)
	}
	return r
}

// run computes the answers, which stay until the registers are used again.
func (p *program) run(r *registers, kernel func(t gp.Tree, r *registers) *table) *table {
	if len(r.held) < len(p.tree) {
		*r = *newRegisters(2 * len(p.tree))
	}
	return kernel(p.tree, r)
}

// runPlain runs a program without vectors. A leaf copies no table.
func runPlain(t gp.Tree, r *registers) *table {
	height := 0
	for i := len(t) - 1; i >= 0; i-- {
		op := t[i].Op
		if op >= firstInput {
			r.held[height] = int32(op - firstInput)
			height++
			continue
		}
		first := &r.tables[r.held[height-1]]
		if op == opNot {
			d := &r.tables[firstSlot+height-1]
			for k := range d {
				d[k] = ^first[k]
			}
			r.held[height-1] = int32(firstSlot + height - 1)
			continue
		}
		second := &r.tables[r.held[height-2]]
		if op == opIf {
			height--
		}
		height--
		at := height - 1
		third := &r.tables[r.held[at]]
		d := &r.tables[firstSlot+at]
		switch op {
		case opAnd:
			for k := range d {
				d[k] = first[k] & second[k]
			}
		case opOr:
			for k := range d {
				d[k] = first[k] | second[k]
			}
		default:
			for k := range d {
				d[k] = third[k] ^ first[k]&(second[k]^third[k])
			}
		}
		r.held[at] = int32(firstSlot + at)
	}
	return &r.tables[r.held[0]]
}
