//go:build ignore

package player

// say prints the answer as a line: numbers with blanks between.
func say() {
	for i := range answers() {
		if i > 0 {
			emit(" ")
		}
		emitNumber(answered(i))
	}
	endLine()
}
