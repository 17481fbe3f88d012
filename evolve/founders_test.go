package evolve

import (
	"context"
	"slices"
	"testing"

	"clade/engine/games/antwars"
	"clade/gp"
	"clade/gp/proof"
)

// withFounders returns the setup of a run that descends from two species.
func withFounders(t *testing.T, change func(c *Config)) Setup {
	t.Helper()
	c := small()
	c.Founders.Species = []string{"a", "b"}
	if change != nil {
		change(&c)
	}
	return setup(t, c)
}

func TestFoundersDescendFromSpecies(t *testing.T) {
	for _, test := range []struct {
		name     string
		change   func(c *Config)
		seeded   int // of each island
		faithful bool
	}{
		{"one of each", nil, 2, true},
		{"a half", func(c *Config) { c.Founders.Share = 0.5 }, 20, true},
		{"all, on islands", func(c *Config) { c.Founders.Share, c.Islands = 1, 3 }, 40, true},
		{"mutants", func(c *Config) {
			c.Founders.Share, c.Founders.Mutants, c.Variation.Crossover = 1, 1, 0
			c.Variation.Mutation = 1
		}, 40, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := withFounders(t, test.change)
			b := s.breeder(context.Background())
			is := func(in *Individual, i int) bool {
				return slices.EqualFunc(in.Genome, s.Founders[i%2], slices.Equal[gp.Tree])
			}
			for island := range s.Config.Islands {
				population := proof.Must(b.found(0, island))(t)
				copies := 0
				for i, in := range population {
					if in.origin != founded || in.parents != [2]*Individual{} {
						t.Fatalf("founder %d is not a founder", i)
					}
					if is(in, 0) || is(in, 1) {
						copies++
					}
				}
				if !is(population[0], 0) || !is(population[1], 1) {
					t.Error("the first of each species is not a copy")
				}
				if test.faithful && copies != test.seeded {
					t.Errorf("%d copies instead of %d", copies, test.seeded)
				} else if !test.faithful && (copies < 2 || copies > test.seeded/2) {
					t.Errorf("%d copies among %d mutants", copies, test.seeded)
				}
			}
		})
	}
}

// Copies are alike on purpose, so that retries are for what grows.
func TestRetriesLeaveCopies(t *testing.T) {
	s := withFounders(t, func(c *Config) { c.Founders.Share, c.Founders.Retries = 0.5, 50 })
	population := proof.Must(s.breeder(context.Background()).found(0, 0))(t)
	for i, in := range population[:20] {
		if !slices.EqualFunc(in.Genome, s.Founders[i%2], slices.Equal[gp.Tree]) {
			t.Fatalf("founder %d is not a copy of its species", i)
		}
	}
}

func TestFoundersThatCannotBe(t *testing.T) {
	for _, test := range []struct {
		change func(s *Setup)
		want   string
	}{
		{func(s *Setup) { s.Founders = s.Founders[:1] }, "names 2, and there are the genomes of 1"},
		{func(s *Setup) { s.Config.Founders.Share = 1.5 }, "founders.share must be in 0..1"},
		{func(s *Setup) { s.Config.Founders.Share = 0.02 }, "names 2, and there is room for 1"},
		{func(s *Setup) {
			s.Config.Population, s.Config.Tournament = 2, 2
			s.Config.Founders.Species = []string{"a", "b", "c"}
			s.Founders = append(s.Founders, s.Founders[0])
		}, "names 3, and an island has room for 2; raise"},
		{func(s *Setup) { s.Config.Founders.Species, s.Config.Founders.Mutants = nil, 1 },
			"founders.mutants must be 0"},
		{func(s *Setup) { s.Founders[1] = s.Founders[1][:1] }, "founders.species: b: gp: "},
		{func(s *Setup) {
			add, _ := s.Game.Grammar().Lookup("add")
			for range 8 {
				t := slices.Concat(gp.Tree{gp.Leaf(add)}, s.Founders[0][0], s.Founders[0][1])
				s.Founders[0] = gp.Genome{t, s.Founders[0][1]}
			}
		}, "founders.species: a has depth 9; raise variation.max-depth"},
	} {
		s := withFounders(t, nil)
		test.change(&s)
		proof.Fails(Create(t.TempDir(), s))(t, test.want)
	}
}

func TestMembersAreThoseOfTheCheckpoint(t *testing.T) {
	s := withFounders(t, func(c *Config) { c.Islands, c.Founders.Share = 2, 1 })
	path, _ := evolved(t, s)
	members, at, err := s.Members(path, -1)
	if err != nil || at != s.Config.Generations || len(members) != 2*s.Config.Population {
		t.Fatalf("%d members before generation %d: %v", len(members), at, err)
	}
	for i, m := range members {
		if m.Island != i/s.Config.Population || m.Index != i%s.Config.Population || m.Born > at {
			t.Fatalf("member %d: island %d, index %d, born %d", i, m.Island, m.Index, m.Born)
		}
	}
	m := &members[3]
	species, err := gp.ParseSpecies(string(s.Species(m, at)),
		func(string, int) (*gp.Grammar, error) { return s.Game.Grammar(), nil })
	if err != nil || !slices.EqualFunc(species.Genome, m.Genome, slices.Equal[gp.Tree]) {
		t.Errorf("the species file of a member is of another genome: %v", err)
	}
	if _, at, err = s.Members(path, 9); err != nil || at != 9 {
		t.Errorf("checkpoint %d: %v", at, err)
	}
	_, _, err = s.Members(path, 3)
	proof.Says(t, err, "it has [6 9 12]")
}

// The grammar is that of Ant Wars. Each sensor is the tree of every slot of one founder, the
// first ones, and of no other by intent; the rest grow as without.
func TestSensorFounders(t *testing.T) {
	c := small()
	plain := setup(t, c)
	c.Founders.Sensors = true
	s := setup(t, c)
	plain.Game, s.Game = antwars.New(), antwars.New()
	b := s.breeder(context.Background())
	population := proof.Must(b.found(0, 0))(t)
	before := proof.Must(plain.breeder(context.Background()).found(0, 0))(t)
	sensors := b.sensors()
	if len(sensors) == 0 {
		t.Fatal("no sensors")
	}
	for i, in := range population {
		if i >= len(sensors) {
			proof.Is(t, b.grammar.Print(in.Genome), b.grammar.Print(before[i].Genome),
				"founder %d", i)
			continue
		}
		for k, tree := range in.Genome {
			if tree[0].Op != sensors[i] && b.grammar.Slots[k].Type == b.grammar.Slots[0].Type {
				t.Errorf("founder %d begins with %s in slot %d", i, b.grammar.Operators[tree[0].Op].Name, k)
			}
		}
	}
}
