package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"clade/cmd/docs"
	"clade/engine/durable"
	"clade/experiments/player"
)

func newDocs(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, out: "clade-docs"}
	c := &cobra.Command{
		Use:   "docs",
		Short: "Write the documentation as pages for a browser",
		Long: `Writes the documentation as HTML pages, which need nothing from elsewhere: a
tutorial, how runs get onto many machines, and what lies behind. The same pages
stand as Markdown in the source.`,
		Example: `  clade docs
  clade docs --out /tmp/docs`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := os.MkdirAll(o.out, 0o777); err != nil {
				return err
			}
			var paths []string
			for _, p := range docs.Pages() {
				page, err := p.HTML()
				if err != nil {
					return err
				}
				path := filepath.Join(o.out, p.Name+".html")
				if err := durable.WriteFile(path, page, 0o666); err != nil {
					return err
				}
				paths = append(paths, path)
			}
			return o.printPaths(c, paths)
		},
	}
	o.add(c, help{"out": "directory of the pages", "json": "print the paths as JSON"})
	return c
}
