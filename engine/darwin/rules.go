package darwin

// Rules are what the two rule sets differ in; see the table in the package comment.
type Rules struct {
	Name            string
	AscensionsToWin int   // of one species
	TimeLimit       int64 // of natural selection, in nanoseconds of the game clock
	MazeLimit       int64 // of mazes, likewise; 0 means none
	Breath          int64 // the longest decision, in nanoseconds; who takes longer becomes an apple

	// a newborn always faces its maker; else in 60 of 100 births, and a quarter turn to either side
	// in 20 each
	NewbornFacesBack bool
	// a newborn starts with its maker's time after the attack; else with the time before it and
	// DelayCost
	InheritAll bool
	// who ascends lives on without the enchantment; else it dies, and an enchanted apple appears
	// elsewhere
	Reincarnate bool
	MudAttack   bool // attacking out of mud costs more
	// entering fog costs more either way; else whoever steps forward and stands in fog afterwards
	// pays, moved or not
	FogBoth        bool
	FogBlocks      bool // observing ends at the first square in fog
	FogLetters     bool // F, A, T and E put fog below what they stand for
	WallBorder     bool // hazards on the border of a map become walls
	SeeEnchantment bool // an observation tells whether a creature is enchanted
	// species that tie for the last place of a majority all get the lower one; else lots are drawn
	TiesDown bool
	AllRuns  bool // a maze tournament takes the mean of all six runs; else of the best five
}

const (
	millisecond = int64(1_000_000)
	second      = 1000 * millisecond
)

// Original returns the rules as the original program, version 2.2, applies them.
func Original() Rules {
	return Rules{Name: "original", AscensionsToWin: 3, TimeLimit: 50 * second,
		Breath: 250 * millisecond}
}

// Handbook returns the rules as the player's handbook tells them.
func Handbook() Rules {
	return Rules{
		Name: "handbook", AscensionsToWin: 5, TimeLimit: 50 * second, MazeLimit: 8 * second,
		Breath:           500 * millisecond,
		NewbornFacesBack: true, InheritAll: true, Reincarnate: true, MudAttack: true, FogBoth: true,
		FogBlocks: true, FogLetters: true,
		WallBorder: true, SeeEnchantment: true, TiesDown: true, AllRuns: true,
	}
}

// Ending is how a game ended for one species (handbook, section 8).
type Ending uint8

// The endings, worst first.
const (
	Lost Ending = iota
	Survival
	Majority
	Domination
	Ascension
)

// Points returns what an ending is worth in a tournament.
func (e Ending) Points() int { return [...]int{0, 1, 2, 3, 3}[e] }

// Code returns the ending's letter in tables: L, s, m, D, A.
func (e Ending) Code() string { return "LsmDA"[e : e+1] }

// String returns the ending's name in the records of the original.
func (e Ending) String() string {
	return [...]string{"LOSE", "SURVIVAL", "MAJORITY", "DOMINATION", "ASCENSION"}[e]
}
