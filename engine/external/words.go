package external

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"

	"clade/gp/input"
)

// command is a command line that can be started.
type command struct {
	words   []string
	written []string // as the user wrote them
}

// newCommand splits a command line into words, as a shell does. It returns an error unless the
// first word is a program. Words that name an existing file are made absolute: the program runs in
// another folder.
func newCommand(line string) (*command, error) {
	words, err := input.SplitCommand(line)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("no command: write one such as persist:\"python3 bot.py\"")
	}
	c := &command{written: append([]string(nil), words...), words: words}
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
	if runtime.GOOS != "windows" {
		err = checkScript(words[0])
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.written[0], err)
	}
	return c, nil
}

// checkScript returns an error for a script whose first line names a missing interpreter, since the
// system would report the script as missing.
func checkScript(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // a program need not be readable
	}
	defer f.Close()
	start, err := io.ReadAll(io.LimitReader(f, 512))
	if err != nil {
		return nil // starting it will tell
	}
	if bytes.HasPrefix(start, []byte("\xef\xbb\xbf#!")) {
		return errors.New("a byte order mark stands before its first line, so that the system does " +
			"not know it for a script: save it as UTF-8 without one")
	}
	line, script := bytes.CutPrefix(start, []byte("#!"))
	if !script {
		return nil
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	first := string(line)
	if strings.HasSuffix(first, "\r") {
		return fmt.Errorf("its first line, #!%s, ends with a carriage return, as editors on Windows "+
			"write it, and the system looks for an interpreter of that name: save it with line "+
			"ends of Unix", first[:len(first)-1])
	}
	words := strings.Fields(first)
	if len(words) == 0 {
		return errors.New("its first line, #!, names no interpreter")
	}
	at := 0
	if filepath.Base(words[0]) == "env" {
		for at = 1; at < len(words); at++ {
			if w := words[at]; w != "-S" && w != "-i" && w != "-" && !strings.Contains(w, "=") {
				break
			}
		}
		if at == len(words) || words[at][0] == '-' {
			return nil // starting it will tell
		}
	}
	if _, err := exec.LookPath(words[at]); err != nil {
		return fmt.Errorf("its first line, #!%s, names an interpreter that cannot be started: %w",
			first, err)
	}
	return nil
}

// refused says why the system did not start the command.
func (c *command) refused(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	remedy := ""
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		remedy = "; a script needs a first line such as #!/usr/bin/env python3, or its interpreter " +
			"before it, as in persist:\"python3 bot.py\""
	case errors.Is(err, os.ErrNotExist):
		if _, missing := os.Stat(c.words[0]); missing == nil {
			remedy = "; the file is there, and what it needs to be loaded is not"
		}
	}
	return fmt.Errorf("%s cannot be started: %w%s", c.written[0], err, remedy)
}

// likeFile matches words that look like the name of a file.
var likeFile = regexp.MustCompile(`^[^-\s'"$;(){}|<>=][^\s'"$;(){}|<>=]*$`)

// notFound returns what is missing for a command that ended before it answered; "" for nothing.
// Shells and similar programs end with status 126 or 127 if they cannot start something.
func (c *command) notFound(status int) string {
	if status <= 0 {
		return ""
	}
	for i, word := range c.words[1:] {
		if _, err := os.Stat(word); !errors.Is(err, os.ErrNotExist) {
			continue
		}
		named := likeFile.MatchString(word) && !strings.Contains(word, "://") &&
			(i == 0 || strings.ContainsRune(word, '/') || filepath.Ext(word) != "")
		if written := c.written[i+1]; named || word != written {
			return "there is no file " + written
		}
	}
	if status == 126 || status == 127 {
		return fmt.Sprintf("it starts something that is not here (status %d)", status)
	}
	return ""
}

// asWritten returns a text of the program, which ran in a folder, with the user's words for files.
func (c *command) asWritten(text, folder string) string {
	var replaced []string
	for i, word := range c.words {
		if word != c.written[i] {
			replaced = append(replaced, word, c.written[i])
		}
	}
	replaced = append(replaced, folder+string(filepath.Separator), "", folder, ".")
	return strings.NewReplacer(replaced...).Replace(text)
}
