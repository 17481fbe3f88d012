package site

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"rsc.io/qr"

	"clade/engine/system/packed"
)

// page is the only HTML file: the answer to the link of every page, whose script loads the module.
type page struct {
	head, rest string // up to behind its one inline script, the import map, and behind that
	hash       string // of that script
}

// Marks around the import map in index.html.
const (
	mapBegin = `<script type="importmap">`
	mapEnd   = `</script>`
)

func readIndex(web fs.FS) (page, error) {
	html, err := fs.ReadFile(web, "index.html")
	if err != nil {
		return page{}, err
	}
	head, rest, begun := strings.Cut(string(html), mapBegin)
	script, rest, ended := strings.Cut(rest, mapEnd)
	if !begun || !ended {
		return page{}, errors.New("site: index.html has no import map")
	}
	return page{head + mapBegin + script + mapEnd, rest, hashOf(script)}, nil
}

// showPage answers the link of a page: one word, or nothing for the runs.
func (s *Site) showPage(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("page")
	if name == "" {
		name = "runs"
	}
	if _, err := fs.Stat(s.web, path.Join("pages", path.Base(name)+".js")); err != nil ||
		strings.Contains(name, "/") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	html := s.index.head // without the map, a module that comes early cannot find what it imports
	for _, module := range s.modules("start.js", path.Join("pages", name+".js")) {
		html += "\n<link rel=\"modulepreload\" href=\"/web/" + module + "\">"
	}
	Write(w, []byte(html+s.index.rest))
	if get := s.warm[name]; get != nil {
		go get(context.WithoutCancel(r.Context()))
	}
}

// imported finds the imports of a module.
var imported = regexp.MustCompile(`(?m)^import [^;]* from "clade/([^"]+)";$`)

// modules lists modules and everything that they import, so that a browser can load them at once.
func (s *Site) modules(names ...string) []string {
	for i := 0; i < len(names); i++ {
		text, err := fs.ReadFile(s.web, names[i])
		if err != nil {
			continue // the browser will say so
		}
		for _, m := range imported.FindAllSubmatch(text, -1) {
			if module := string(m[1]); !slices.Contains(names, module) {
				names = append(names, module)
			}
		}
	}
	return names
}

// Warm sets a function that is called when a page is requested, so that its answer is ready when
// the page's script asks.
func (s *Site) Warm(page string, get func(context.Context)) { s.warm[page] = get }

// allAssets returns everything for a page saved as one file: every embedded text by its path.
func (s *Site) allAssets(*http.Request) (any, error) {
	files := map[string]string{}
	for name, a := range s.assets {
		files[name] = string(a.plain)
	}
	return files, nil
}

// Kept keeps values by name up to a total size, and then removes the oldest. It is safe for
// concurrent use.
type Kept[T any] struct {
	Most int         // in all
	Size func(T) int // of a value

	mu     sync.Mutex
	values map[string]T
	order  []string
	size   int
}

// Put keeps a value, in place of an earlier one of the name.
func (k *Kept[T]) Put(name string, value T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if old, ok := k.values[name]; ok {
		k.values[name], k.size = value, k.size+k.Size(value)-k.Size(old)
		return
	}
	if k.values == nil {
		k.values = map[string]T{}
	}
	for k.size += k.Size(value); k.size > k.Most && len(k.order) > 0; k.order = k.order[1:] {
		k.size -= k.Size(k.values[k.order[0]])
		delete(k.values, k.order[0])
	}
	k.values[name] = value
	k.order = append(k.order, name)
}

// Get returns the value of a name, false if it is not kept any more.
func (k *Kept[T]) Get(name string) (value T, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	value, ok = k.values[name]
	return value, ok
}

// Path returns the file of a name in a link, as the operating system writes it. Names are as in the
// table of runs: relative to the server's working directory, or absolute, as its folders were
// given. It refuses names outside the folders, and those that a symbolic link leads out of them.
func (s *Site) Path(name string) (string, error) {
	if name == "" {
		return "", Refuse("no name is given where the link needs one")
	}
	clean := filepath.Clean(filepath.FromSlash(name))
	for _, folder := range s.Paths {
		if !below(filepath.Clean(folder), clean) {
			continue
		}
		real, err := packed.EvalSymlinks(clean)
		if errors.Is(err, fs.ErrNotExist) {
			return "", absent(name)
		}
		if err != nil {
			return "", Refuse("%s cannot be read: %w", name, err)
		}
		for _, other := range s.Paths {
			if top, err := filepath.EvalSymlinks(other); err == nil && below(top, real) {
				return clean, nil
			}
		}
	}
	return "", Refuse("%s is outside the folders that are shown: %s; name others to clade view",
		name, strings.Join(s.Paths, ", "))
}

// below reports whether a clean path is a folder or below it.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// absent is a name of nothing that there is.
type absent string

func (a absent) Error() string { return "there is no " + string(a) }

// Unwrap makes it a file that is missing.
func (absent) Unwrap() error { return fs.ErrNotExist }

// sendQR answers with the QR code of a page's link, as PNG. The link includes the token, if there
// is one, so that scanning the code gives the rights of the person who shows it.
func (s *Site) sendQR(w http.ResponseWriter, r *http.Request) {
	to, err := url.Parse(r.FormValue("link"))
	if err != nil || to.Host != r.Host {
		Fail(w, Refuse("%q is no link of this server", r.FormValue("link")))
		return
	}
	if s.Token != "" {
		q := to.Query()
		q.Set(TokenKey, s.Token)
		to.RawQuery = q.Encode()
	}
	code, err := qr.Encode(to.String(), qr.L)
	if err != nil {
		Fail(w, Wrong(err))
		return
	}
	w.Header().Set("Content-Type", "image/png")
	Write(w, code.PNG())
}
