package view

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"

	"clade/analysis/figure"
	"clade/cmd/view/site"
	"clade/experiments/runner"
)

// drawn keeps the last figures of games played on pages, so that they can be saved.
type drawn struct{ site.Kept[[]*figure.Figure] }

func newDrawn() *drawn {
	return &drawn{site.Kept[[]*figure.Figure]{Most: 16, Size: func([]*figure.Figure) int { return 1 }}}
}

// put keeps figures under a key made of what they show.
func (d *drawn) put(of string, figures []*figure.Figure) (key string) {
	key = fmt.Sprintf("%x", sha256.Sum256([]byte(of)))[:16]
	d.Put(key, figures)
	return key
}

// figures serves files of figures for all pages.
type figures struct {
	*site.Site
	runs     *runs
	descents *descents
	drawn    *drawn
}

// types are the media types of the forms in which a figure can be saved.
func types() map[string]string {
	return map[string]string{"svg": "image/svg+xml", "text.svg": "image/svg+xml",
		"png": "image/png", "pdf": "application/pdf", "tex": "application/x-tex", "csv": "text/csv"}
}

// saveFigure answers with a figure as a file, or as a picture with show=1: as SVG, PNG, PDF, TeX,
// or its data as CSV. It may have another width, and curves fewer panels and no legend, as of clade
// plot.
func (s *figures) saveFigure(w http.ResponseWriter, r *http.Request) {
	as := r.FormValue("as")
	media, ok := types()[as]
	if !ok {
		site.Fail(w,
			site.Refuse("there is no form %q of a figure; there are svg, text.svg, png, pdf, tex and csv",
				as))
		return
	}
	done, err := s.Work(r.Context())
	if err != nil {
		return // the page has gone
	}
	defer done()
	f, err := s.figure(r)
	if err != nil {
		site.Fail(w, err)
		return
	}
	var content []byte
	if as == "csv" {
		var b bytes.Buffer
		err = f.Data.WriteCSV(&b)
		content = b.Bytes()
	} else {
		content, err = f.Encode(figure.Format(as))
	}
	if err != nil {
		site.Fail(w, err)
		return
	}
	w.Header().Set("Content-Type", media)
	if r.FormValue("show") == "" {
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", f.Name+"."+as))
	}
	site.Write(w, content)
}

// figure draws the figure of a link at the link's width.
func (s *figures) figure(r *http.Request) (*figure.Figure, error) {
	f, err := s.find(r)
	if err != nil {
		return nil, err
	}
	if f, err = f.Fit(figure.Width(r.FormValue("width"))); err != nil {
		return nil, site.Wrong(err)
	}
	return f, nil
}

// find draws the figure of a link: name of a kind.
func (s *figures) find(r *http.Request) (*figure.Figure, error) {
	var figures []*figure.Figure
	switch kind := r.FormValue("kind"); kind {
	case "curves":
		dirs, err := s.runs.dirs(r)
		if err != nil {
			return nil, err
		}
		groups, look, err := s.runs.groups(dirs)
		if err != nil {
			return nil, err
		}
		if panels := r.FormValue("panels"); panels != "" {
			look.Panels = strings.Split(panels, ",")
		}
		look.NoLegend = look.NoLegend || r.FormValue("legend") == "no"
		if figures, err = runner.Curves(groups, look); err != nil {
			return nil, site.Wrong(err)
		}
	case "descent":
		d, err := s.descents.descent(r)
		if err != nil {
			return nil, err
		}
		return figure.Phylogeny(d.Phylogeny, nil, false), nil
	case "tree":
		return s.tree(r)
	case "played":
		var ok bool
		if figures, ok = s.drawn.Get(r.FormValue("key")); !ok {
			return nil, site.Refuse("the games of this figure are no longer kept; play them again")
		}
	default:
		return nil, site.Refuse(
			"there is no kind %q of figures; there are curves, descent, tree and played", kind)
	}
	name := r.FormValue("name")
	for _, f := range figures {
		if f.Name == name {
			return f, nil
		}
	}
	return nil, site.Refuse("there is no figure %q", name)
}

// tree draws the trees of a player's genome; subtrees that player since also has are grey.
func (s *figures) tree(r *http.Request) (*figure.Figure, error) {
	g, err := s.Game(r)
	if err != nil {
		return nil, err
	}
	sp, err := s.Species(g, r.FormValue("run"), r.FormValue("players"))
	if err != nil {
		return nil, err
	}
	grammar := g.Grammar()
	since := r.FormValue("since")
	if since == "" {
		return figure.Genome("genome", grammar, figure.Programs(grammar, sp.Genome, nil), ""), nil
	}
	before, err := s.Species(g, r.FormValue("run"), since)
	if err != nil {
		return nil, err
	}
	was := map[string]bool{}
	for _, tree := range before.Genome {
		for i := range tree {
			was[grammar.PrintTree(tree[i:grammar.End(tree, i)])] = true
		}
	}
	same := make([][]bool, len(sp.Genome))
	for slot, tree := range sp.Genome {
		for i := range tree {
			same[slot] = append(same[slot], was[grammar.PrintTree(tree[i:grammar.End(tree, i)])])
		}
	}
	return figure.Genome("genome", grammar, figure.Programs(grammar, sp.Genome, same),
		"is in both"), nil
}
