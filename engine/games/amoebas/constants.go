package amoebas

import "clade/engine"

// constants are the fourteen numbers of the game's physics (Janneck 2019, section 5.1). Energies,
// fuel and health are whole units.
type constants struct {
	WorldSize        int `toml:"world-size"`
	SunEnergy        int `toml:"sun-energy"`
	MaxCellEnergy    int `toml:"max-cell-energy"`
	ViewDistance     int `toml:"view-distance"`
	MaxAmoebaEnergy  int `toml:"max-amoeba-energy"`
	RestEnergy       int `toml:"rest-energy"`
	MoveEnergy       int `toml:"move-energy"`
	AttackEnergy     int `toml:"attack-energy"`
	MaxFuelingEnergy int `toml:"max-fueling-energy"`
	MinDivideEnergy  int `toml:"min-divide-energy"`
	DivideEnergyLoss int `toml:"divide-energy-loss"`
	MaxAmoebaHealth  int `toml:"max-amoeba-health"`
	HitLoss          int `toml:"hit-loss"`
	RecoveryGain     int `toml:"recovery-gain"`
}

// Table implements engine.Settings.
func (c *constants) Table() []engine.Setting {
	return []engine.Setting{
		engine.Whole("world-size", &c.WorldSize, minWorldSize, maxWorldSize, "cells",
			"a side of the torus"),
		engine.Whole("sun-energy", &c.SunEnergy, 0, maxFuel, "fuel",
			"what the sun adds to every free cell after a round"),
		engine.Whole("max-cell-energy", &c.MaxCellEnergy, 0, maxFuel, "fuel",
			"most in a cell, and that of every cell at the start"),
		engine.Whole("view-distance", &c.ViewDistance, 1, maxView, "cells",
			"how far an amoeba sees in each direction"),
		engine.Whole("max-amoeba-energy", &c.MaxAmoebaEnergy, 0, maxUnits, "energy",
			"most in an amoeba, and what the first ones start with"),
		engine.Whole("rest-energy", &c.RestEnergy, 0, maxUnits, "energy", "cost of resting"),
		engine.Whole("move-energy", &c.MoveEnergy, 0, maxUnits, "energy", "cost of moving"),
		engine.Whole("attack-energy", &c.AttackEnergy, 0, maxUnits, "energy", "cost of hitting"),
		engine.Whole("max-fueling-energy", &c.MaxFuelingEnergy, 0, maxUnits, "fuel",
			"most taken by one rest"),
		engine.Whole("min-divide-energy", &c.MinDivideEnergy, 0, maxUnits, "energy",
			"needed to divide"),
		engine.Whole("divide-energy-loss", &c.DivideEnergyLoss, 0, maxUnits, "energy",
			"cost of dividing, before the rest is halved"),
		engine.Whole("max-amoeba-health", &c.MaxAmoebaHealth, 1, maxUnits, "health",
			"most of an amoeba, and what the first ones start with"),
		engine.Whole("hit-loss", &c.HitLoss, 0, maxUnits, "health", "what a hit takes"),
		engine.Whole("recovery-gain", &c.RecoveryGain, 0, maxUnits, "health", "what a rest gives"),
	}
}

// defaultConstants returns the constants of the original.
func defaultConstants() constants {
	return constants{
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

// byteEnergy tells whether the energy of every amoeba always fits into a byte, which dividing does
// not leave below zero.
func (c *constants) byteEnergy() bool {
	return c.MaxAmoebaEnergy <= maxFuel && c.DivideEnergyLoss <= c.MinDivideEnergy
}
