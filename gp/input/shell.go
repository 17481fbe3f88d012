package input

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strings"
)

// Quote returns a command line that a shell splits into exactly the given words. Words are quoted
// only where they must be.
func Quote(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quoteWord(word)
	}
	return strings.Join(quoted, " ")
}

func quoteWord(word string) string {
	special := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("@%_+=:,./-", r))
	}
	if word == "" || strings.ContainsFunc(word, special) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// SplitCommand splits a command into words. It expands only ~ and ~user at the start of a word.
// Blanks separate words; quotes and backslashes keep them. Between double quotes, a backslash
// stands for itself except before $ ` " \ and a line end.
func SplitCommand(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	started, home := false, false
	quote := byte(0)
	escaped := false
	end := func() {
		text := word.String()
		if home {
			text = Home(text)
		}
		words = append(words, text)
		word.Reset()
		started, home = false, false
	}
	for i := range len(command) { // bytes: a name may be in any encoding
		switch c := command[i]; {
		case c == 0:
			return nil, errors.New("the command holds a zero byte")
		case escaped:
			escaped = false
			if c == '\n' { // a continued line
				break
			}
			if quote != 0 && strings.IndexByte("$`\"\\", c) < 0 {
				word.WriteByte('\\')
			}
			word.WriteByte(c)
			started = true
		case c == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, started = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if started {
				end()
			}
		default:
			home = home || c == '~' && !started
			word.WriteByte(c)
			started = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the command %q lacks a closing %c", command, quote)
	}
	if escaped {
		return nil, fmt.Errorf("the command %q ends with a backslash", command)
	}
	if started {
		end()
	}
	return words, nil
}

// Home returns a path with a leading ~ or ~user replaced by the home directory. It is also for
// places where a shell does not expand them, as in --out=~/x. A path whose home directory is not
// known stays as it is.
func Home(path string) string {
	name, ok := strings.CutPrefix(path, "~")
	if !ok {
		return path
	}
	name, rest, inside := strings.Cut(name, "/")
	home, err := os.UserHomeDir()
	if name != "" {
		var u *user.User
		if u, err = user.Lookup(name); err == nil {
			home = u.HomeDir
		}
	}
	switch {
	case err != nil:
		return path
	case inside:
		return strings.TrimSuffix(home, "/") + "/" + rest
	}
	return home
}
