package input_test

import (
	"fmt"

	"clade/gp/input"
)

// A command is printed such that it can be pasted.
func ExampleQuote() {
	fmt.Println("clade resume " + input.Quote("kim's runs/a"))
	// Output: clade resume 'kim'\''s runs/a'
}
