//go:build ignore

package player

// limit is the greatest memory.
const limit = 16777216

// recall draws what the amoeba and its friends remember.
func recall() {
	senseData = float32(max(min(given(4+4*cells), limit), -limit)) * 0.00390625
	for i := range cells {
		held[layerCalls][i] = held[layerFriends][i]
		weight[layerCalls][i] = max(min(given(5+4*cells+i), limit), -limit)
	}
}

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
