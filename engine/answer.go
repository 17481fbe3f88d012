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
			var wrong *json.UnmarshalTypeError
			if errors.As(err, &wrong) {
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
	return 0, errors.New(suggest.Unknown("action", name[:min(len(name), most)], names))
}
