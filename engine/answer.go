package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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

// ReadAnswer reads an answer, one JSON object, into a struct with JSON names for its fields. Errors
// say in words what is wrong with the text.
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
	d.DisallowUnknownFields()
	if err = d.Decode(into); err != nil {
		var wrong *json.UnmarshalTypeError
		switch {
		case errors.As(err, &wrong) && wrong.Field != "":
			return fmt.Errorf("the answer's %q is a %s", wrong.Field, wrong.Value)
		case errors.Is(err, io.ErrUnexpectedEOF):
			return errors.New("the answer's JSON ends too early")
		}
		return fmt.Errorf("the answer is not understood: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more stands behind the answer")
	}
	return nil
}

// ReadAction reads an answer that is the name of one of the actions, and returns its place in the
// list.
func ReadAction(answer []byte, actions []Action) (int, error) {
	var a struct {
		Action *string `json:"action"`
	}
	if err := ReadAnswer(answer, &a); err != nil {
		return 0, err
	}
	if a.Action == nil {
		return 0, errors.New(`the answer has no "action"`)
	}
	return FindAction(*a.Action, actions)
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
