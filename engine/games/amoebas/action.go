package amoebas

// command is what an amoeba does.
type command uint8

// The commands.
const (
	doRest command = iota
	doMove
	doHit
	doDivide
)

// datum is the number that an amoeba remembers, in -maxData-1..maxData. Every amoeba that sees it
// can read it; what it means is up to the species. An amoeba starts with 0 unless its parent gives
// it another number.
type datum int32

// maxData is the greatest number that an amoeba can remember.
const (
	dataBits = 29
	maxData  = 1<<(dataBits-1) - 1
)

// action is what a decider decides. The zero value rests and forgets.
//
// An action is valid if its command and direction exist and its data are in range. A valid one sets
// the amoeba's data, also when the amoeba cannot do what it says and rests instead; an invalid one
// rests and changes no data.
//
// It has four fields and four words at most, so that the compiler keeps it in registers. With a
// fifth field it went through memory wherever it was handed on, and a game of slightlybrainy took a
// seventh longer.
type action struct {
	Command   command
	Direction direction // unless it rests
	Data      datum     // what the amoeba remembers from now on
	heritage            // of one that divides
}

// heritage is what a child gets from its parent.
type heritage struct {
	ChildData datum   // what it remembers
	Child     decider // what it decides by; nil means the parent's function
}

// valid tells whether the rules understand the action.
func (a action) valid() bool {
	return a.Command <= doDivide && (a.Command == doRest || a.Direction <= west) && a.Data.valid() &&
		(a.Command != doDivide || a.ChildData.valid())
}

func (d datum) valid() bool { return d >= -maxData-1 && d <= maxData }

// invalid is the action of a function that failed.
var invalid = action{Command: 0xff}

// A recorded decision holds, from the lowest bit: the command in two bits, the direction in three,
// one bit for an invalid action, and the two data in 29 bits each.
const (
	directionAt = 2
	invalidBit  = 1 << 5
	dataAt      = 6
	childAt     = dataAt + dataBits
	dataMask    = 1<<dataBits - 1
)

// encode returns the number that is recorded for the action. Fields that the rules do not read are
// left out.
func (a action) encode() uint64 {
	switch {
	case !a.valid():
		return invalidBit
	case a.Command == doRest:
		return uint64(a.Data) & dataMask << dataAt
	}
	n := uint64(a.Command) | uint64(a.Direction)<<directionAt | uint64(a.Data)&dataMask<<dataAt
	if a.Command == doDivide {
		n |= uint64(a.ChildData) & dataMask << childAt
	}
	return n
}

// decode is the inverse of encode. The child's function is not recorded: a Recording decides for
// the whole species.
func decode(n uint64) action {
	if n&invalidBit != 0 {
		return invalid
	}
	signed := func(at int) datum { return datum(int64(n<<(64-at-dataBits)) >> (64 - dataBits)) }
	return action{Command: command(n & 3), Direction: direction(n >> directionAt & 7),
		Data: signed(dataAt), heritage: heritage{ChildData: signed(childAt)}}
}
