package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"clade/cmd/docs"
	"clade/engine/system/durable"
	"clade/experiments/player"
)

func newDocs(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, out: "clade-docs"}
	c := &cobra.Command{
		Use:   "docs",
		Short: "Write the documentation as pages for a browser",
		Long: `Writes the documentation as HTML pages, which need nothing from elsewhere: a
tutorial, how to run on many machines and how to write a game, background, and
every command, key and file. Most of the pages are Markdown in the source.`,
		Example: `  clade docs
  clade docs --out /tmp/docs`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := os.MkdirAll(o.out, 0o777); err != nil {
				return err
			}
			var paths []string
			site := docs.New(commandPage(c.Root()), gamePage(o.scope))
			for _, p := range site {
				page, err := site.HTML(p)
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

// commandPage describes every command as its --help does, in Markdown.
func commandPage(root *cobra.Command) []byte {
	var b bytes.Buffer
	b.WriteString("# Commands\n")
	tell := func(c *cobra.Command) {
		fmt.Fprintf(&b, "\n## %s\n\n```\n%s\n\n%s```\n", c.CommandPath(),
			strings.TrimSpace(cmp.Or(c.Long, c.Short)), c.UsageString())
	}
	tell(root)
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			tell(c)
		}
	}
	return b.Bytes()
}
