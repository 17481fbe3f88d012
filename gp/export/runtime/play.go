//go:build ignore

package player

// play answers lines until they end.
func play() {
	begin()
	for hear() {
		if token(0) == '{' {
			converse()
		} else if givens() == 0 {
			begin()
		} else {
			decide()
			say()
		}
	}
}
