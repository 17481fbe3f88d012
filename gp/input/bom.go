package input

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// errUTF16 names the remedy for the programs that write UTF-16 by default.
var errUTF16 = errors.New("the text is in UTF-16, and only UTF-8 is read: save it again with the " +
	`encoding UTF-8 (Notepad: "Save as"; PowerShell: Out-File -Encoding utf8)`)

// SkipMark returns a text without the byte order mark that some editors, above all on Windows, put
// before it. It returns an error for a text in UTF-16 or UTF-32, which
// it recognises by the mark, or by a zero beside a letter of ASCII as its first two bytes.
func SkipMark[T ~string | ~[]byte](text T) (T, error) {
	start := string(text[:min(len(text), 4)])
	switch {
	case strings.HasPrefix(start, "\ufeff"):
		return text[3:], nil
	case strings.HasPrefix(start, "\xff\xfe"), strings.HasPrefix(start, "\xfe\xff"),
		start == "\x00\x00\xfe\xff",
		len(start) > 1 && (start[0] == 0) != (start[1] == 0) && start[0]|start[1] < 0x80:
		return text, errUTF16
	}
	return text, nil
}

// ReadFile reads a file of text as os.ReadFile does, and skips its mark. Errors name the file.
func ReadFile(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if text, err = SkipMark(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
