package site

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"clade/engine"
	"clade/engine/system/durable"
	"clade/experiments/match"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/gp"
)

// Forms of a player's name that only pages use.
const (
	droppedPrefix  = "dropped:" // a file that was dropped on a page, by the hash of its text
	ChampionPrefix = "@"        // the champion of a generation of the link's run
)

// Champion returns the name of the champion in a link to a run, of its generation or the last one;
// empty for a link to no run.
func Champion(link url.Values) string {
	run := link.Get("run")
	if generation := link.Get("generation"); run != "" && generation != "" {
		return "run:" + run + "@" + generation
	} else if run != "" {
		return "run:" + run
	}
	return ""
}

// maxDropped bounds the bytes of dropped files that are kept.
const maxDropped = 64 << 20

// Run opens the run of a name in a link.
func (s *Site) Run(name string) (*runner.Run, error) {
	if name == "" {
		return nil, Refuse("no run is named; add run=RUN to the link")
	}
	dir, err := s.Path(name)
	if err != nil {
		return nil, err
	}
	r, err := runner.Open(s.Scope, dir)
	return r, Wrong(err)
}

// Game returns the game of a link, in which its players meet: that of its run, or the one it names,
// with its settings and those of species files.
func (s *Site) Game(r *http.Request) (engine.Game, error) {
	seated, err := s.Seated(r)
	if err != nil {
		return nil, err
	}
	return seated.Game, nil
}

// Seated returns the game of a link as Game does, and whose world it has.
func (s *Site) Seated(r *http.Request) (*match.Seated, error) {
	if err := r.ParseForm(); err != nil {
		return nil, Wrong(err)
	}
	var claims []match.Claim
	for _, name := range r.Form["players"] {
		if !isSpecies(name) || strings.HasPrefix(name, ChampionPrefix) { // it is of the link's run
			continue
		}
		c, err := s.claim(name)
		if err != nil {
			return nil, err
		}
		claims = append(claims, *c)
	}
	return s.seated(r, claims)
}

// claim returns the claim of a species that a page names.
func (s *Site) claim(name string) (*match.Claim, error) {
	path, text, err := s.speciesFile("", name)
	if err != nil {
		return nil, err
	}
	if text != "" {
		c, err := match.ParseClaim(name, path, text)
		return c, Wrong(err)
	}
	c, err := match.ReadClaim(s.Scope, name, path)
	return c, Wrong(err)
}

// seated returns the game of a link for species.
func (s *Site) seated(r *http.Request, claims []match.Claim) (*match.Seated, error) {
	if name := r.FormValue("run"); name != "" {
		run, err := s.Run(name)
		if err != nil {
			return nil, err
		}
		of := run.Game.Info().Name
		claims = slices.DeleteFunc(claims, func(c match.Claim) bool { return c.Game != of })
		g, err := match.Join(s.Scope, run.Game, claims)
		if err != nil {
			return nil, Wrong(err)
		}
		return &match.Seated{Game: g}, nil
	}
	name := r.FormValue("game")
	if name == "" {
		return nil, Refuse("no game is named; add run=RUN or game=NAME to the link")
	}
	claims = slices.DeleteFunc(claims, func(c match.Claim) bool { return c.Game != name })
	seated, err := match.Agree(s.LinkScope(), name, claims, r.Form["set"]...)
	return seated, Wrong(err)
}

// LinkScope returns the scope of names in a link that do not refer to the shown folders. Such a
// name could be that of any file, so only built-in players are allowed.
func (s *Site) LinkScope() player.Scope {
	scope := s.Scope
	scope.Trust = player.BuiltIns
	return scope
}

// Player returns the player of a name on a page. run is the run of the link, "" if it has none.
func (s *Site) Player(g engine.Game, run, name string) (engine.Player, error) {
	if !isSpecies(name) {
		scope := s.Scope
		if program, _, ok := strings.Cut(name, ":"); !ok || program != "exec" &&
			program != "persist" {
			scope = s.LinkScope()
		}
		p, err := scope.Find(g, name)
		return p, Wrong(err)
	}
	sp, err := s.Species(g, run, name)
	if err != nil {
		return nil, err
	}
	p, err := g.Bind(sp.Genome)
	if err != nil {
		return nil, Wrong(fmt.Errorf("%s: %w", name, err))
	}
	return p, nil
}

// isSpecies reports whether a name on a page is that of a species: a dropped one, a champion, or a
// file, whose path has a slash or ends in .species.
func isSpecies(name string) bool {
	return strings.HasPrefix(name, droppedPrefix) || strings.HasPrefix(name, ChampionPrefix) ||
		strings.HasPrefix(name, "run:") || strings.HasPrefix(name, player.KeptPrefix) ||
		strings.HasSuffix(name, ".species") ||
		strings.Contains(name, "/") && !strings.Contains(name, ":") && !strings.Contains(name, "(")
}

// Species returns the species of a name on a page. run is as for Player.
func (s *Site) Species(g engine.Game, run, name string) (sp *gp.Species, err error) {
	path, text, err := s.speciesFile(run, name)
	if err != nil {
		return nil, err
	}
	if text != "" {
		sp, err = player.ParseSpecies(g, path, text)
	} else {
		sp, err = player.ReadSpecies(g, path)
	}
	return sp, Wrong(err)
}

// speciesFile returns the text of a dropped species, or else the path of the species of a name. run
// is as for Player.
func (s *Site) speciesFile(run, name string) (path, text string, err error) {
	if text, ok := s.drops.Get(name); ok {
		return name, text, nil
	}
	if strings.HasPrefix(name, droppedPrefix) {
		return "", "", Refuse("the species %s is not here any more; drop its file again", name)
	}
	if strings.HasPrefix(name, player.KeptPrefix) {
		return name, "", nil
	}
	file := name
	if generation, ok := strings.CutPrefix(name, ChampionPrefix); ok {
		file = "run:" + run + "@" + generation
	}
	if champion, ok := strings.CutPrefix(file, "run:"); ok {
		dir, _, err := player.AtGeneration(champion)
		if err != nil {
			return "", "", Wrong(err)
		}
		if _, err := s.Path(dir); err != nil {
			return "", "", err
		}
		if file, err = player.ChampionPath(champion); err != nil {
			return "", "", Wrong(err)
		}
	}
	path, err = s.Path(file)
	return path, "", err
}

// Genome returns the genome of a player that a page names, nil if the player is not bred.
func (s *Site) Genome(g engine.Game, run, name string) (gp.Genome, error) {
	if isSpecies(name) {
		sp, err := s.Species(g, run, name)
		if err != nil {
			return nil, err
		}
		return sp.Genome, nil
	}
	if e, ok := player.Named(g, name); ok && e.Genome != nil {
		return e.Genome()
	}
	return nil, nil
}

// Drop keeps the text of a species or a record while the server runs, and returns its name for
// links.
func (s *Site) Drop(text string) string {
	name := fmt.Sprintf("%s%x", droppedPrefix, sha256.Sum256([]byte(text)))[:len(droppedPrefix)+16]
	s.drops.Put(name, text)
	return name
}

// Dropped returns the text of a dropped file by its name for links.
func (s *Site) Dropped(name string) (text string, ok bool) { return s.drops.Get(name) }

// gameNow is a game in the list of those there are.
type gameNow struct {
	Game     string `json:"game"`
	Title    string `json:"title"`
	About    string `json:"about"`
	MinSeats int    `json:"minSeats"`
	MaxSeats int    `json:"maxSeats"`
	Playable bool   `json:"playable"` // by a person
}

func (s *Site) listGames(*http.Request) (any, error) {
	var all []gameNow
	for _, g := range s.Scope.Games {
		i := g.Info()
		_, playable := g.(engine.Interactive)
		all = append(all, gameNow{i.Name, i.Title, i.About, i.MinSeats, i.MaxSeats, playable})
	}
	return all, nil
}

// playerNow is a built-in player.
type playerNow struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Plain bool   `json:"plain"` // it needs no arguments
}

func (s *Site) listPlayers(r *http.Request) (any, error) {
	g, err := s.Game(r)
	if err != nil {
		return nil, err
	}
	all := []playerNow{}
	for _, e := range player.BuiltIn(g) {
		_, err := e.New("")
		all = append(all, playerNow{e.Name, e.About, err == nil})
	}
	for _, name := range player.Kept(g.Info().Name) {
		all = append(all, playerNow{name, "a kept species", true})
	}
	return all, nil
}

// droppedNow is a species that was dropped on a page.
type droppedNow struct {
	Player string `json:"player"` // its name for links
	Nodes  int    `json:"nodes"`
}

// dropSpecies takes the text of a species file of the link's game.
func (s *Site) dropSpecies(r *http.Request) (any, error) {
	text, ge, err := s.sentSpecies(r)
	if err != nil {
		return nil, err
	}
	nodes := 0
	for _, t := range ge {
		nodes += len(t)
	}
	return droppedNow{s.Drop(text), nodes}, nil
}

// sentSpecies reads the text of a species file that a page sends, and checks that it can play the
// link's game.
func (s *Site) sentSpecies(r *http.Request) (text string, ge gp.Genome, err error) {
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return "", nil, Wrong(err)
	}
	if err := r.ParseForm(); err != nil {
		return "", nil, Wrong(err)
	}
	const file = "the dropped file"
	claim, err := match.ParseClaim(file, file, string(sent))
	if err != nil {
		return "", nil, Wrong(err)
	}
	seated, err := s.seated(r, []match.Claim{*claim})
	if err != nil {
		return "", nil, err
	}
	sp, err := player.ParseSpecies(seated.Game, file, string(sent))
	if err != nil {
		return "", nil, Wrong(err)
	}
	if _, err := seated.Game.Bind(sp.Genome); err != nil {
		return "", nil, Wrong(err)
	}
	return string(sent), sp.Genome, nil
}

// shelf is the folder, in the first shown one, for species that people keep from a page.
const shelf = "shelf"

// shelved matches the names that a species may have on the shelf.
var shelved = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// keepSpecies writes a species to the shelf under a name of its own.
func (s *Site) keepSpecies(r *http.Request) (any, error) {
	text, _, err := s.sentSpecies(r)
	if err != nil {
		return nil, err
	}
	name := r.FormValue("name")
	if !shelved.MatchString(name) {
		return nil, Refuse("%q is no name for the shelf: take up to 40 small letters, digits and "+
			"hyphens", name)
	}
	dir := filepath.Join(s.Paths[0], shelf)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name+".species")
	if _, err := os.Lstat(path); err == nil {
		return nil, Refuse("%s is there already; take another name", path)
	}
	if err := durable.WriteFile(path, []byte(text), 0o666); err != nil {
		return nil, err
	}
	return struct {
		Player string `json:"player"` // its name for links
	}{path}, nil
}
