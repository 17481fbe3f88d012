package all_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/external"
	"clade/engine/games/all"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// homecoming is a species whose exported programs take a seat in clade.
type homecoming struct {
	game     string
	settings string // as TOML
	// a file below results; "" for a genome that uses the whole vocabulary; + and a file for one
	// that does so beside what that species does, and so comes to situations that some words tell
	species string
	rivals  string // built-in players, in the seats behind it, and before it in the second game
}

var homecomings = []homecoming{
	{"antwars", "", "generalist-seed301", "hyper"},
	{"antwars", "", "", "greedy"},
	{"antwars", "keen-senses = true", "keen-seed613", "brilliant"},
	{"antwars", "keen-senses = true", "", "greedy"},
	{"antwars", "keen-senses = true\nforesight = true", "foresight-seed711", "hyper"},
	{"antwars", "keen-senses = true\nforesight = true", "+foresight-seed701", "greedy"},
	{"antwars2", "", "quick-seed2", "hunter"},
	{"antwars2", "turns = 300\nfood = 8\nrescue = 8", "+by-hand", "greedy"},
	{"chase", "", "quick-seed1", "careful careful"},
	{"chase", "", "", "careful careful"},
	{"amoebas", "world-size = 12\nrounds = 12", "duel32-seed1", "theroots"},
	{"amoebas", "world-size = 14\nrounds = 15", "famine-seed1", "philip"},
	{"amoebas", "world-size = 16\nrounds = 30\nview-distance = 2", "", "untitled caesar"},
	{"amoebas", "world-size = 24\nrounds = 50\nmemory = true", "", "slightlybrainy"},
	{"darwin", "map = \"ns_faceoff\"\ntime-limit = 0.4", "past-seed31", "superrover"},
	{"darwin", "map = \"arena\"\ntime-limit = 0.4", "fighter", "rover"},
	{"darwin", "map = \"ns_arena4\"", "ascender", "pirate superrover rover"},
	{"darwin", "map = \"mz_5\"", "runner", "pilgrim"},
	{"darwin", "map = \"ns_fortress4\"", "", "pirate superrover rover"},
	{"darwin", "map = \"ns_fortress4\"\nshared-map = true\nkeen-senses = true\nshrine-ways = true",
		"+four-seed1", "pirate superrover rover"},
	{"amoeboid", "limit = 60", "three", "greedy"},
	{"amoeboid", "size = 5\nlimit = 60", "attack-seed1", "expectimax"},
	{"amoeboid", "size = 4\nlimit = 60", "", "greedy"},
	{"amoeboid", "board = \"star\"\nsize = 7\ndie = 20\nlimit = 60", "", "greedy"},
	{"amoeboid", "board = \"cycle\"\nsize = 14\ndie = 2\nlimit = 60", "", "random"},
	{"life", "height = 70\nwidth = 150\ngenerations = 12", "explore-seed2", "grower"},
	{"life", "height = 90\nwidth = 60\ngenerations = 12\nmethuselahs = true", "methuselahs", "guard"},
	{"life", "height = 64\nwidth = 64\ngenerations = 15", "", "random"},
	{"life", "height = 32\nwidth = 40\ngenerations = 15\nstill-lifes = true\nmethuselahs = true", "", "random"},
}

// unseen are words, by game and settings, that tell of what never happens there, or hardly ever.
// Amoeboid's decide on its other boards.
var unseen = map[string]string{
	"amoeboid size = 4\nlimit = 60":                              "wins?",
	"amoeboid board = \"star\"\nsize = 7\ndie = 20\nlimit = 60":  "loses?",
	"amoeboid board = \"cycle\"\nsize = 14\ndie = 2\nlimit = 60": "wins? loses? diagonal?",
	// An ant that is attacked is never asked, so its mate's way to it is never told.
	"antwars2 turns = 300\nfood = 8\nrescue = 8": "aidMate",
}

// known are variants of the whole vocabulary that were found to decide something, by game and
// settings, where a search from 0 on takes long. They are tried first.
var known = map[string][]int{
	"amoeboid size = 4\nlimit = 60":                                                          {0, 1, 2, 3, 6, 12, 122},
	"amoeboid board = \"star\"\nsize = 7\ndie = 20\nlimit = 60":                              {0, 1, 2, 3, 5, 8, 9, 15, 19, 25},
	"antwars2 turns = 300\nfood = 8\nrescue = 8":                                             {0, 1, 2, 3, 18, 23},
	"life height = 64\nwidth = 64\ngenerations = 15":                                         {0, 20},
	"life height = 32\nwidth = 40\ngenerations = 15\nstill-lifes = true\nmethuselahs = true": {6, 0, 1, 3, 4},
}

// TestExportsComeHome plays whole games in clade's referee with exported programs, as persist: runs
// them over a pipe: the situations are the games' own, and the moves must be those of the species,
// which play the same games here. CLADE_FULL=1 has every row played in every language, otherwise
// the first kept species of each vocabulary is played in one, in turn.
func TestExportsComeHome(t *testing.T) {
	proof.Long(t)
	languages, vocabularies := export.Languages(), map[string]bool{}
	for _, h := range homecomings {
		g := adjusted(t, h.game, h.settings)
		words := fmt.Sprint(h.game, len(g.Grammar().Operators))
		costly, language := h.whole() || vocabularies[words], languages[len(vocabularies)%len(languages)]
		if !costly {
			vocabularies[words] = true
		}
		t.Run(h.game+" "+h.label(), func(t *testing.T) {
			if costly {
				proof.Costly(t)
			}
			h.prove(t, g, language.Name)
		})
	}
}

// TestDebtorsComeHome has settings from the ranges that clade games amoebas lists: where dividing
// costs more than it needs, parent and child owe energy.
func TestDebtorsComeHome(t *testing.T) {
	proof.Slow(t)
	h := homecoming{"amoebas", "world-size = 8\nrounds = 4\nmin-divide-energy = 0", "", "theroots"}
	g := adjusted(t, h.game, h.settings)
	tr := h.traveller(t, g, proof.Must(g.Grammar().Parse(`(const -1) (constint 0) (constint 0)
		(const -1) (const -1) (sub (constint 1) energy) (sub (friendEnergy (rect 0 -1 3 3)) energy)`))(t))
	h.comesHome(t, g, tr, "python", []int{0, 1})
}

// label names the species.
func (h homecoming) label() string {
	if !h.whole() {
		return h.species
	}
	if h.settings == "" {
		return "whole vocabulary"
	}
	return "whole vocabulary, " + strings.ReplaceAll(h.settings, "\n", ", ")
}

// prove plays in one language, or in all.
func (h homecoming) prove(t *testing.T, g engine.Game, one string) {
	t.Parallel()
	var travellers []*traveller
	if h.whole() {
		travellers = h.deciding(t, g)
	} else {
		travellers = []*traveller{h.traveller(t, g, h.genome(t, g))}
		travellers[0].games = []int{0, 1}
	}
	for _, tr := range travellers {
		if tr.decisions < 60 || tr.kinds < 2 {
			t.Fatalf("%d decisions of %d kinds prove little", tr.decisions, tr.kinds)
		}
		t.Logf("games %v, %d decisions of %d kinds", tr.games, tr.decisions, tr.kinds)
	}
	who := exporttest.Species{World: g.Info().Title, Name: h.label(),
		Nodes: travellers[0].genome.Size()}
	for turn, language := range export.Languages() {
		t.Run(language.Name, func(t *testing.T) {
			if !proof.Full() && language.Name != one {
				t.Skip("CLADE_FULL=1 has every language played")
			}
			games, source := 0, ""
			for i, tr := range travellers {
				// The first species comes home in every language, the others in C and, in fewer
				// games, one by one in the rest.
				some := tr.games
				if h.whole() && language.Name != "c" {
					if i > 0 && i%len(export.Languages()) != turn {
						continue
					}
					some = some[:min(2, len(some))]
				}
				compiled := language.Name
				if i > 0 && compiled == "c" {
					compiled = "c, plain"
				}
				source = h.comesHome(t, g, tr, compiled, some)
				games += len(some)
			}
			who.Alike(t, language.Name, source, 0, games)
		})
	}
}

// traveller is a genome whose program comes home, how its games end, and those that are played with
// the program.
type traveller struct {
	genome           gp.Genome
	ends             []engine.Result
	decisions, kinds int // of all games
	games            []int
}

// whole tells whether the genome uses the whole vocabulary.
func (h homecoming) whole() bool { return h.species == "" || h.species[0] == '+' }

// genome returns the species of a file.
func (h homecoming) genome(t *testing.T, g engine.Game) gp.Genome {
	return enginetest.Kept(t, g, strings.TrimPrefix(h.species, "+"))
}

// sum returns a genome of sums of trees.
func sum(g *gp.Grammar, a, b gp.Genome) (all gp.Genome) {
	add, _ := g.Lookup("add")
	for i := range a {
		all = append(all, slices.Concat(gp.Tree{gp.Leaf(add)}, a[i], b[i]))
	}
	return all
}

// comesHome holds that an exported program, which it returns, plays some games to the ends of its
// species.
func (h homecoming) comesHome(t *testing.T, g engine.Game, tr *traveller, language string,
	games []int) (source string) {
	t.Helper()
	name, _, _ := strings.Cut(language, ",")
	source = proof.Must(g.(engine.SpeciesExporter).Export(tr.genome,
		export.Origin{Name: "traveller"}, name))(t)
	s := external.Supervisor{Seconds: 60, Fail: func(err error) { t.Error(err) },
		Notice: func(text string) { t.Log(text) }}
	p := proof.Must(s.Persist(quoted(exporttest.Command(t, language, source).Args)))(t)
	for _, n := range games {
		if got := g.Play(h.seated(t, g, p, n), uint64(n), nil); got != tr.ends[n] {
			t.Fatalf("the program plays game %d otherwise than the species: %d steps, not %d, of other "+
				"decisions; a word's expression of export/player.go is not what its row computes", n,
				got.Steps, tr.ends[n].Steps)
		}
	}
	return source
}

// deciding returns genomes that use the whole vocabulary, and games, such that for each operator a
// game of one of them ends in another way where a constant stands for it: what a program computes
// wrong shows in its moves.
func (h homecoming) deciding(t *testing.T, g engine.Game) (all []*traveller) {
	idle, first := h.words(g), known[h.game+" "+h.settings]
	for try := 0; len(idle) > 0; try++ {
		variant := try - len(first)
		if variant < 0 {
			variant = first[try]
		}
		if variant == 200 {
			t.Fatalf("nothing is decided by the operators %v", idle)
		}
		ge := enginetest.Everything(t, g.Grammar(), variant)
		if h.species != "" {
			ge = sum(g.Grammar(), h.genome(t, g), ge)
		}
		tr := h.traveller(t, g, ge)
		if tr.decisions < 60 || tr.kinds < 2 {
			continue
		}
		before := len(idle)
		idle = slices.DeleteFunc(idle, func(op gp.Op) bool {
			other := proof.Must(g.Bind(enginetest.Without(g.Grammar(), ge, op)))(t)
			for n, end := range tr.ends {
				if g.Play(h.seated(t, g, other, n), uint64(n), nil) != end {
					tr.games = append(tr.games, n)
					return true
				}
			}
			return false
		})
		if len(idle) < before {
			slices.Sort(tr.games)
			tr.games = slices.Compact(tr.games)
			t.Logf("variant %d: %d words decide nothing yet", variant, len(idle))
			all = append(all, tr)
		}
	}
	return all
}

// words returns the operators of the grammar that can decide something.
func (h homecoming) words(g engine.Game) (all []gp.Op) {
	for i, op := range g.Grammar().Operators {
		if op.Result != gp.Area &&
			!slices.Contains(strings.Fields(unseen[h.game+" "+h.settings]), op.Name) {
			all = append(all, gp.Op(i))
		}
	}
	return all
}

// traveller plays games with a genome until it has decided often.
func (h homecoming) traveller(t *testing.T, g engine.Game, ge gp.Genome) *traveller {
	own := proof.Must(g.Bind(ge))(t)
	tr := &traveller{genome: ge}
	did := map[uint64]bool{}
	least := 2
	if h.whole() {
		least = 6
	}
	if h.whole() && h.game == "antwars2" { // its ants seldom meet two enemies at once
		least = 30
	}
	for n := 0; n < least || n < 40 && tr.decisions < 60; n++ {
		players := h.seated(t, g, own, n)
		tr.ends = append(tr.ends, g.Play(players, uint64(n), engine.OnDecide(func(seat int,
			d uint64) {
			if players[seat] == own {
				did[d] = true
				tr.decisions++
			}
		})))
	}
	tr.kinds = len(did)
	return tr
}

// seated returns the players of a game: the first one before its rivals, or behind them.
func (h homecoming) seated(t *testing.T, g engine.Game, first engine.Player,
	game int) []engine.Player {
	var players []engine.Player
	for rival := range strings.FieldsSeq(h.rivals) {
		players = append(players, enginetest.Player(t, g, rival))
	}
	if game%2 == 1 {
		return append(players, first)
	}
	return append([]engine.Player{first}, players...)
}

func quoted(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
	}
	return strings.Join(all, " ")
}

// adjusted returns a game with settings. Programs have all the time that they need on a machine
// that does much else.
func adjusted(t *testing.T, name, settings string) engine.Game {
	t.Helper()
	if name == "life" {
		settings += "\nturn_seconds = 60"
	}
	for _, g := range all.Games() {
		if g.Info().Name != name {
			continue
		}
		a, ok := g.(engine.Adjustable)
		if settings == "" || !ok {
			return g
		}
		with := a.Settings()
		proof.OK(t, toml.Unmarshal([]byte(settings), with))
		return proof.Must(a.With(with))(t)
	}
	t.Fatalf("there is no game %q", name)
	return nil
}
