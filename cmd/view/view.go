package view

import (
	"context"
	"embed"
	"io/fs"

	"clade/cmd/view/internal/play"
	"clade/cmd/view/internal/watch"
	"clade/cmd/view/site"
	"clade/experiments/collect"
)

//go:embed web
var embedded embed.FS

// New returns the site of all pages. It returns an error for a path that cannot be read.
func New(o site.Options) (*site.Site, error) {
	web, err := fs.Sub(embedded, "web")
	if err != nil {
		return nil, err
	}
	to, err := site.New(o, web)
	if err != nil {
		return nil, err
	}
	all, err := collect.NewCatalogue(to.Scope, to.Paths)
	if err != nil {
		return nil, err
	}
	to.Warm("runs", func(ctx context.Context) { _, _ = all.Look(ctx) }) // a request gets its error
	r := &runs{to, all}
	to.Get("runs", r.listRuns)
	to.Stream("runs/live", r.followRuns)
	to.Get("files", r.listFiles)
	to.Post("run/note", r.noteRun)
	to.Get("sweep", r.showSweep)
	to.Get("run", r.showRun)
	to.Get("compare", r.compareRuns)
	to.Get("diff", r.diffRuns)
	to.Stream("run/live", r.followRun)
	to.Get("champions", r.listChampions)
	to.Get("run/log", r.showLog)
	d := &descents{Site: to, bred: map[bredKey]string{}}
	to.Get("descent", d.showDescent)
	to.Get("individual", d.showIndividual)
	to.Get("individuals", d.listKept)
	to.Stream("individual/breed", d.breedAgain)
	to.Get("islands", d.listIslands)
	p := &played{to, newDrawn()}
	to.Stream("matrix", p.playMatrix)
	to.Stream("league", p.playLeague)
	f := &figures{to, r, d, p.drawn}
	to.Handle("figure", f.saveFigure)
	watch.Add(to)
	play.Add(to)
	return to, nil
}
