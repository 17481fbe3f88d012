package gp

// Function computes an operator of form Call from its arguments; unused ones are 0. A Bool argument
// is 1 for true and 0 for false, and a Bool result is true unless it is 0. It must be pure and
// total: equal results for equal arguments on any machine, NaNs and infinities included. It is also
// called in branches that are not taken, and from several goroutines at once.
type Function func(args [MaxFunctionArgs]float32) float32

// MaxFunctionArgs is the greatest number of arguments of a Function.
const MaxFunctionArgs = 3

// CallOperator returns an operator whose Function a game or a user provides. Arguments and result
// are of any type but Area. The cost, 1 to 100 in units of an addition, decides which branches are
// worth skipping. Code.Eval runs such operators; a Batch and a Solo do not, so a game with kernels
// plays without the kernels where its grammar has one. Exported programs need the operator in the
// game's runtime.
func CallOperator(name string, cost int, f Function, result Type, args ...Type) Operator {
	return Operator{Name: name, Form: Call, Result: result, Args: args, Function: f, Cost: cost}
}

// call computes an instruction of form Call in the lanes from first to before last. A truth
// register's first bit is that of the first lane.
func (c *Code) call(in *instruction, f *Frame, first, last int) {
	op := &c.grammar.Operators[in.op-numOpcodes]
	from, truths := [MaxFunctionArgs]uint16{in.a, in.b, in.c}, uint8(0)
	for lane := first; lane < last; lane++ {
		var args [MaxFunctionArgs]float32
		for i, t := range op.Args {
			if r := from[i]; t == Bool {
				args[i] = float32(f.truths[r] >> (lane - first) & 1)
			} else {
				args[i] = f.registers[r][lane]
			}
		}
		if v := op.Function(args); op.Result == Bool {
			truths |= bit(v != 0) << (lane - first)
		} else {
			f.registers[in.dst][lane] = v
		}
	}
	if op.Result == Bool {
		f.truths[in.dst] = truths
	}
}

// call computes the Function of an operator from the arguments that come next.
func (w *walker) call(op *Operator) float32 {
	var args [MaxFunctionArgs]float32
	for i, t := range op.Args {
		if t == Bool {
			args[i] = float32(bit(w.bool()))
		} else {
			args[i] = w.float()
		}
	}
	return op.Function(args)
}
