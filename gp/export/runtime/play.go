//go:build ignore

package player

// play answers lines until they end.
func play() {
	begin()
	for hear() {
		if givens() == 0 {
			begin()
		} else {
			decide()
			say()
		}
	}
}
