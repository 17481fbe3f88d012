package darwin

// maxSeats is the greatest number of species in a game: the digits of a map.
const maxSeats = 10

// endings returns how a game that is over ended for every seat.
func (w *world) endings() (e [maxSeats]ending) {
	switch {
	case w.seatsAlive == 0 || len(w.queue) == 0: // total loss
	case w.ground.maze:
		if w.solved() {
			w.give(&e, domination)
		}
	case w.champion >= 0:
		e[w.champion] = ascension
	case w.seatsAlive <= w.ground.seats/2:
		w.give(&e, domination)
	default:
		w.countHeads(&e)
	}
	return e
}

// solved tells whether the game is a maze whose treasures have all been attacked.
func (w *world) solved() bool {
	return w.ground.maze && w.seatsAlive == 1 && w.population[treasure] == 0
}

// give gives an ending to all seats that live.
func (w *world) give(e *[maxSeats]ending, ending ending) {
	for seat := range w.ground.seats {
		if w.population[seatBreed(seat)] > 0 {
			e[seat] = ending
		}
	}
}

// countHeads gives the endings of a game that reached its time limit: the most populous half of the
// species have the majority.
func (w *world) countHeads(e *[maxSeats]ending) {
	w.give(e, survival)
	places := w.ground.seats / 2
	for seat := range w.ground.seats {
		heads := w.population[seatBreed(seat)]
		if heads == 0 {
			continue
		}
		ahead, level, before := 0, 0, 0
		for other := range w.ground.seats {
			switch n := w.population[seatBreed(other)]; {
			case n > heads:
				ahead++
			case n == heads:
				level++
				if other != seat && w.lot(other) < w.lot(seat) {
					before++
				}
			}
		}
		if w.rules.tiesDown && ahead+level <= places || !w.rules.tiesDown && ahead+before < places {
			e[seat] = majority
		}
	}
}

// lot returns a random number of a seat, which decides ties where the original's order is
// arbitrary.
func (w *world) lot(seat int) uint64 { return uint64(w.seed.Name("lot").Num(uint64(seat))) }
