package darwin

// Verb is what a creature does with its turn.
type Verb uint8

// The verbs. The zero value is no verb: a mind that returns it has ended.
const (
	End Verb = iota // the program has ended: the creature stays in the world and never acts again
	Forward
	Backward
	TurnLeft
	TurnRight
	Attack
	Observe
	Delay
	Emit
	numVerbs
)

// Costs of actions, in virtual nanoseconds (handbook, section 5).
const (
	ForwardCost  = 400_000
	BackwardCost = 700_000
	TurnCost     = 600_000
	AttackCost   = 800_000
	ObserveCost  = 200_000
	DelayCost    = 100_000
	EmitCost     = 200_000
	MudCost      = 500_000 // on top, where the creature stands in mud before the action
	FogCost      = 200_000 // on top, see Rules.FogBoth
	DecisionCost = 100     // the least that any turn costs for deciding
)

// costs are the costs by verb.
var costs = [numVerbs]int64{0, ForwardCost, BackwardCost, TurnCost, TurnCost, AttackCost,
	ObserveCost, DelayCost, EmitCost}

// String returns the verb's letter in the records of the original.
func (v Verb) String() string {
	if v >= numVerbs {
		return "?"
	}
	return [...]string{"end", "F", "B", "L", "R", "A", "O", "D", "P"}[v]
}

// Action is a verb, and for Emit the text that is left on the square.
type Action uint64

// Act returns the action of a verb.
func Act(v Verb) Action { return Action(v) }

// EmitText returns the action that leaves a text on the square. A text has at most four bytes (the
// original's may be of any length); the rest is dropped.
func EmitText(text string) Action {
	a := Action(Emit)
	for i := range min(len(text), 4) {
		a |= Action(text[i]) << (32 + 8*i)
	}
	return a
}

// Verb returns the action's verb.
func (a Action) Verb() Verb { return Verb(a & 0xff) }

// Text returns what Emit leaves.
func (a Action) Text() string { return scentText(uint32(a >> 32)) }

// scentText unpacks a text.
func scentText(s uint32) string {
	b := [4]byte{byte(s), byte(s >> 8), byte(s >> 16), byte(s >> 24)}
	n := 4
	for n > 0 && b[n-1] == 0 {
		n--
	}
	return string(b[:n])
}

// maxEffort is the greatest effort that a decision can record: 24 bits.
const maxEffort = 1<<24 - 1

// decision is an action with the effort it took, as records hold it: verb in the low byte, effort
// in the next three, text in the upper half.
func (a Action) decision(effort int64) uint64 {
	return uint64(a)&^uint64(maxEffort<<8) | uint64(min(effort, maxEffort))<<8
}

// undecide is the inverse of decision.
func undecide(d uint64) (Action, int64) {
	return Action(d &^ (maxEffort << 8)), int64(d >> 8 & maxEffort)
}
