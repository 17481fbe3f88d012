package multiplexer

// rule is what an operator does: where the stack's top value a is true the result is b, else c. A
// leaf's b and c are its input. So all operators are the same instructions, a stays in processor
// registers, and a kernel's only branch is its loop. The kernels know the layout.
type rule struct {
	b, c operand
	grow int64 // of the stack, in bytes
	_    [3]int64
}

// operand is the table at the byte top&mask + offset, where top is the byte of the stack's top
// value.
type operand struct{ mask, offset int64 }

const tableBytes = 8 * words

func fixed(table int) operand { return operand{0, tableBytes * int64(table)} }

func below(slots int64) operand { return operand{-1, -tableBytes * slots} }

// rules are those of the operators, by their place in the vocabulary.
var rules = makeRules()

func makeRules() (r [int(firstInput) + inputs]rule) {
	r[opAnd] = rule{b: below(1), c: fixed(never), grow: -tableBytes}
	r[opOr] = rule{b: fixed(always), c: below(1), grow: -tableBytes}
	r[opNot] = rule{b: fixed(never), c: fixed(always)}
	r[opIf] = rule{b: below(1), c: below(2), grow: -2 * tableBytes}
	for i := range inputs {
		r[int(firstInput)+i] = rule{b: fixed(i), c: fixed(i), grow: tableBytes}
	}
	return r
}
