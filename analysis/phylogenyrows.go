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

// jsonColumns are the columns that are read of JSON; the last one is left out where no row has it.
var jsonColumns = [...]string{"id", "ancestor_list", "origin_time", "destruction_time",
	"ancestor_id"}

// noNumbers finds what Python's json writes, which is no JSON.
var noNumbers = regexp.MustCompile(`([:,\[]\s*)(?:NaN|Infinity)\b`)

// readJSON reads the rows of JSON; on an error it says in which line.
func readJSON(text string) (next rowReader, line int, err error) {
	text = noNumbers.ReplaceAllString(text, "${1}null")
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
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
	r.add(1, jsonColumns[:]...)
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
		var taxon map[string]any
		if err = d.Decode(&taxon); err != nil {
			break
		}
		fields := make([]string, len(jsonColumns))
		for i, name := range jsonColumns {
			v, ok := taxon[name]
			if !ok && i < 2 {
				return false, errors.New("id and ancestor_list are needed")
			}
			fields[i] = jsonText(v)
			also = also || ok && name == "ancestor_id"
		}
		r.add(line, fields...)
	}
	if err == nil {
		_, err = d.Token()
	}
	return also, err
}

// jsonText returns a value as CSV has it.
func jsonText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = jsonText(v[i])
		}
		return "[" + strings.Join(words, ",") + "]"
	default:
		return fmt.Sprint(v)
	}
}
