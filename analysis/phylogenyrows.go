package analysis

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// csvRows reads CSV as encoding/csv does, but takes quotes as they stand in a field that is not
// wholly in quotes: several programs write the standard's ["NONE"] so.
type csvRows struct {
	text string // what is still to be read
	line int
}

var errOpenQuote = errors.New("a field begins with a double quote, and no quote ends it: end it, " +
	"or leave the quote out")

func (r *csvRows) next() (fields []string, line int, err error) {
	for r.text != "" { // blank lines are passed over
		blank, rest, _ := strings.Cut(r.text, "\n")
		if strings.TrimSpace(blank) != "" {
			break
		}
		r.text = rest
		r.line++
	}
	line = r.line
	if r.text == "" {
		return nil, line, io.EOF
	}
	for {
		field, more, err := r.field()
		if err != nil {
			return nil, line, err
		}
		if fields = append(fields, field); !more {
			return fields, line, nil
		}
	}
}

// quotedField is a field that begins with a quote: what stands in the quotes, and the end, which it
// has only if it is wholly in quotes.
var quotedField = regexp.MustCompile(`^[ \t]*"((?:[^"]|"")*)("[ \t\r]*(?:[,\n]|$))?`)

// field reads a field with the comma or the line's end behind it, and tells whether the row goes
// on.
func (r *csvRows) field() (field string, more bool, err error) {
	m := quotedField.FindStringSubmatchIndex(r.text)
	if m != nil && m[1] == len(r.text) && m[4] < 0 {
		return "", false, errOpenQuote
	}
	if m == nil || m[4] < 0 {
		field, more = r.cut(r.text)
		return field, more, nil
	}
	field = r.text[m[2]:m[3]]
	r.line += strings.Count(field, "\n")
	_, more = r.cut(r.text[m[4]:])
	return strings.ReplaceAll(field, `""`, `"`), more, nil
}

// cut takes off the text up to a comma or the line's end, and that.
func (r *csvRows) cut(text string) (field string, more bool) {
	end := strings.IndexAny(text, ",\n")
	if end < 0 {
		r.text = ""
		return text, false
	}
	r.text = text[end+1:]
	if text[end] == ',' {
		return text[:end], true
	}
	r.line++
	return strings.TrimSuffix(text[:end], "\r"), false
}

// jsonRows are the rows of JSON, in an object as in the standard's example, or in an array.
type jsonRows struct {
	rows [][]string // the header first
	line []int
}

func (r *jsonRows) next() (fields []string, line int, err error) {
	if len(r.rows) == 0 {
		return nil, 0, io.EOF
	}
	fields, line = r.rows[0], r.line[0]
	r.rows, r.line = r.rows[1:], r.line[1:]
	return fields, line, nil
}

func (r *jsonRows) add(line int, fields ...string) {
	r.rows, r.line = append(r.rows, fields), append(r.line, line)
}

// jsonTaxon is a row of JSON. Values are texts, numbers, null or, of ancestor_list, arrays of them.
type jsonTaxon struct {
	ID          json.RawMessage `json:"id"`
	Ancestors   json.RawMessage `json:"ancestor_list"`
	Origin      json.RawMessage `json:"origin_time"`
	Destruction json.RawMessage `json:"destruction_time"`
	Ancestor    json.RawMessage `json:"ancestor_id"`
}

// noNumbers finds what Python's json writes, which is no JSON.
var noNumbers = regexp.MustCompile(`([:,\[]\s*)(?:NaN|Infinity)\b`)

// readJSON reads the rows of JSON; on an error it says in which line.
func readJSON(text string) (next rowReader, line int, err error) {
	text = noNumbers.ReplaceAllString(text, "${1}null")
	d := json.NewDecoder(strings.NewReader(text))
	at, line := 0, 1
	here := func() int { // the line of what comes next
		for ; at < len(text) && (at < int(d.InputOffset()) ||
			strings.IndexByte(" \t\r\n,:", text[at]) >= 0); at++ {
			if text[at] == '\n' {
				line++
			}
		}
		return line
	}
	r := &jsonRows{}
	r.add(1, "id", "ancestor_list", "origin_time", "destruction_time", "ancestor_id")
	also, err := r.read(d, here)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		err = fmt.Errorf("a %s is no taxon", wrong.Value)
	}
	if _, more := d.Token(); err == nil && more != io.EOF {
		err = errors.New("more stands behind the end")
	}
	if err != nil {
		return nil, here(), fmt.Errorf(`the JSON is not understood: %w; it is an array of `+
			`objects such as {"id": 3, "ancestor_list": [1]}, or an object of such`, err)
	}
	if !also {
		for i, row := range r.rows {
			r.rows[i] = row[:len(row)-1]
		}
	}
	return r.next, 0, nil
}

// read reads an object or an array of taxa, and tells whether one has an ancestor_id. The function
// tells the line.
func (r *jsonRows) read(d *json.Decoder, here func() int) (also bool, err error) {
	open, err := d.Token()
	for err == nil && d.More() {
		if open == json.Delim('{') {
			if _, err = d.Token(); err != nil {
				break
			}
		}
		line := here()
		var t jsonTaxon
		if err = d.Decode(&t); err != nil {
			break
		}
		var fields []string
		if fields, err = t.fields(); err != nil {
			break
		}
		r.add(line, fields...)
		also = also || t.Ancestor != nil
	}
	if err == nil {
		_, err = d.Token()
	}
	return also, err
}

// fields returns the row as CSV has it.
func (t *jsonTaxon) fields() (fields []string, err error) {
	if t.ID == nil || t.Ancestors == nil {
		return nil, errors.New("id and ancestor_list are needed")
	}
	for _, v := range []json.RawMessage{t.ID, t.Ancestors, t.Origin, t.Destruction, t.Ancestor} {
		var list []json.RawMessage
		text := jsonText(v)
		if json.Unmarshal(v, &list) == nil && list != nil {
			words := make([]string, len(list))
			for i := range list {
				words[i] = jsonText(list[i])
			}
			text = "[" + strings.Join(words, ",") + "]"
		}
		fields = append(fields, text)
	}
	return fields, nil
}

// jsonText returns a text without its quotes, and other values as they are written.
func jsonText(v json.RawMessage) string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return text // "" for null
	}
	return string(v)
}
