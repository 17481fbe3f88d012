// Package input reads what people write: it skips byte order marks, quotes and splits command lines
// as a POSIX shell does, and words errors for wrong names and settings, naming the known name
// nearest to a mistyped one. It corrects nothing and starts nothing.
package input

import (
	"errors"
	"fmt"
	"strings"
)

// Nearest returns the name among known that is nearest to word by edit distance (insertions,
// deletions, substitutions and swaps of neighbouring letters, letter case ignored), and "" when
// none is near: more than a third of the word and more than one letter away, or without a letter in
// common. Among equals the first wins.
func Nearest(word string, known []string) string {
	best, bestDistance := "", max(1, (len(word)+2)/3)+1
	for _, k := range known {
		if max(len(word)-len(k), len(k)-len(word)) >= bestDistance {
			continue // they differ in at least that many letters
		}
		d := distance(strings.ToLower(word), strings.ToLower(k))
		if d < bestDistance && d < max(len(word), len(k)) {
			best, bestDistance = k, d
		}
	}
	return best
}

// listed is how many known names a message has at most: a screen of them.
const listed = 100

// Unknown returns the error text for an unknown name: `unknown <kind> "<word>", did you mean
// "<nearest>"?`, or a list of the known names, which is cut if it is long.
func Unknown(kind, word string, known []string) string {
	if n := Nearest(word, known); n != "" {
		return fmt.Sprintf("unknown %s %q, did you mean %q?", kind, word, n)
	}
	list := strings.Join(known[:min(len(known), listed)], ", ")
	if more := len(known) - listed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("unknown %s %q; known: %s", kind, word, list)
}

// distance is the optimal string alignment distance of a and b in bytes.
func distance(a, b string) int {
	previous2 := make([]int, len(b)+1)
	previous := make([]int, len(b)+1)
	current := make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], previous2[j-2]+1)
			}
		}
		previous2, previous, current = previous, current, previous2
	}
	return previous[len(b)]
}

// Fault is a setting that is wrong.
type Fault struct {
	Key string // as a study writes it, with dots; "" if no single setting is wrong
	Err error
}

// Faultf returns the fault of a setting, whose cause is fmt.Errorf of the other arguments.
func Faultf(key, format string, args ...any) error {
	return &Fault{key, fmt.Errorf(format, args...)}
}

// Below returns an error about a table as the fault of the table or, if it is one of a setting in it,
// of that setting.
func Below(table string, err error) error {
	if f, ok := errors.AsType[*Fault](err); ok {
		table += "." + f.Key
	}
	return &Fault{table, err}
}

func (f *Fault) Error() string { return f.Err.Error() }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Each calls use with every error that err joins, or with err itself if it joins none.
func Each(err error, use func(error)) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			Each(e, use)
		}
	} else if err != nil {
		use(err)
	}
}
