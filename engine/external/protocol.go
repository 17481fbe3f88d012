package external

import (
	"encoding/json"
	"time"

	"clade/engine"
)

// protocol is the protocol's version. It rises when a program written for an older one could fail.
const protocol = 1

// Limits of the protocol.
const (
	maxReply     = 1 << 20          // bytes of an answer
	turnSeconds  = 1.0              // for an answer, where nobody says anything else
	startTime    = 10 * time.Second // more in a game, for the first answers of a persistent process
	mostForfeits = 10               // in a row; then a program is not asked any more
)

// gameMessage is the first line that a program reads.
type gameMessage struct {
	Type     string `json:"type"`     // "game"
	Protocol int    `json:"protocol"` // the constant
	Game     string `json:"game"`     // its name
	Rules    int    `json:"rules"`    // version of the game's rules
	Seat     int    `json:"seat"`     // the program's, from 0
	Seats    int    `json:"seats"`    // of the game
	Seed     uint64 `json:"seed"`     // for the program's own random numbers, below 2^53
	Facts    any    `json:"facts"`    // what every seat knows, see the game
}

// turnMessage asks for an answer.
type turnMessage struct {
	Type string `json:"type"` // "turn"
	Turn int    `json:"turn"` // questions asked before this one in this game
	// left for the answer; 0 for WebAssembly, which has no clock
	Seconds     float64  `json:"seconds"`
	Observation any      `json:"observation"`
	Actions     []string `json:"actions"` // names of actions that can be taken
	Whole       bool     `json:"whole"`   // these are all; else the game's page tells which others
}

// endMessage is the last line that a program reads.
type endMessage struct {
	Type   string    `json:"type"`   // "end"
	Scores []float64 `json:"scores"` // by seat
	Winner int       `json:"winner"` // seat, -1 for a tie
}

// line encodes a message. All that a game shows encodes, which the conformance suite holds.
func line(message any) []byte {
	text, err := json.Marshal(message)
	if err != nil {
		panic("external: " + err.Error())
	}
	return append(text, '\n')
}

func opening(o engine.Opening) []byte {
	return line(gameMessage{"game", protocol, o.Info.Name, o.Info.Version, o.Seat, o.Seats, o.Seed,
		o.Facts})
}

func question(d engine.Decision, turn int, seconds float64) []byte {
	actions, whole := d.Actions()
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = a.Name
	}
	return line(turnMessage{"turn", turn, seconds, d.Observation(), names, whole})
}

func farewell(r *engine.Result, seats int) []byte {
	return line(endMessage{"end", r.Scores[:seats], r.Winner()})
}
