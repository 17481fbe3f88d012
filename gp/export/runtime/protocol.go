//go:build ignore

package player

// isValue tells whether a token begins a value.
func isValue(at int) bool {
	c := token(at)
	return c == '{' || c == '[' || c == '"' || c == '0' || c == 't' || c == 'f' || c == 'n'
}

// firstItem returns the place of the first item of the list that begins at a token.
func firstItem(at int) int {
	if token(at) != '[' {
		fail("there is no list where one is due")
	}
	return at + 1
}

// closing returns the place of the bracket that closes a list or an object.
func closing(at int) int {
	return behind(at) - 1
}

// nextItem returns the place behind an item of a list and the comma that follows it.
func nextItem(at int) int {
	i := behind(at)
	if !isValue(at) || token(i) != ']' && (token(i) != ',' || !isValue(i+1)) {
		fail("a list of the line is no JSON")
	}
	if token(i) == ',' {
		i += 1
	}
	return i
}

// findMember returns the place of the value of a member of the object that begins at a token, 0 if it
// has none of that name.
func findMember(at int, name string) int {
	if token(at) != '{' {
		fail("there is no object where one is due")
	}
	i := at + 1
	for i < closing(at) {
		if token(i) != '"' || token(i+1) != ':' || !isValue(i+2) {
			fail("an object of the line is no JSON")
		}
		if same(i, name) {
			return i + 2
		}
		i = behind(i + 2)
		if token(i) == ',' && token(i+1) == '"' {
			i += 1
		} else if i != closing(at) {
			fail("an object of the line is no JSON")
		}
	}
	return 0
}

// memberOf returns the place of the value of a member that the object must have.
func memberOf(at int, name string) int {
	i := findMember(at, name)
	if i == 0 {
		lack(name)
	}
	return i
}

// wholeAt returns the whole number at a token, which must lie within bounds.
func wholeAt(at, low, high int) int {
	n := longAt(at)
	if n < int64(low) || n > int64(high) {
		fail("a number of the line is out of range")
	}
	return int(n)
}

// truthAt returns the truth value at a token.
func truthAt(at int) bool {
	if token(at) != 't' && token(at) != 'f' {
		fail("there is no truth value where one is due")
	}
	return token(at) == 't'
}

// numberAt returns the number at a token, where one that is infinite or none is a text.
func numberAt(at int) float32 {
	var large float32 = 3e38
	large = large * 10
	if same(at, "+Inf") {
		return large
	}
	if same(at, "-Inf") {
		return -large
	}
	if same(at, "NaN") {
		return large - large
	}
	return floatAt(at)
}

// introduced tells whether a game has been introduced.
var introduced bool

// converse answers a message of the protocol of players.
func converse() {
	kind := memberOf(0, "type")
	if same(kind, "game") {
		if longAt(memberOf(0, "protocol")) != 1 {
			fail("the program speaks version 1 of the protocol of players")
		}
		if !same(memberOf(0, "game"), "GAME") || longAt(memberOf(0, "rules")) != RULES {
			fail("the program plays GAME, version RULES of the rules")
		}
		begin()
		learnFacts(memberOf(0, "facts"))
		introduced = true
	} else if same(kind, "turn") {
		if !introduced {
			fail("a turn comes before its game")
		}
		observe(memberOf(0, "observation"))
		decide()
		reply()
	} else if !same(kind, "end") {
		fail("the message is of an unknown type")
	}
}
