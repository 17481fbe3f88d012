package site

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
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
