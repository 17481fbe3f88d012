package life

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// parseReply reads an external player's reply, a JSON array of pairs of integers, and returns the
// cells, y before x. One faulty entry makes the whole reply an error, even after the entries that
// count; the original placed the entries before it, or never went on. Coordinates beyond the range of int32
// become its ends, which lie off every board.
func parseReply(text []byte) ([]cell, error) {
	var pairs [][]json.RawMessage
	if err := json.Unmarshal(text, &pairs); err != nil {
		return nil, errors.New(`"action" is neither "pass" nor an array of [row, column]`)
	}
	var cells []cell
	for _, pair := range pairs {
		if len(pair) != 2 {
			return nil, fmt.Errorf("an entry of \"action\" has %d numbers, not 2", len(pair))
		}
		var at [2]int32
		for i, number := range pair {
			v, err := strconv.ParseInt(string(number), 10, 32)
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return nil, fmt.Errorf("\"action\" has %.60s where a whole number must stand", number)
			}
			at[i] = int32(v)
		}
		cells = append(cells, cell{at[0], at[1]})
	}
	return cells, nil
}
