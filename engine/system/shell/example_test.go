package shell_test

import (
	"fmt"

	"clade/engine/system/shell"
)

// A command is printed such that it can be pasted.
func ExampleQuote() {
	fmt.Println("clade resume " + shell.Quote("kim's runs/a"))
	// Output: clade resume 'kim'\''s runs/a'
}
