package santafe

import "clade/engine"

// Numbers of the task.
const (
	side    = 32 // cells a side of the torus
	cells   = side * side
	pieces  = 89  // food
	actions = 400 // turns and moves of a life
)

// trail is the Santa Fe trail: # is food, and a dot is a gap in the trail, for the eye only.
const trail = ` ###
   #
   #                    .###..
   #                    #    #
   #                    #    #
   ####.#####       .##..    .
            #       .        #
            #       #        .
            #       #        .
            #       #        #
            .       #        .
            #       .        .
            #       .        #
            #       #        .
            #       #  ...###.
            .   .#...  #
            .   .      .
            #   .      .
            #   #      .#...
            #   #          #
            #   #          .
            #   #          .
            #   .      ...#.
            #   .      #
 ..##..#####.   #
 #              #
 #              #
 #     .#######..
 #     #
 .     #
 .####..
`

// food holds the trail's cells with food, a word for each row from the top, gaps those without.
var food, gaps = readTrail()

func readTrail() (food, gaps [side]uint32) {
	row, column := 0, 0
	for _, c := range trail {
		switch c {
		case '\n':
			row, column = row+1, -1
		case '#':
			food[row] |= 1 << column
		case '.':
			gaps[row] |= 1 << column
		}
		column++
	}
	return food, gaps
}

// action is what an ant does in one unit of time.
type action uint8

const (
	left action = iota
	right
	move
)

// neighbours holds the cell in front of an ant, by its cell and heading.
var neighbours = makeNeighbours()

func makeNeighbours() (t [cells][4]uint16) {
	for i := range t {
		for h, d := range headings {
			t[i][h] = uint16((i/side+d[1])&(side-1)*side + (i+d[0])&(side-1))
		}
	}
	return t
}

// headings are steps by column and row: east, south, west, north, each a turn to the right from the
// one before.
var headings = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// world is one ant's life. The ant starts in the upper left corner, heading east.
type world struct {
	food     [side]uint32
	row, col int
	heading  int
	time     int // actions so far
	eaten    int
	log      log
	asked    []way // by instruction of a program
}

// log is the actions of a life, in words, and room for what a program writes beyond its end.
type log [words + 1]uint64

// put writes up to 32 actions from a time on, over zeros.
func (l *log) put(time int, actions uint64) {
	word, shift := uint(time)/perWord%words, uint(time)%perWord*2
	l[word] |= actions << shift
	l[word+1] |= actions >> (64 - shift) // a shift by 64 gives 0
}

// get returns the 32 actions from a time on.
func (l *log) get(time int) uint64 {
	word, shift := uint(time)/perWord%words, uint(time)%perWord*2
	return l[word]>>shift | l[word+1]<<(64-shift)
}

// lastWord covers the actions in the last word of a whole life.
const lastWord = 1<<(2*(actions-perWord*(words-1))) - 1

// circle fills the log from a time on by repeating the period before it.
func (l *log) circle(time, period int) {
	for time < actions {
		n := min(period, perWord)
		l.put(time, l.get(time-period)&(1<<(2*n)-1))
		time += n
		if period < perWord {
			period *= 2 // what repeats after one period repeats after two, and words fill faster
		}
	}
}

func (w *world) begin() { *w = world{food: food, asked: w.asked} }

// over tells whether the life has ended: time is up, or the food is eaten.
func (w *world) over() bool { return w.time >= actions || w.eaten == pieces }

// ahead returns the cell in front of the ant.
func (w *world) ahead() (row, col int) {
	h := headings[w.heading]
	return (w.row + h[1]) & (side - 1), (w.col + h[0]) & (side - 1)
}

// do does one action. Food on which the very last one ends is not eaten, as in ECJ.
func (w *world) do(a action) {
	w.time++
	switch a {
	case right:
		w.heading = (w.heading + 1) & 3
	case move:
		w.row, w.col = w.ahead()
		if w.food[w.row]>>w.col&1 != 0 && w.time < actions {
			w.food[w.row] &^= 1 << w.col
			w.eaten++
		}
	default:
		w.heading = (w.heading + 3) & 3
	}
}

// repeat plays the log from the beginning, and cuts off what is beyond the end of the life.
func (w *world) repeat(rec engine.Recorder) {
	logged := w.log
	w.begin()
	var s *scene
	if rec != nil {
		s = &scene{}
		s.show(w)
		rec.Step(s)
	}
	for !w.over() {
		a := action(logged.get(w.time) & 3)
		if a > move {
			a = left // not an action
		}
		w.log.put(w.time, uint64(a))
		w.do(a)
		if rec != nil {
			if w.time%perWord == 0 || w.over() {
				rec.Decide(0, w.log[(w.time-1)/perWord])
			}
			s.show(w)
			rec.Step(s)
		}
	}
}
