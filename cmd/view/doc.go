// Package view serves one page in the browser for everything below some folders: runs, games,
// leagues. It draws, plays and measures with the packages that the commands use, and changes no
// run. It writes what people keep: notes beside runs, species on a shelf, the games they played.
//
// # A page
//
// The path /NAME is the page of web/NAME's module: web/pages/NAME.js, and / is that of runs.js. It
// exports
//
//	export const title = "…"
//	export default async function (page) { … }
//
// and fills page.main. What it may use of page is written in web/app.js, and what helps to draw in
// web/ui.js. Modules import each other as "clade/NAME.js", never by relative paths, so that a page
// can be saved as one file and the server knows what a page needs. A page asks its server with
// page.get and page.post, listens with page.stream, and stops what it began when page.signal says
// so. Everything on a page that can be chosen stands in its link.
//
// Scripts are checked by types.d.ts, which is made of the structs that the server answers with, and
// tsconfig.json; .ci/run does so.
//
// # A board
//
// A game says what stands on its board, see engine.Planned, and web/painter.js draws it: a drawing
// for each engine.Form. Reels bring what changes from scene to scene (package film); of dense
// boards, and layers without a plan, they bring pixels.
//
// # A route
//
// The server's side of a page is a method that stands in the list of New, or in that of Add of
// package watch (games, and why players choose) or play (a person in a game):
//
//	to.Get("run", r.showRun)            // GET /api/run, answers JSON
//	to.Post("why/change", s.change)     // POST /api/why/change, from this page only
//	to.Stream("league", p.playLeague)   // GET /api/league, server-sent events
//
// Package site has them, and who may ask. Whatever draws asks for a place with Site.Work first,
// whatever plays with Site.Compete; both end with the request's context, which ends when the page
// goes away. Names of files and runs go through Site.Path, names of players through Site.Player:
// neither leaves the folders, and no program is started unless Options allow it.
//
// # Links to games
//
// Every link to a game is a path /game with these parameters, of which all but the first have
// defaults:
//
//	run         a run directory, as the table of runs names it: its game and settings are played
//	game, set   where there is no run: a game's name, and settings KEY=VALUE, one for each set
//	record      a record file, or "dropped:HASH", instead of players and seed
//	generation  of the run's champion that the link is about; it takes the first seat
//	players     a name for each seat, one parameter each, as on the command line; "@GENERATION" is
//	            the champion of run, and "dropped:HASH" a species that was dropped on the page
//	seed        of the game, as engine.Game.Play takes it, in decimal digits
//	step        that is shown first
package view
