// Package bom skips the byte order marks with which editors, above all on Windows, begin texts. It
// converts no text: one that is not in UTF-8 is refused.
package bom

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// errUTF16 names the ways out of the programs that write UTF-16 unasked.
var errUTF16 = errors.New("the text is in UTF-16, and only UTF-8 is read: save it again with the " +
	`encoding UTF-8 (Notepad: "Save as"; PowerShell: Out-File -Encoding utf8)`)

// Skip returns a text without the mark of UTF-8 at its start, or an error for one in UTF-16 or
// UTF-32, which a mark tells, or a zero among the first two bytes: no text that is read here has
// one there.
func Skip[T ~string | ~[]byte](text T) (T, error) {
	start := string(text[:min(len(text), 3)])
	switch {
	case start == "\ufeff":
		return text[3:], nil
	case strings.HasPrefix(start, "\xff\xfe"), strings.HasPrefix(start, "\xfe\xff"),
		strings.IndexByte(start[:min(len(start), 2)], 0) >= 0:
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
	if text, err = Skip(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
