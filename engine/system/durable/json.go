package durable

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// WriteJSON writes a value as indented JSON, as WriteFile does.
func WriteJSON(path string, v any, perm fs.FileMode) error {
	content, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(path, append(content, '\n'), perm)
}

// ReadJSON reads a file of JSON into a value. It reports whether there is one that can be read; an
// error beside that is of its content.
func ReadJSON(path string, v any) (read bool, err error) {
	content, err := ReadFile(path, MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err = json.Unmarshal(content, v); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return true, err
}
