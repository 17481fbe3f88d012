//go:build ignore

package player

// limit is the greatest memory.
const limit = 16777216

// remember answers the memory: what its tree says, in units of 1/256, to the nearest whole number,
// halves away from zero.
func remember() {
	turns = 0
	worth := worthMemory()
	if worth != worth {
		answer(0)
		return
	}
	worth = worth * 256
	if worth >= limit {
		answer(limit)
		return
	}
	if worth <= -limit {
		answer(-limit)
		return
	}
	whole := int(worth)
	rest := worth - float32(whole)
	if rest >= 0.5 {
		whole += 1
	}
	if rest <= -0.5 {
		whole -= 1
	}
	answer(whole)
}
