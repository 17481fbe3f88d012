package input

import (
	"fmt"
	"testing"

	"clade/gp/proof"
)

// The bytes of marks are those of the Unicode standard, chapter 23.8, table 23-6.
func TestSkip(t *testing.T) {
	for _, c := range []struct{ text, want, fault string }{
		{"", "", ""},
		{"a", "a", ""},
		{"game = 1", "game = 1", ""},
		{"\xef\xbb\xbfgame", "game", ""},
		{"\xef\xbb\xbf", "", ""},
		{"\xef\xbb\xbf\xef\xbb\xbfa", "\xef\xbb\xbfa", ""}, // the second is a letter of the text
		{"a\xef\xbb\xbf", "a\xef\xbb\xbf", ""},
		{"\xef\xbb", "\xef\xbb", ""},
		{"\xff\xfeg\x00a\x00", "", "UTF-16"},
		{"\xfe\xff\x00g\x00a", "", "UTF-16"},
		{"\xff\xfe\x00\x00g\x00\x00\x00", "", "UTF-16"}, // UTF-32 begins alike
		{"\x00\x00\xfe\xff", "", "UTF-16"},
		{"g\x00a\x00", "", "UTF-16"}, // without a mark
		{"\x00g\x00a", "", "UTF-16"},
		// a program that packs numbers, and a file of zeros, as a crash of a file system leaves
		{"\xff\x00\x01", "\xff\x00\x01", ""},
		{"\x00\x00\x00\x00", "\x00\x00\x00\x00", ""},
	} {
		got, err := SkipMark(c.text)
		if c.fault != "" {
			proof.Says(t, err, c.fault, "UTF-8")
			continue
		}
		proof.OK(t, err)
		proof.Is(t, got, c.want, "%q", c.text)
		proof.Is(t, string(proof.Must(SkipMark([]byte(c.text)))(t)), c.want, "bytes %q", c.text)
	}
}

func ExampleSkipMark() {
	text, err := SkipMark("\ufeffgame = \"antwars\"")
	fmt.Println(text, err)
	// Output: game = "antwars" <nil>
}
