package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"clade/gp/bom"
	"clade/gp/suggest"
)

// Answer writes the answer that does a listed action.
func Answer(action string) []byte {
	text, err := json.Marshal(map[string]string{"action": action})
	if err != nil {
		panic("engine: " + err.Error()) // a string always encodes
	}
	return text
}

// ReadAnswer reads an answer, one JSON object, into the fields of a struct that have JSON names, of
// which "action" must be given. Keys of no field are the player's own affair. Errors say in words
// what is wrong with the text.
func ReadAnswer(answer []byte, into any) error {
	text, err := bom.Skip(answer)
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
		return errors.New("more stands behind the answer")
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
			var wrong *json.UnmarshalTypeError
			if errors.As(err, &wrong) {
				return fmt.Errorf("the answer's %q is a %s", name, wrong.Value)
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
	const most = 60 // bytes of a name that are told
	return 0, errors.New(suggest.Unknown("action", name[:min(len(name), most)], names))
}
