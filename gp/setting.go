package gp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"clade/gp/input"
)

// Setting is a setting of its game that a species file records: one that its operators need, or
// under which it was bred.
type Setting struct {
	Key   string // as a study writes it, with dots
	Value any    // bool, int64, float64, string, or a list ([]any) of such without texts
	Line  int    // in the species file, from 1; 0 for a setting that was not read from one
}

// String returns the setting as a study writes it.
func (s Setting) String() string { return s.Key + " = " + valueText(s.Value) }

// valueText returns a value as TOML has it, and as one token.
func valueText(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0" // else it would be read as a whole number
		}
		return text
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = valueText(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return fmt.Sprint(v)
}

const settingPrefix = "\n  (setting "

// print writes the setting as one expression of a species file.
func (s Setting) print(b *strings.Builder) {
	b.WriteString(settingPrefix + s.Key + " " + valueText(s.Value) + ")")
}

// WithoutSettings returns the text of a species, as PrintSpecies prints it, without its settings,
// as versions that recorded none printed it.
func WithoutSettings(text []byte) []byte {
	var kept []byte
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, settingPrefix[1:]) {
			kept = append(kept, line...)
		}
	}
	return kept
}

// readSetting reads the key and the value of a setting. It returns an error for a key that was read
// before.
func readSetting(r *reader, before []Setting) (Setting, error) {
	key := r.next()
	if key.quoted || !isKey(key.text) {
		return Setting{}, key.errorf("a key of the game's settings is needed here, such as "+
			"world-size, not %s", key)
	}
	if slices.ContainsFunc(before, func(s Setting) bool { return s.Key == key.text }) {
		return Setting{}, key.errorf("setting %q stands twice", key.text)
	}
	tok := r.next()
	value, ok := any(tok.text), tok.quoted
	if !ok {
		value, ok = parseValue(tok.text)
	}
	if !ok {
		return Setting{}, tok.errorf("setting %q needs true, false, a number, a list without "+
			"blanks such as [3,4], or a text in double quotes, not %s", key.text, tok)
	}
	return Setting{key.text, value, key.line}, nil
}

// isKey tells whether a text is the key of a setting: words with dots between them.
func isKey(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	for part := range strings.SplitSeq(text, ".") {
		if part == "" || strings.Trim(part, letters) != "" {
			return false
		}
	}
	return true
}

// parseValue reads what valueText wrote, for values other than texts.
func parseValue(text string) (value any, ok bool) {
	if inner, is := strings.CutPrefix(text, "["); is {
		list := []any{}
		inner, ok = strings.CutSuffix(inner, "]")
		for item := range strings.SplitSeq(inner, ",") {
			if inner == "" || !ok {
				break
			}
			value, ok = parseValue(item)
			list = append(list, value)
		}
		return list, ok && !strings.Contains(inner, "[")
	}
	if text == "true" || text == "false" {
		return text == "true", true
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// Header is the part of a species file that can be read without its game's vocabulary.
type Header struct {
	Game     string
	Version  int
	Settings []Setting
	Slots    []string // for which it has trees
}

// ParseHeader reads what decides the vocabulary of a species file. It skips trees without reading
// them.
func ParseHeader(text string) (*Header, error) {
	text, err := input.SkipMark(text)
	if err != nil {
		return nil, err
	}
	r := newReader(text)
	s := &Species{}
	if _, err := r.readSpeciesHead(s); err != nil {
		return nil, err
	}
	h := &Header{Game: s.Game, Version: s.Version}
	for tok := r.next(); tok.text == "(" && !tok.quoted; tok = r.next() {
		switch part := r.next(); part.text {
		case "setting":
			setting, err := readSetting(r, h.Settings)
			if err != nil {
				return nil, err
			}
			h.Settings = append(h.Settings, setting)
			if err := r.expect(")"); err != nil {
				return nil, err
			}
		case "slot", "origin":
			tok := r.next()
			if part.text == "slot" {
				h.Slots = append(h.Slots, tok.text)
			}
			r.skip()
		default:
			return nil, part.errorf("%s", input.Unknown("part of a species", part.text, parts[:]))
		}
	}
	return h, nil
}

// skip reads up to the closing bracket of the present expression.
func (r *reader) skip() {
	for open := 1; open > 0; {
		switch tok := r.next(); {
		case tok.text == "" && !tok.quoted:
			return
		case tok.quoted:
		case tok.text == "(":
			open++
		case tok.text == ")":
			open--
		}
	}
}
