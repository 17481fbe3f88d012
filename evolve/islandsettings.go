package evolve

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"clade/gp"
	"clade/gp/suggest"
)

// islandKeys are the settings in which islands can differ.
func islandKeys() []string {
	return []string{"tournament", "boards", "elites", "parsimony", "variation", "weights"}
}

// on returns the settings of one island.
func (c *Config) on(island int) (*Config, error) {
	if len(c.Island) == 0 {
		return c, nil
	}
	own := *c
	own.Island, own.Weights = nil, maps.Clone(c.Weights)
	table := c.Island[island%len(c.Island)]
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(islandKeys(), key) {
			return nil, errors.New(suggest.Unknown("setting of an island", key, islandKeys()))
		}
	}
	text, err := toml.Marshal(table)
	if err != nil {
		return nil, err
	}
	err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&own)
	if strict := (*toml.StrictMissingError)(nil); errors.As(err, &strict) {
		return nil, fmt.Errorf("unknown key %q", strings.Join(strict.Errors[0].Key(), "."))
	}
	return &own, err
}

// checkIslands finds what is wrong with settings of single islands.
func (c *Config) checkIslands(f *faults) {
	if n := len(c.Island); n > c.Islands && len(*f) == 0 {
		f.add("island", "has %d tables, and there are islands for %d; raise islands", n, c.Islands)
	}
	for i := range c.Island {
		add := func(problem any) { f.add("island", "table %d: %v", i+1, problem) }
		own, err := c.on(i)
		if err != nil {
			add(err)
			continue
		}
		if len(*f) > 0 {
			continue // faults of all islands are told once
		}
		suggest.Each(own.Check(), func(err error) {
			if fault := (*Fault)(nil); errors.As(err, &fault) {
				add(fault.Problem)
			}
		})
	}
}

// grammar returns the game's grammar with the weights of settings.
func (s *Setup) grammar(c *Config) (*gp.Grammar, error) {
	if len(c.Weights) == 0 {
		return s.Game.Grammar(), nil
	}
	return s.Game.Grammar().Weighed(c.Weights)
}

// habitat is what an island can have of its own.
type habitat struct {
	config  *Config
	grammar *gp.Grammar
}

// habitats returns those of all islands, of which the tables of Config.Island are taken in turn;
// one where all are alike.
func (s *Setup) habitats() (all []habitat, err error) {
	for i := range max(1, len(s.Config.Island)) {
		c, err := s.Config.on(i)
		if err != nil {
			return nil, &Fault{"island", fmt.Sprintf("island table %d: %v", i+1, err)}
		}
		g, err := s.grammar(c)
		if err == nil {
			all = append(all, habitat{c, g})
		} else if len(s.Config.Island) > 0 {
			return nil, &Fault{"island", fmt.Sprintf("island table %d: weights: %v", i+1, err)}
		} else {
			key := "weights"
			if f := (*suggest.Fault)(nil); errors.As(err, &f) {
				key += "." + f.Key
			}
			return nil, &Fault{key, fmt.Sprintf("weights: %v", err)}
		}
	}
	return all, nil
}

// CheckWeights tells what is wrong with the weights of primitives, as a Fault; nil if nothing is.
func (s *Setup) CheckWeights() error {
	_, err := s.habitats()
	return err
}

// at returns the breeder of an island.
func (b *breeder) at(island int) *breeder {
	if len(b.Config.Island) == 0 {
		return b
	}
	own, h := *b, b.habitats[island%len(b.habitats)]
	own.Config, own.grammar = *h.config, h.grammar
	return &own
}

// check finds limits within which no tree fits, or that let one fill the memory.
func (h *habitat) check(game string, f *faults) {
	v := &h.config.Variation
	for _, slot := range h.grammar.Slots {
		if d := h.grammar.TypeDepth(slot.Type); d > v.MaxDepth {
			f.add("variation.max-depth",
				"is %d, and the smallest tree for slot %q of %s has depth %d", v.MaxDepth,
				slot.Name, game, d)
		}
	}
	most := h.grammar.DeepestGrowth()
	for _, depth := range []struct {
		key string
		v   int
	}{{"founders.max-depth", h.config.Founders.MaxDepth}, {"variation.grow-depth", v.GrowDepth}} {
		if depth.v > most {
			f.add(depth.key, "is %d, and a tree of %s that grows so deep can fill the memory; the "+
				"most is %d", depth.v, game, most)
		}
	}
}
