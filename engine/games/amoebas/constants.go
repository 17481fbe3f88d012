package amoebas

import "clade/gp/suggest"

// Constants are the fourteen numbers of the game's physics (section 5.1 of the source keeps them in
// one place too). Energies, fuel and health are whole units.
type Constants struct {
	WorldSize int `toml:"world-size"` // cells a side of the torus: 5..250
	// fuel that the sun adds to every free cell after a round: 0..255
	SunEnergy int `toml:"sun-energy"`
	// most fuel in a cell, and the fuel of every cell at the start: 0..255
	MaxCellEnergy int `toml:"max-cell-energy"`
	// cells that an amoeba sees in each direction: 1..3
	ViewDistance int `toml:"view-distance"`
	// most energy in an amoeba, and what the first ones start with: 0..9999
	MaxAmoebaEnergy  int `toml:"max-amoeba-energy"`
	RestEnergy       int `toml:"rest-energy"`        // cost of resting: 0..9999
	MoveEnergy       int `toml:"move-energy"`        // cost of moving: 0..9999
	AttackEnergy     int `toml:"attack-energy"`      // cost of hitting: 0..9999
	MaxFuelingEnergy int `toml:"max-fueling-energy"` // most fuel taken by one rest: 0..9999
	MinDivideEnergy  int `toml:"min-divide-energy"`  // energy needed to divide: 0..9999
	// cost of dividing, before the rest is halved: 0..9999
	DivideEnergyLoss int `toml:"divide-energy-loss"`
	// most health, and what the first amoebas start with: 1..9999
	MaxAmoebaHealth int `toml:"max-amoeba-health"`
	HitLoss         int `toml:"hit-loss"`      // health that a hit takes: 0..9999
	RecoveryGain    int `toml:"recovery-gain"` // health that a rest gives: 0..9999
}

// DefaultConstants returns the constants of the original.
func DefaultConstants() Constants {
	return Constants{
		WorldSize: 200, SunEnergy: 1, MaxCellEnergy: 100, ViewDistance: 3, MaxAmoebaEnergy: 100,
		RestEnergy: 1, MoveEnergy: 3, AttackEnergy: 10,
		MaxFuelingEnergy: 10, MinDivideEnergy: 30, DivideEnergyLoss: 20, MaxAmoebaHealth: 10,
		HitLoss: 4, RecoveryGain: 1,
	}
}

// Bounds of the constants. Fuel is a byte, so that a row of a view is one word; positions and
// functions are 16 bits wide, so that a full world stays under a megabyte.
const (
	minWorldSize = 5
	maxWorldSize = 250
	maxFuel      = 255
	maxView      = 3
	maxUnits     = 9999
)

// byteEnergy tells whether the energy of every amoeba is a byte at all times: divisions and hits
// leave none below zero.
func (c *Constants) byteEnergy() bool {
	return c.MaxAmoebaEnergy <= maxFuel && c.DivideEnergyLoss <= c.MinDivideEnergy
}

// check returns an error that names the first constant out of its range.
func (c *Constants) check() error {
	for _, r := range []struct {
		name      string
		v, lo, hi int
	}{
		{"world-size", c.WorldSize, minWorldSize, maxWorldSize},
		{"sun-energy", c.SunEnergy, 0, maxFuel},
		{"max-cell-energy", c.MaxCellEnergy, 0, maxFuel},
		{"view-distance", c.ViewDistance, 1, maxView},
		{"max-amoeba-energy", c.MaxAmoebaEnergy, 0, maxUnits},
		{"rest-energy", c.RestEnergy, 0, maxUnits},
		{"move-energy", c.MoveEnergy, 0, maxUnits},
		{"attack-energy", c.AttackEnergy, 0, maxUnits},
		{"max-fueling-energy", c.MaxFuelingEnergy, 0, maxUnits},
		{"min-divide-energy", c.MinDivideEnergy, 0, maxUnits},
		{"divide-energy-loss", c.DivideEnergyLoss, 0, maxUnits},
		{"max-amoeba-health", c.MaxAmoebaHealth, 1, maxUnits},
		{"hit-loss", c.HitLoss, 0, maxUnits},
		{"recovery-gain", c.RecoveryGain, 0, maxUnits},
	} {
		if r.v < r.lo || r.v > r.hi {
			return suggest.Faultf(r.name, "amoebas: %s must be in %d..%d, not %d", r.name, r.lo,
				r.hi, r.v)
		}
	}
	return nil
}
