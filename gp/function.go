package gp

// Function is what an operator of form Call computes from its arguments, of which the unused are 0.
// A Bool is 1 where it holds, else 0, and a result of type Bool holds unless it is 0. It is pure
// and total: the same for the same arguments on any machine, for NaNs and infinities, too, and it
// is asked in branches that nobody takes. It is safe for concurrent use.
type Function func(args [MaxFunctionArgs]float32) float32

// MaxFunctionArgs is the greatest number of arguments of a Function.
const MaxFunctionArgs = 3

// CallOperator is an operator that a game or a user brings along. Arguments and result are of any
// type but Area. cost is 1 to 100, in additions: conditionals skip branches that cost more than
// they save. Code.Eval has such operators, and a Batch and a Solo do not: a game that has kernels
// plays without them, and exports refuse genomes that use one.
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

// call computes the Function of an operator whose arguments come next.
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
