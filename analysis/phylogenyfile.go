package analysis

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"clade/gp/input"
)

// ReadPhylogeny reads the ALife data standard for phylogenies (Lalejini et al., 2019, "Data
// standards for artificial life software") as CSV or JSON: the columns id and ancestor_list,
// origin_time and destruction_time where they are known, and others, of which Numbers keeps those
// that hold numbers. Rows are in any order. Errors name the file by name, the line and the column.
//
//   - An id is a whole number of zero or more, and unique.
//   - An ancestor_list is [3], "[3,5]", or [none], [] or nothing for a founder.
//   - A time is a number; none, nan, NA, null or nothing stand for an unknown one. Who has such a
//     destruction_time, or inf, is alive at the end.
//   - An ancestor_id, which some programs write besides, says the same as the ancestor_list; that
//     of a founder is its own id or nothing.
//
// Words may be in quotes, within lists, too. Where a row has no origin_time, the phylogeny goes by
// depth (see Phylogeny.Untimed).
func ReadPhylogeny(r io.Reader, name string) (*Phylogeny, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("analysis: %s: %w", name, err)
	}
	text, err := input.SkipMark(string(content))
	if err != nil {
		return nil, fmt.Errorf("analysis: %s: %w", name, err)
	}
	start := strings.TrimSpace(text)
	if start == "" {
		return nil, fmt.Errorf("analysis: %s is empty; a phylogeny starts with a line that names "+
			"its columns", name)
	}
	rows, line := rowReader((&csvRows{text: text, line: 1}).next), 0
	if start[0] == '{' || start[0] == '[' {
		rows, line, err = readJSON(text)
	}
	var p *Phylogeny
	if err == nil {
		p, line, err = readRows(rows)
	}
	if err != nil {
		return nil, fmt.Errorf("analysis: %s:%d: %w", name, line, err)
	}
	return p, nil
}

// rowReader returns the fields of the next row, of which the first names the columns, and the line
// where it begins; io.EOF behind the last.
type rowReader func() (fields []string, line int, err error)

// readRows reads a phylogeny; on an error it says in which line.
func readRows(rows rowReader) (*Phylogeny, int, error) {
	header, line, err := rows()
	if err != nil {
		return nil, line, err
	}
	columns, err := phylogenyColumns(header)
	if err != nil {
		return nil, line, err
	}
	l := linker{index: map[int]int{}, also: columns.ancestor >= 0, numbers: columns.others(header)}
	for {
		fields, line, err := rows()
		if err == io.EOF {
			return l.link()
		}
		if err == nil && len(fields) != len(header) {
			err = fmt.Errorf("the row has %d fields and the header %d; write a field that has "+
				`commas in double quotes, such as "[3,5]"`, len(fields), len(header))
		}
		row := phylogenyRow{line: line}
		if err == nil {
			err = columns.parse(&row, fields)
		}
		if err == nil {
			err = l.add(row, fields)
		}
		if err != nil {
			return nil, line, err
		}
	}
}

// phylogenyRow is a row of the file, its ancestors still by id.
type phylogenyRow struct {
	id          int
	ancestors   []int
	also        int     // ancestor_id; unknownID where it names nobody
	origin      float64 // NaN where it is unknown
	destruction float64
	line        int
}

const unknownID = -1

// phylogenyColumn holds where each column stands; -1 for one that the file has not.
type phylogenyColumn struct{ id, ancestors, origin, destruction, ancestor int }

func phylogenyColumns(header []string) (c phylogenyColumn, err error) {
	for name, at := range map[string]*int{"id": &c.id, "ancestor_list": &c.ancestors,
		"origin_time": &c.origin, "destruction_time": &c.destruction, "ancestor_id": &c.ancestor} {
		is := func(h string) bool { return bare(h) == name }
		if *at = slices.IndexFunc(header, is); *at >= 0 && slices.ContainsFunc(header[*at+1:], is) {
			return c, fmt.Errorf("the column %s stands twice; leave one out", name)
		}
	}
	if c.id < 0 || c.ancestors < 0 {
		return c, fmt.Errorf("the columns id and ancestor_list are needed; there are %.200s",
			strings.Join(header, ", "))
	}
	return c, nil
}

// others returns where other columns stand, by name.
func (c phylogenyColumn) others(header []string) map[string]*numberColumn {
	all := map[string]*numberColumn{}
	for i, h := range header {
		if !slices.Contains([]int{c.id, c.ancestors, c.origin, c.destruction, c.ancestor}, i) {
			all[bare(h)] = &numberColumn{at: i}
		}
	}
	return all
}

func (c phylogenyColumn) parse(row *phylogenyRow, fields []string) (err error) {
	if row.id, err = parseID(fields[c.id]); err != nil {
		return fmt.Errorf("id: %w", err)
	}
	if row.ancestors, err = parseAncestors(fields[c.ancestors]); err != nil {
		return fmt.Errorf("ancestor_list: %w", err)
	}
	row.also = unknownID
	if c.ancestor >= 0 && !isNone(fields[c.ancestor]) {
		if row.also, err = parseID(fields[c.ancestor]); err != nil {
			return fmt.Errorf("ancestor_id: %w", err)
		}
	}
	row.origin, row.destruction = math.NaN(), math.Inf(1)
	if c.origin >= 0 && !isNone(fields[c.origin]) {
		row.origin, err = strconv.ParseFloat(bare(fields[c.origin]), 64)
		if err != nil || math.IsInf(row.origin, 0) {
			return fmt.Errorf("origin_time: %q is not a number; write when it was born, or nothing",
				fields[c.origin])
		}
	}
	if c.destruction >= 0 && !isNone(fields[c.destruction]) {
		row.destruction, err = strconv.ParseFloat(bare(fields[c.destruction]), 64)
		if err != nil || math.IsInf(row.destruction, -1) {
			return fmt.Errorf("destruction_time: %q is not a number; write when it died, or inf "+
				"if it is alive at the end", fields[c.destruction])
		}
		if row.destruction < row.origin {
			return fmt.Errorf("destruction_time: %s lies before the origin_time, %s",
				fields[c.destruction], fields[c.origin])
		}
	}
	return nil
}

// parseAncestors reads an ancestor_list; none for a founder.
func parseAncestors(field string) (ids []int, err error) {
	list := bare(field)
	if list == "" {
		return nil, nil
	}
	inner, opened := strings.CutPrefix(list, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed {
		return nil, fmt.Errorf("%q is not a list; write [3] or [3,5], and [none] for a founder", list)
	}
	words := strings.Split(inner, ",")
	if !slices.ContainsFunc(words, func(w string) bool { return !isNone(w) }) {
		return nil, nil
	}
	for _, word := range words {
		id, err := parseID(word)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// parseID reads an id. A column that also has gaps is written with fractions by some programs.
func parseID(field string) (int, error) {
	id, err := strconv.Atoi(strings.TrimSuffix(bare(field), ".0"))
	if err != nil || id < 0 {
		return 0, fmt.Errorf("%q is not a whole number from 0 to %d, as ids are", field, math.MaxInt)
	}
	return id, nil
}

// bare returns a word without blanks and quotes around it.
func bare(word string) string {
	word = strings.TrimSpace(word)
	if n := len(word); n >= 2 && (word[0] == '"' || word[0] == '\'') && word[n-1] == word[0] {
		return strings.TrimSpace(word[1 : n-1])
	}
	return word
}

// isNone tells whether a word stands for no value, as programs in several languages write it.
func isNone(word string) bool {
	switch strings.ToLower(bare(word)) {
	case "", "none", "nan", "na", "n/a", "<na>", "nil", "null":
		return true
	}
	return false
}

// WriteNewick writes the phylogeny along first parents in the Newick format, which programs for the
// phylogenies of biology read: a tree in a line for each founder. A taxon is called by its id, and
// the length of its branch is the time from its parent's origin to its own, where times are on
// record. Other parents have no place in the format.
func (p *Phylogeny) WriteNewick(w io.Writer) error {
	// the first child of each taxon, and the next child of the same parent; -1 for none
	child, next := slices.Repeat([]int32{-1}, len(p.Taxa)), slices.Repeat([]int32{-1}, len(p.Taxa))
	for i := len(p.Taxa) - 1; i >= 0; i-- {
		if parents := p.Taxa[i].Parents; len(parents) > 0 {
			next[i], child[parents[0]] = child[parents[0]], int32(i)
		}
	}
	out := bufio.NewWriter(w)
	for i := range p.Taxa {
		if len(p.Taxa[i].Parents) == 0 {
			p.writeTree(out, int32(i), child, next)
		}
	}
	return out.Flush()
}

// writeTree writes the tree of a founder. It keeps its own stack: descent is as deep as the run is
// long.
func (p *Phylogeny) writeTree(out *bufio.Writer, founder int32, child, next []int32) {
	stack := []int32{founder}
	down := true // to the children of the last on the stack, which are still to be written
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		if down && child[i] >= 0 {
			out.WriteByte('(')
			stack = append(stack, child[i])
			continue
		}
		t := &p.Taxa[i]
		out.WriteString(strconv.Itoa(t.ID))
		if p.Untimed == "" && i != founder {
			out.WriteByte(':')
			out.WriteString(strconv.FormatFloat(t.Origin-p.Taxa[t.Parents[0]].Origin, 'f', -1, 64))
		}
		if stack = stack[:len(stack)-1]; i == founder {
			break
		}
		if down = next[i] >= 0; down {
			out.WriteByte(',')
			stack = append(stack, next[i])
		} else {
			out.WriteByte(')')
		}
	}
	out.WriteString(";\n")
}

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
