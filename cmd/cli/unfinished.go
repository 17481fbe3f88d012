package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"clade/engine"
	"clade/evolve"
	"clade/experiments/league"
	"clade/experiments/version"
)

// unfinished is a long match. If it is interrupted, its games are kept in the user's cache
// directory, and the same command continues it.
type unfinished struct {
	cache *league.Cache // nil where nothing can be kept
	began time.Time
}

// worthKeeping is how long play has lasted when it is kept.
const worthKeeping = 10 * time.Second

// play starts a match between named players, and finds the games of an earlier call. what, such as
// "match", and the settings of the command tell matches apart. Programs need not play twice alike,
// so their games are not kept.
func (o *flags) play(what string, game engine.Game, names []string, settings ...int) *unfinished {
	u := &unfinished{began: time.Now()}
	info := game.Info()
	about := struct {
		Program, What, Game string
		Rules               int
		Rest                any
		Players             []string
		Games               int
		Seed                uint64
		Settings            []int
	}{version.This().Name(), what, info.Name, info.Version, engine.SettingsKey(game), nil, o.games,
		o.seed, settings}
	typed := o.typed()
	for _, name := range names {
		content, repeats := typed.Content(game, name)
		if !repeats {
			return u
		}
		about.Players = append(about.Players, content)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return u // without a home nothing is kept
	}
	text, err := json.Marshal(about)
	if err != nil {
		return u // a setting that is not a number
	}
	path := filepath.Join(dir, "clade", "unfinished", fmt.Sprintf("%x", sha256.Sum256(text))[:16])
	if u.cache, err = league.OpenCache(path, about); err != nil {
		u.cache = nil // likewise where the directory cannot be made
	}
	if u.cache.Found() {
		complain("going on from what was played before")
	}
	return u
}

// end rewords the error of a match that was stopped, and removes the games of one that was
// finished.
func (u *unfinished) end(ctx context.Context, err error) error {
	stopped := errors.Is(err, evolve.ErrStopped) || err != nil && ctx.Err() != nil
	switch {
	case err == nil:
		return u.cache.Discard()
	case !stopped:
		return err
	case u.cache != nil && (u.cache.Found() || time.Since(u.began) >= worthKeeping):
		if err := u.cache.Save(); err != nil {
			return fmt.Errorf("stopped before its end; %w", err)
		}
		return errors.New("stopped before its end; the same command goes on from what was played")
	default:
		return brokenOff(err)
	}
}
