package external

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// splitCommand splits a command line into words, as a shell does, but expands nothing. Blanks
// separate words; quotes and backslashes keep them. Between double quotes, a backslash stands for
// itself except before $ ` " \ and a line end. It returns an error unless the first word is a
// program. Words that name an existing file are made absolute: the program runs in another folder.
func splitCommand(command string) ([]string, error) {
	words, err := splitWords(command)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("no command: write one such as persist:\"python3 bot.py\"")
	}
	if words[0], err = exec.LookPath(words[0]); err != nil {
		return nil, err
	}
	for i, word := range words {
		if _, err := os.Stat(word); err != nil || word == "" {
			continue
		}
		if words[i], err = filepath.Abs(word); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// splitWords parts a command line.
func splitWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	started := false
	quote := byte(0)
	escaped := false
	for i := range len(s) { // bytes: a name may be in any encoding
		switch c := s[i]; {
		case c == 0:
			return nil, errors.New("the command holds a zero byte")
		case escaped:
			escaped = false
			if c == '\n' { // the line goes on
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
				words = append(words, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteByte(c)
			started = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the command %q lacks a closing %c", s, quote)
	}
	if escaped {
		return nil, fmt.Errorf("the command %q ends with a backslash", s)
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}
