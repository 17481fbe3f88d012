package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"reflect"

	"clade/gp/input"
)

// Interactive is a game in which an external program or a person can take a seat, is shown data and
// answers with data. Its Play begins with
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
	// Seat returns a player, for one game, whose decisions the agent makes.
	Seat(Agent) Player
}

// External is a player of any Interactive game whose decisions are made outside of the game. It may
// play any number of games at once: each has its own agent.
type External struct {
	// Begin returns the agent that decides for a seat in one game.
	Begin func(Opening) Agent
}

// Opening is what an agent knows before its first decision.
type Opening struct {
	Info  Info
	Facts any    // what Interactive.Facts returned
	Seat  int    // the agent's, from 0
	Seats int    // of the game
	Seed  uint64 // below 2^53, for the agent's random numbers; it reveals nothing of the game's own
}

// Agent decides for one seat of one game. One goroutine at a time calls it.
type Agent interface {
	// Act makes one decision by calling its Take. If no answer has been taken when Act returns, the
	// game's rule for a faulty player applies.
	Act(Decision)
	// End is called once when the game is over, with its result, or with nil if the game did not
	// come to its end.
	End(*Result)
}

// Decision is one decision to be made for a seat. It is valid until Agent.Act returns. It may also
// be a Speaker, whose text is what the seat sees, and Tinted.
type Decision interface {
	// Observation returns exactly what the seat sees and what the game remembers for it, as a value
	// that encodes to a JSON object.
	Observation() any
	// Actions lists what the seat may do. whole is false where the list is incomplete, since there
	// are too many actions or not a finite number: the game's page then tells which other answers
	// it takes.
	Actions() (actions []Action, whole bool)
	// Take takes a JSON object as the answer. {"action":"NAME"} chooses a listed action; some games
	// read further fields. For any other answer it returns an error, a sentence for the player's
	// author, and can be called again. The last answer without an error counts.
	Take(answer []byte) error
}

// Viewed is a Decision that can be shown as a board.
type Viewed interface {
	// View returns what the seat, from 0, knows of the board, nil where only text shows it, and the
	// cell of the piece that decides, (-1, -1) where there is none.
	View(seat int) (Planned, image.Point)
}

// Action is an action that a seat may choose.
type Action struct {
	// Name is that of the answer. If its last word is a direction such as "n" or "nw", a click on
	// the neighbouring cell chooses it.
	Name string
	Key  string // that a person may press for it; "" for none; 8, 4, 6 and 2 are arrows, too
}

// Tinted is a Speaker with coloured letters, up to the first empty line of its text.
type Tinted interface {
	Speaker
	// Tint returns the entry of Palette for a letter, and 0 for none.
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

// PlayExternal plays one game of g in which external players take part: it calls play with the
// players of this game, an agent in each external player's seat, and then tells the agents how it
// ended.
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

// Answer returns the answer that chooses a listed action.
func Answer(action string) []byte {
	text, err := json.Marshal(map[string]string{"action": action})
	if err != nil {
		panic("engine: " + err.Error()) // a string always encodes
	}
	return text
}

// ReadAnswer decodes an answer, one JSON object, into a struct by the JSON names of its fields. The
// key "action" is required, and keys without a field are ignored: a player may add what it likes.
// Errors are sentences for the player's author.
func ReadAnswer(answer []byte, into any) error {
	text, err := input.SkipMark(answer)
	if err != nil {
		return err
	}
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return errors.New("the answer is empty")
	}
	if text[0] != '{' {
		return errors.New(`the answer is no JSON object, such as {"action":"…"}`)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	var given map[string]json.RawMessage
	if err := d.Decode(&given); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the answer's JSON ends too early")
		}
		return fmt.Errorf("the answer is not understood: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("text follows the answer")
	}
	fields := reflect.ValueOf(into).Elem()
	for i := range fields.NumField() { // the decoder would take "Action" for "action"
		name := fields.Type().Field(i).Tag.Get("json")
		value, ok := given[name]
		if name == "action" && (!ok || string(value) == "null") {
			return errors.New(`the answer has no "action"`)
		} else if !ok {
			continue
		}
		if err := json.Unmarshal(value, fields.Field(i).Addr().Interface()); err != nil {
			if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
				due := "whole number"
				if wrong.Type.Kind() == reflect.String {
					due = "string"
				}
				return fmt.Errorf("the answer's %q must be a %s, not a JSON %s", name, due, wrong.Value)
			}
			return fmt.Errorf("the answer's %q is not understood: %w", name, err)
		}
	}
	return nil
}

// ReadAction reads an answer that is the name of one of the actions, and returns its place in the
// list.
func ReadAction(answer []byte, actions []Action) (int, error) {
	var a struct {
		Action string `json:"action"`
	}
	if err := ReadAnswer(answer, &a); err != nil {
		return 0, err
	}
	return FindAction(a.Action, actions)
}

// FindAction returns the place of a name among actions. The error for another one names the
// nearest.
func FindAction(name string, actions []Action) (int, error) {
	names := make([]string, len(actions))
	for i, a := range actions {
		if names[i] = a.Name; a.Name == name {
			return i, nil
		}
	}
	const most = 60 // bytes of a name that the error quotes
	return 0, errors.New(input.Unknown("action", name[:min(len(name), most)], names))
}
