// Package docs is the documentation that the command carries with it: pages in Markdown, which read
// well as they are, and become HTML that needs nothing from elsewhere.
package docs

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

//go:embed *.md page.html
var files embed.FS

// Page is a page of the documentation.
type Page struct {
	Name  string // of its file, without ending
	Title string
	Text  []byte // Markdown
}

// order is that in which pages are read.
var order = [...]string{"tutorial", "cluster", "selection", "repeating"}

// Pages returns the pages in the order in which they are read.
func Pages() []Page {
	pages := make([]Page, len(order))
	for i, name := range order {
		content, err := files.ReadFile(name + ".md")
		if err != nil {
			panic("docs: " + err.Error()) // they are embedded
		}
		first, _, _ := strings.Cut(string(content), "\n")
		pages[i] = Page{Name: name, Title: strings.TrimPrefix(first, "# "), Text: content}
	}
	return pages
}

// HTML returns a page as an HTML file that stands beside those of the other pages. Links to files
// of the project that are not pages become plain text.
func (p *Page) HTML() ([]byte, error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(),
			parser.WithASTTransformers(util.Prioritized(links{}, 0))))
	var body, page bytes.Buffer
	if err := markdown.Convert(p.Text, &body); err != nil {
		return nil, fmt.Errorf("docs: page %s: %w", p.Name, err)
	}
	frame, err := template.ParseFS(files, "page.html")
	if err != nil {
		return nil, err
	}
	err = frame.Execute(&page, struct {
		*Page
		Pages []Page
		Body  template.HTML
	}{p, Pages(), template.HTML(body.String())})
	return page.Bytes(), err
}

// links turns links between pages into links between HTML files.
type links struct{}

// Transform changes the links of a page.
func (links) Transform(page *ast.Document, _ text.Reader, _ parser.Context) {
	var elsewhere []*ast.Link
	_ = ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		link, ok := n.(*ast.Link)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		to := string(link.Destination)
		name, isPage := strings.CutSuffix(to, ".md")
		_, err := files.Open(name + ".md")
		switch {
		case strings.Contains(to, "://"), strings.HasPrefix(to, "#"):
		case isPage && path.Base(name) == name && err == nil:
			link.Destination = []byte(name + ".html")
		default:
			elsewhere = append(elsewhere, link)
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
