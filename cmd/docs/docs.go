// Package docs embeds the documentation: pages in Markdown, and the HTML made from them, which
// loads nothing from elsewhere.
package docs

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"clade/engine"
	"clade/engine/external"
	"clade/experiments"
)

//go:embed *.md page.html
var files embed.FS

// Page is a page of the documentation.
type Page struct {
	Name  string // of its file, without ending
	Kind  string // what it is for: pages of one kind stand together
	Title string
	Text  []byte // Markdown
	path  string // in the project; "" for a page that is made
}

// Site holds the pages in the order in which they are read.
type Site []Page

// New returns the documentation, with the given pages on commands and games, in Markdown.
func New(commands, games []byte) Site {
	study := slices.Concat([]byte("# Every key of a study\n\n```toml\n"), experiments.Reference,
		[]byte("```\n"))
	site := Site{
		ownPage("tutorial", "Tutorial"),
		ownPage("breed", "How to"),
		ownPage("cluster", "How to"),
		ownPage("data", "How to"),
		{Name: "game", Kind: "How to", Text: engine.Guide, path: "engine/README.md"},
		ownPage("selection", "Background"),
		ownPage("repeating", "Background"),
		ownPage("workbench", "Reference"),
		{Name: "commands", Kind: "Reference", Text: commands},
		{Name: "games", Kind: "Reference", Text: games},
		{Name: "study", Kind: "Reference", Text: study, path: "experiments/reference.toml"},
		{Name: "files", Kind: "Reference", Text: experiments.Files, path: "experiments/FILES.md"},
		{Name: "protocol", Kind: "Reference", Text: external.Protocol,
			path: "engine/external/PROTOCOL.md"},
	}
	for i := range site {
		first, _, _ := strings.Cut(string(site[i].Text), "\n")
		site[i].Title = strings.TrimPrefix(first, "# ")
	}
	return site
}

// ownPage returns a page of this folder.
func ownPage(name, kind string) Page {
	text, err := files.ReadFile(name + ".md")
	if err != nil {
		panic("docs: " + err.Error()) // they are embedded
	}
	return Page{Name: name, Kind: kind, Text: text, path: "cmd/docs/" + name + ".md"}
}

// HTML returns a page as an HTML file that stands beside those of the other pages. Links to files
// of the project that are not pages become plain text.
func (s Site) HTML(p Page) ([]byte, error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(),
			parser.WithASTTransformers(util.Prioritized(links{s, path.Dir(p.path)}, 0))))
	var body, page bytes.Buffer
	if err := markdown.Convert(p.Text, &body); err != nil {
		return nil, fmt.Errorf("docs: page %s: %w", p.Name, err)
	}
	frame, err := template.ParseFS(files, "page.html")
	if err != nil {
		return nil, err
	}
	err = frame.Execute(&page, struct {
		Page
		Site Site
		Body template.HTML
	}{p, s, template.HTML(body.String())})
	return page.Bytes(), err
}

// links turns links between pages into links between HTML files.
type links struct {
	site   Site
	folder string // of the page, in the project
}

// Transform changes the links of a page.
func (l links) Transform(page *ast.Document, _ text.Reader, _ parser.Context) {
	var elsewhere []*ast.Link
	_ = ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		link, ok := n.(*ast.Link)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		to := string(link.Destination)
		if strings.Contains(to, "://") || strings.HasPrefix(to, "#") {
			return ast.WalkContinue, nil
		}
		file := path.Join(l.folder, to)
		i := slices.IndexFunc(l.site, func(p Page) bool { return p.path == file })
		if i < 0 {
			elsewhere = append(elsewhere, link)
		} else {
			link.Destination = []byte(l.site[i].Name + ".html")
		}
		return ast.WalkContinue, nil
	})
	for _, link := range elsewhere {
		for child := link.FirstChild(); child != nil; child = link.FirstChild() {
			link.Parent().InsertBefore(link.Parent(), link, child)
		}
		link.Parent().RemoveChild(link.Parent(), link)
	}
}
