package engine

import "image"

// Interactive is a game whose seats can be taken from outside of it, by a program or a person, who
// is shown data and answers with data. A game that offers it begins its Play with
//
//	if engine.AnyExternal(players) {
//		return engine.PlayExternal(g, players, seed, func(seated []engine.Player) engine.Result {
//			return g.Play(seated, seed, rec)
//		})
//	}
type Interactive interface {
	Game
	// Facts returns what every seat knows before a game begins, such as sizes and costs, as a value
	// that encodes to a JSON object.
	Facts() any
	// Seat returns a player, for one game, whose decisions an agent makes.
	Seat(Agent) Player
}

// External is a player of any Interactive game for whom somebody outside decides. It may play any
// number of games at once: each has an agent of its own.
type External struct {
	// Begin returns who decides for a seat of one game.
	Begin func(Opening) Agent
}

// Opening is what an agent knows before its first decision.
type Opening struct {
	Info  Info
	Facts any    // what Interactive.Facts returned
	Seat  int    // the agent's, from 0
	Seats int    // of the game
	Seed  uint64 // below 2^53: a source of random numbers that tells nothing of the game's own
}

// Agent decides for one seat of one game. It is asked by one goroutine at a time.
type Agent interface {
	// Act makes one decision: it has the decision take an answer. Where it returns without one that
	// was taken, the game's rule for a faulty player applies.
	Act(Decision)
	// End is called once when the game is over, with its result, or with nil if the game did not
	// come to its end.
	End(*Result)
}

// Decision is what a seat is asked, and takes the answer. It is valid until Agent.Act returns. A
// Decision may also be a Speaker, which prints what the seat sees to a terminal, and Tinted.
type Decision interface {
	// Observation returns what the seat sees and what the game remembers for it, and nothing else,
	// as a value that encodes to a JSON object.
	Observation() any
	// Actions returns what the seat may do. Where that is too much to list, or is not a list at
	// all, whole is false: the game's page then says which other answers it takes.
	Actions() (actions []Action, whole bool)
	// Take takes a JSON object as answer. {"action":"NAME"} does a listed action; some games take
	// further fields. It returns an error in words for any other answer, and then can be asked
	// again. The last answer that was taken counts.
	Take(answer []byte) error
}

// Viewed is a Decision that can be looked at.
type Viewed interface {
	// View returns what the seat, from 0, knows of the board, nil where only words tell it, and the
	// cell of who decides there, (-1, -1) where nobody stands on the board.
	View(seat int) (Planned, image.Point)
}

// Action is one thing that a seat may do.
type Action struct {
	// Name is as in an answer. With a last word such as "n" or "nw" it is done by a click on the
	// neighbouring cell there.
	Name string
	Key  string // that a person may press for it; "" for none; 8, 4, 6 and 2 are arrows, too
}

// Tinted is a Speaker some of whose letters have a colour, up to its first empty line.
type Tinted interface {
	Speaker
	// Tint returns the entry of Palette that a letter has; 0 stands for none.
	Tint(letter rune) uint8
}

// AnyExternal tells whether one of the players is external.
func AnyExternal(players []Player) bool {
	for _, p := range players {
		if _, ok := p.(*External); ok {
			return true
		}
	}
	return false
}

// PlayExternal plays one game of g in which external players take part: it hands play the players
// of this game, with an agent in each external player's seat, and tells the agents how it ended.
func PlayExternal(g Interactive, players []Player, seed uint64,
	play func(seated []Player) Result) (result Result) {
	seated := append([]Player(nil), players...)
	var agents []Agent
	var end *Result
	defer func() {
		for _, a := range agents {
			a.End(end)
		}
	}()
	facts := g.Facts()
	for i, p := range players {
		e, ok := p.(*External)
		if !ok {
			continue
		}
		a := e.Begin(Opening{Info: g.Info(), Facts: facts, Seat: i, Seats: len(players),
			Seed: uint64(Seed(seed).Name("external").Num(uint64(i))) >> 11})
		agents = append(agents, a)
		seated[i] = g.Seat(a)
	}
	result = play(seated)
	end = &result
	return result
}
