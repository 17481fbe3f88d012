package study

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"
)

// locate gives each line of an error the file's name, and the line and column of the key that the
// message starts with, where the document sets it. Where that is a table, and the message goes on
// to name a key of it, the key's place is meant.
func (d *document) locate(err error) error {
	places := d.places()
	var faults []error
	for _, line := range strings.Split(err.Error(), "\n") {
		where := d.name
		if end := strings.IndexAny(line, " :"); end > 0 {
			if p, ok := places.find(line[:end], line[end:]); ok {
				where = fmt.Sprintf("%s:%d:%d", d.name, p.Line, p.Column)
			}
		}
		faults = append(faults, fmt.Errorf("%s: %s", where, line))
	}
	return errors.Join(faults...)
}

// places are the positions of keys and tables, in the order of the document.
type places []struct {
	key string
	at  unstable.Position
}

// find returns where the first word of a message that is a key below the given one is set; else
// where the key itself is, or something below it.
func (ps places) find(key, message string) (unstable.Position, bool) {
	for _, word := range strings.FieldsFunc(message,
		func(r rune) bool {
			return r != '-' && r != '_' && !unicode.IsLetter(r) &&
				!unicode.IsDigit(r)
		}) {
		for _, p := range ps {
			if p.key == key+"."+word {
				return p.at, true
			}
		}
	}
	for _, p := range ps {
		if p.key == key || strings.HasPrefix(p.key, key+".") {
			return p.at, true
		}
	}
	return unstable.Position{}, false
}

// places finds every key and table of the document.
func (d *document) places() places {
	var all places
	var p unstable.Parser
	p.Reset(d.text)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue && e.Kind != unstable.Table &&
			e.Kind != unstable.ArrayTable {
			continue
		}
		var parts []string
		var at unstable.Position
		for it := e.Key(); it.Next(); {
			if len(parts) == 0 {
				at = p.Shape(it.Node().Raw).Start
			}
			parts = append(parts, string(it.Node().Data))
		}
		key := strings.Join(parts, ".")
		if e.Kind != unstable.KeyValue {
			table = key + "."
		} else {
			key = table + key
		}
		all = append(all, struct {
			key string
			at  unstable.Position
		}{key, at})
	}
	return all
}
