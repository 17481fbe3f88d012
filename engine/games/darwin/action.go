package darwin

import (
	"encoding/binary"
	"strings"
)

// verb is what a creature does with its turn.
type verb uint8

// The verbs. After end, the creature stays in the world and never acts again.
const (
	end verb = iota
	forward
	backward
	turnLeft
	turnRight
	attack
	observe
	delay
	emit
	numVerbs
)

// Costs of actions, in virtual nanoseconds (handbook, section 5).
const (
	forwardCost  = 400_000
	backwardCost = 700_000
	turnCost     = 600_000
	attackCost   = 800_000
	observeCost  = 200_000
	delayCost    = 100_000
	emitCost     = 200_000
	mudCost      = 500_000 // on top, where the creature stands in mud before the action
	fogCost      = 200_000 // on top, see ruleSet.fogBoth
	decisionCost = 100     // the least cost of a decision
)

// costs holds the cost of each verb, in virtual nanoseconds.
var costs = [numVerbs]int64{0, forwardCost, backwardCost, turnCost, turnCost, attackCost,
	observeCost, delayCost, emitCost}

// action is a verb in the low byte, and for emit the text in the upper half.
type action uint64

// emitText returns the action that leaves a text on the square. Bytes after the fourth are dropped;
// a text of the original can have any length.
func emitText(text string) action {
	a := action(emit)
	for i := range min(len(text), 4) {
		a |= action(text[i]) << (32 + 8*i)
	}
	return a
}

// verb returns the action's verb.
func (a action) verb() verb { return verb(a & 0xff) }

// scentText unpacks a text.
func scentText(s uint32) string {
	return strings.TrimRight(string(binary.LittleEndian.AppendUint32(nil, s)), "\x00")
}

// maxEffort is the greatest effort that a decision can record: 24 bits.
const maxEffort = 1<<24 - 1

// decision returns what a record holds of an action: the verb in the low byte, the effort in the
// next three, the text in the upper half.
func (a action) decision(effort int64) uint64 {
	return uint64(a)&^uint64(maxEffort<<8) | uint64(min(effort, maxEffort))<<8
}

// undecide is the inverse of decision.
func undecide(d uint64) (action, int64) {
	return action(d &^ (maxEffort << 8)), int64(d >> 8 & maxEffort)
}
