// Package site serves the pages of the viewer: it checks the client, restricts paths and players to
// what is shown, and limits the work under way. Package view has the pages themselves.
package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"

	"clade/engine"
	"clade/experiments/player"
)

// Options select what is shown, and to whom.
type Options struct {
	Paths []string // folders and run directories; nothing outside them is read
	// Scope says which games there are. Players that pages name are built in, or read below Paths;
	// with the trust Programs they may be programs too, which then run as this user
	Scope player.Scope
	// Token must be known to the client; "" if only this machine can connect
	Token string
	// Hosts are the names by which clients may call the server, besides those of loopback
	Hosts []string
	// History is the file of what people play; "" means that of clade play
	History string
}

// Site answers the requests of pages. It is safe for concurrent use.
type Site struct {
	Options
	web     fs.FS
	assets  map[string]*asset // by path below web
	index   page
	mux     *http.ServeMux
	drawers chan struct{} // one for each piece of work under way that draws
	players chan struct{} // and that plays
	streams chan struct{} // one for each open stream
	drops   Kept[string]
	// patience is for a request's header; thrice as long for all of it, and six times between two
	patience time.Duration
	warm     map[string]func(context.Context) // by page
}

// Bounds of what all pages together may use.
const (
	maxDrawers = 4       // figures and the like at a time; the others wait
	maxPlaying = 2       // leagues and the like at a time; the others wait
	maxStreams = 64      // open streams
	maxBody    = 8 << 20 // bytes of a request
)

// New returns a site of the pages of a folder, which has no routes yet.
func New(o Options, web fs.FS) (*Site, error) {
	if len(o.Paths) == 0 {
		o.Paths = []string{"."}
	}
	s := &Site{Options: o, web: web, mux: http.NewServeMux(),
		drawers:  make(chan struct{}, maxDrawers),
		patience: 10 * time.Second,
		players:  make(chan struct{}, maxPlaying), streams: make(chan struct{}, maxStreams),
		drops: Kept[string]{Most: maxDropped, Size: func(text string) int { return len(text) }},
		warm:  map[string]func(context.Context){}}
	var err error
	if s.index, err = readIndex(web); err != nil {
		return nil, err
	}
	if s.assets, err = readAssets(web); err != nil {
		return nil, err
	}
	s.mux.HandleFunc("GET /web/", s.sendAsset)
	s.mux.HandleFunc("GET /{page...}", s.showPage)
	s.Get("assets", s.allAssets)
	s.Handle("qr", s.sendQR)
	s.Get("games", s.listGames)
	s.Get("players", s.listPlayers)
	s.Post("species", s.dropSpecies)
	s.Post("shelf", s.keepSpecies)
	return s, nil
}

// Serve answers requests until the context ends; everything that pages began ends with it.
func (s *Site) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: s.patience, ReadTimeout: 3 * s.patience,
		IdleTimeout: 6 * s.patience, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // Serve returns the error
	defer stop()
	err := server.Serve(l)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// badRequest is an error that the client made.
type badRequest struct{ error }

func (b badRequest) Unwrap() error { return b.error }

// Wrong marks an error as the client's; nil stays nil.
func Wrong(err error) error {
	if err == nil {
		return nil
	}
	return badRequest{err}
}

// Refuse returns an error of the client.
func Refuse(format string, args ...any) error { return Wrong(fmt.Errorf(format, args...)) }

// Handle answers GET /api/NAME with the output of the function.
func (s *Site) Handle(name string, answer http.HandlerFunc) {
	s.mux.HandleFunc("GET /api/"+name, answer)
}

// Get answers GET /api/NAME with a value as JSON.
func (s *Site) Get(name string, answer func(*http.Request) (any, error)) {
	s.mux.HandleFunc("GET /api/"+name, s.answer(answer))
}

// Post answers POST /api/NAME with a value as JSON.
func (s *Site) Post(name string, answer func(*http.Request) (any, error)) {
	s.mux.HandleFunc("POST /api/"+name, s.answer(answer))
}

func (s *Site) answer(answer func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := answer(r)
		if err != nil {
			Fail(w, err)
			return
		}
		content, err := json.Marshal(v)
		if err != nil {
			Fail(w, err)
			return
		}
		writeJSON(w, r, content)
	}
}

// Write writes an answer. An error only means that the page has gone.
func Write(w http.ResponseWriter, content []byte) { _, _ = w.Write(content) }

// Fail answers with an error, as {"error": …}.
func Fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	var wrong badRequest
	switch {
	case errors.As(err, &wrong):
		status = http.StatusBadRequest
	case errors.Is(err, fs.ErrNotExist):
		status = http.StatusNotFound
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	content, err := json.Marshal(map[string]string{"error": err.Error()})
	if err == nil {
		Write(w, content)
	}
}

// Sender sends an event to a page. An error means that the page has gone.
type Sender func(event string, v any) error

// Stream answers GET /api/NAME with server-sent events. The context ends when the page closes. An
// error is sent as the event "fault"; the event "end" says that there is no more.
func (s *Site) Stream(name string, play func(context.Context, *http.Request, Sender) error) {
	s.mux.HandleFunc("GET /api/"+name, func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.streams <- struct{}{}:
			defer func() { <-s.streams }()
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		out := http.NewResponseController(w)
		send := func(event string, v any) error {
			content, err := json.Marshal(v)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, content); err != nil {
				return err
			}
			return out.Flush()
		}
		err := play(r.Context(), r, send)
		if r.Context().Err() != nil {
			return // nobody listens
		}
		event, v := "end", any(nil)
		if err != nil {
			event, v = "fault", err.Error()
		}
		_ = send(event, v) // as in write
	})
}

// Work waits for a place for work that reads or draws, and returns the function that frees it.
func (s *Site) Work(ctx context.Context) (done func(), err error) { return take(ctx, s.drawers) }

// Compete waits for a place for a league or a matrix, and returns the function that frees it.
func (s *Site) Compete(ctx context.Context) (done func(), err error) { return take(ctx, s.players) }

func take(ctx context.Context, places chan struct{}) (done func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Seed reads a seed in a link, in decimal digits.
func Seed(r *http.Request, name string, otherwise engine.Seed) (engine.Seed, error) {
	text := r.FormValue(name)
	if text == "" {
		return otherwise, nil
	}
	var n uint64
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || fmt.Sprint(n) != text {
		return 0, Refuse("%s %q is not a whole number from 0 to 2^64-1", name, text)
	}
	return engine.Seed(n), nil
}

// Number reads a whole number in a link, from low to high.
func Number(r *http.Request, name string, otherwise, low, high int) (int, error) {
	text := strings.TrimSpace(r.FormValue(name))
	if text == "" {
		return otherwise, nil
	}
	var n int
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || fmt.Sprint(n) != text || n < low ||
		n > high {
		return 0, Refuse("%s %q is not a whole number in %d..%d", name, text, low, high)
	}
	return n, nil
}
