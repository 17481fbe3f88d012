package engine

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"clade/gp"
)

// Drawn is a game whose settings are drawn anew from the seed of each board, the same for all
// seats. All variants have one vocabulary and the same numbers of seats. External programs and
// people cannot play it, and a record is that of the variant that was played.
type Drawn struct {
	Game            // without draws; its settings are those that are not drawn
	says     string // what is drawn, for SettingsKey
	variants []variant
}

// variant is a game under one combination of drawn settings.
type variant struct {
	Game
	label string
}

// NewDrawn returns a game that draws among variants of a game, all equally likely. labels say how
// the variants differ, and says describes what is drawn. It returns an error for variants with
// different vocabularies or seats, whose species could not play each other.
func NewDrawn(g Game, says string, variants []Game, labels []string) (*Drawn, error) {
	d := &Drawn{Game: g, says: says}
	info, signature := g.Info(), g.Grammar().Signature()
	for i, v := range variants {
		if other := v.Info(); v.Grammar().Signature() != signature ||
			other.MinSeats != info.MinSeats || other.MaxSeats != info.MaxSeats {
			return nil, fmt.Errorf("with %s a game of %s has another vocabulary or other seats, and "+
				"cannot be drawn", labels[i], info.Name)
		}
		d.variants = append(d.variants, variant{v, labels[i]})
	}
	return d, nil
}

// Info returns facts that hold for every variant.
func (d *Drawn) Info() Info {
	info := d.Game.Info()
	info.MostMarks = slices.Clone(info.MostMarks)
	for _, v := range d.variants {
		other := v.Info()
		info.Decisions = max(info.Decisions, other.Decisions)
		least, most := info.Scores.Ends()
		low, high := other.Scores.Ends()
		if info.Scores = (Bounds{min(least, low), max(most, high)}); math.IsInf(info.Scores.Least, -1) &&
			math.IsInf(info.Scores.Most, 1) {
			info.Scores = Bounds{}
		}
		for i, mark := range other.MostMarks {
			if info.MostMarks[i] = max(info.MostMarks[i], mark); mark == 0 {
				info.MostMarks[i] = 0
			}
		}
	}
	return info
}

// At returns the game that is played under a seed, and the label of its settings.
func (d *Drawn) At(seed uint64) (g Game, label string) {
	v := &d.variants[d.index(seed)]
	return v.Game, v.label
}

func (d *Drawn) index(seed uint64) int {
	random := NewRandom(uint64(Seed(seed).Name("settings")))
	return random.Below(len(d.variants))
}

// drawnPlayer is a player of all variants. The player of a variant is made when it is first needed.
type drawnPlayer struct {
	make   func(g Game) (Player, error)
	mu     sync.Mutex
	player []Player // by variant; nil for one that is not made yet
}

// player makes a player with the game without draws, which returns an error wherever a variant
// would.
func (d *Drawn) player(make_ func(g Game) (Player, error)) (Player, error) {
	if _, err := make_(d.Game); err != nil {
		return nil, err
	}
	return &drawnPlayer{make: make_, player: make([]Player, len(d.variants))}, nil
}

// in returns the player of a variant.
func (d *Drawn) in(i int, p Player) Player {
	q, ok := p.(*drawnPlayer)
	if !ok {
		return p
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.player[i] == nil {
		made, err := q.make(d.variants[i].Game)
		if err != nil {
			panic("engine: a variant refuses a player of the game: " + err.Error())
		}
		q.player[i] = made
	}
	return q.player[i]
}

// Bind compiles a genome.
func (d *Drawn) Bind(ge gp.Genome) (Player, error) {
	return d.player(func(g Game) (Player, error) { return g.Bind(ge) })
}

// Play plays the variant of the seed.
func (d *Drawn) Play(players []Player, seed uint64, rec Recorder) Result {
	i := d.index(seed)
	return d.variants[i].Play(d.all(i, players), seed, rec)
}

func (d *Drawn) all(i int, players []Player) []Player {
	own := make([]Player, len(players))
	for seat, p := range players {
		own[seat] = d.in(i, p)
	}
	return own
}

// Players lists the built-in players.
func (d *Drawn) Players() []Entry {
	roster, ok := d.Game.(Roster)
	if !ok {
		return nil
	}
	entries := roster.Players()
	for i := range entries {
		entries[i].New = func(args string) (Player, error) {
			return d.player(func(g Game) (Player, error) {
				return g.(Roster).Players()[i].New(args)
			})
		}
	}
	return entries
}

// Settings returns those of the game without draws.
func (d *Drawn) Settings() Settings { return d.Game.(Adjustable).Settings() }

// With returns the game with those settings, and nothing drawn.
func (d *Drawn) With(settings any) (Game, error) { return d.Game.(Adjustable).With(settings) }

// Batches tells whether variants play many games at once faster than one by one.
func (d *Drawn) Batches(players []Player) bool {
	b, ok := d.variants[0].Game.(Batcher)
	return ok && b.Batches(d.all(0, players))
}

// PlayBatch plays all jobs, grouped by variant.
func (d *Drawn) PlayBatch(jobs []Job, results []Result) {
	byVariant := make([][]int, len(d.variants))
	for j := range jobs {
		i := d.index(jobs[j].Seed)
		byVariant[i] = append(byVariant[i], j)
	}
	for i, members := range byVariant {
		own, some := make([]Job, len(members)), make([]Result, len(members))
		for k, j := range members {
			own[k] = Job{d.all(i, jobs[j].Players), jobs[j].Seed}
		}
		if len(own) > 0 {
			d.variants[i].Game.(Batcher).PlayBatch(own, some)
		}
		for k, j := range members {
			results[j] = some[k]
		}
	}
}

// SettingsKey returns a value that is equal for games of one name only if they have equal settings,
// for the keys of caches; nil for a game without settings.
func SettingsKey(g Game) any {
	a, ok := g.(Adjustable)
	if !ok {
		return nil
	}
	if d, ok := g.(*Drawn); ok {
		return struct {
			Settings any
			Drawn    string
		}{a.Settings(), d.says}
	}
	return a.Settings()
}
