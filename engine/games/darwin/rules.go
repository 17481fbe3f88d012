package darwin

// ruleSet holds the differences between the rule sets; see the table in the package comment. Times
// are in virtual nanoseconds.
type ruleSet struct {
	name            string
	ascensionsToWin int   // of one species
	timeLimit       int64 // game clock at which a game of natural selection ends
	mazeLimit       int64 // the same of a maze; 0 means none
	decisionLimit   int64 // a creature whose decision takes longer becomes an apple

	// A newborn always faces its maker; else in 60 of 100 births, and a quarter turn to either side
	// in 20 each.
	newbornFacesBack bool
	// A newborn starts with its maker's time after the attack; else with that before it plus
	// delayCost.
	inheritAll bool
	// A creature that ascends survives without its enchantment; else it dies, and an enchanted
	// apple appears elsewhere.
	reincarnate bool
	mudAttack   bool // attacking out of mud costs mudCost more
	// Entering fog costs fogCost more, forward or backward; else a forward step or try that ends in
	// fog does.
	fogBoth        bool
	fogBlocks      bool // observing ends at the first square in fog
	fogLetters     bool // F, A, T and E put fog below what they stand for
	wallBorder     bool // hazards on the border of a map become walls
	seeEnchantment bool // an observation tells whether a creature is enchanted
	// Species that tie for the last place of a majority all get the lower place; else lots are
	// drawn.
	tiesDown bool
	allRuns  bool // a maze tournament takes the mean of all six runs; else of the best five
}

const (
	millisecond = int64(1_000_000)
	second      = 1000 * millisecond
)

// original returns the rules of the original program, version 2.2.
func original() ruleSet {
	return ruleSet{name: "original", ascensionsToWin: 3, timeLimit: 50 * second,
		decisionLimit: 250 * millisecond}
}

// handbook returns the rules of the player's handbook.
func handbook() ruleSet {
	return ruleSet{
		name: "handbook", ascensionsToWin: 5, timeLimit: 50 * second, mazeLimit: 8 * second,
		decisionLimit:    500 * millisecond,
		newbornFacesBack: true, inheritAll: true, reincarnate: true, mudAttack: true, fogBoth: true,
		fogBlocks: true, fogLetters: true,
		wallBorder: true, seeEnchantment: true, tiesDown: true, allRuns: true,
	}
}

// ending is how a game ended for one species (handbook, section 8).
type ending uint8

// The endings, worst first.
const (
	lost ending = iota
	survival
	majority
	domination
	ascension
)

// points returns what an ending is worth in a tournament.
func (e ending) points() int { return [...]int{0, 1, 2, 3, 3}[e] }
