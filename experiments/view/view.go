package view

import (
	"context"
	"embed"
	"io/fs"

	"clade/experiments/catalogue"
	"clade/experiments/view/play"
	"clade/experiments/view/site"
	"clade/experiments/view/watch"
)

//go:embed web
var embedded embed.FS

// pages are those of runs and leagues, and what was drawn and read for them last.
type pages struct {
	*site.Site
	runs     *catalogue.Catalogue
	drawn    drawn
	descents descents
}

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
	s := &pages{Site: to}
	if s.runs, err = catalogue.New(s.Scope, s.Paths); err != nil {
		return nil, err
	}
	s.Warm("runs", func(ctx context.Context) { _, _ = s.runs.Look(ctx) }) // who asks is told
	s.Get("runs", s.listRuns)
	s.Stream("runs/live", s.followRuns)
	s.Get("sweep", s.showSweep)
	s.Get("run", s.showRun)
	s.Stream("run/live", s.followRun)
	s.Get("champions", s.listChampions)
	s.Handle("figure", s.saveFigure)
	s.Get("descent", s.showDescent)
	s.Get("individual", s.showIndividual)
	s.Stream("matrix", s.playMatrix)
	s.Stream("league", s.playLeague)
	watch.Add(to)
	play.Add(to)
	return to, nil
}
