package amoebas

// Command is what an amoeba does.
type Command uint8

// The commands.
const (
	Rest Command = iota
	Move
	Hit
	Divide
)

// Data is the number that an amoeba remembers, in -MaxData-1..MaxData. Every amoeba that sees it
// can read it; what it means is up to the species. An amoeba starts with 0 unless its parent gives
// it another number.
type Data int32

// MaxData is the greatest number that an amoeba can remember.
const (
	dataBits = 29
	MaxData  = 1<<(dataBits-1) - 1
)

// Action is the decision of a Function. The zero value rests and forgets.
//
// An action is valid if its command and direction exist and its data are in range. A valid one sets
// the amoeba's data, also when the amoeba cannot do what it says and rests instead; an invalid one
// rests and changes no data.
//
// It has four fields and four words at most, so that the compiler keeps it in registers. With a
// fifth field it went through memory wherever it was handed on, and a game of slightlybrainy took a
// seventh longer.
type Action struct {
	Command   Command
	Direction Direction // of Move, Hit and Divide
	Data      Data      // what the amoeba remembers from now on
	Heritage            // of Divide
}

// Heritage is what a child gets from its parent.
type Heritage struct {
	ChildData Data     // what it remembers
	Child     Function // what it decides by; nil means the parent's function
}

// valid tells whether the rules understand the action.
func (a Action) valid() bool {
	return a.Command <= Divide && (a.Command == Rest || a.Direction <= W) && a.Data.valid() &&
		(a.Command != Divide || a.ChildData.valid())
}

func (d Data) valid() bool { return d >= -MaxData-1 && d <= MaxData }

// invalid is the action of a function that failed.
var invalid = Action{Command: 0xff}

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
func (a Action) encode() uint64 {
	switch {
	case !a.valid():
		return invalidBit
	case a.Command == Rest:
		return uint64(a.Data) & dataMask << dataAt
	}
	n := uint64(a.Command) | uint64(a.Direction)<<directionAt | uint64(a.Data)&dataMask<<dataAt
	if a.Command == Divide {
		n |= uint64(a.ChildData) & dataMask << childAt
	}
	return n
}

// decode is the inverse of encode. The child's function is not recorded: a Recording decides for
// the whole species.
func decode(n uint64) Action {
	if n&invalidBit != 0 {
		return invalid
	}
	signed := func(at int) Data { return Data(int64(n<<(64-at-dataBits)) >> (64 - dataBits)) }
	return Action{Command: Command(n & 3), Direction: Direction(n >> directionAt & 7),
		Data: signed(dataAt), Heritage: Heritage{ChildData: signed(childAt)}}
}
