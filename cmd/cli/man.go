package cli

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newMan returns the command by which packagers write the manual. It is hidden: for others the same
// stands in --help.
func newMan(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "man DIRECTORY", Short: "Write a man page of every command", Hidden: true,
		Args:    cobra.ExactArgs(1),
		Example: "  clade man share/man/man1",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			// without the day, so that the same program writes the same pages
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1",
				Source: "clade " + thisBuild().Version, Manual: "clade"}, args[0])
		},
	}
}
