package engine

import "fmt"

// PlainEntry returns the entry of a player without arguments. The error for arguments names the
// game.
func PlainEntry(game, name, about string, bind func() (Player, error)) Entry {
	return Entry{Name: name, About: about, New: func(args string) (Player, error) {
		if args != "" {
			return nil, fmt.Errorf("%s: %s takes no arguments, not %q", game, name, args)
		}
		return bind()
	}}
}

// FixedEntry returns the entry of a player without arguments that all games share.
func FixedEntry(game, name, about string, p Player) Entry {
	return PlainEntry(game, name, about, func() (Player, error) { return p, nil })
}
