package cli

import (
	"io"

	"github.com/spf13/cobra"

	"clade/experiments/player"
	"clade/experiments/runner"
)

// noted is the output of clade note for a run.
type noted struct {
	Run  string `json:"run"`
	Note string `json:"note"` // "" for none
}

func newNote(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use:   "note RUN [TEXT]",
		Short: "Write or read a note on a run",
		Long: `Writes a note on a run to note.txt in its directory, in place of an earlier one.
clade status, reports and the page show it; nothing else depends on it. An empty
text removes the note.`,
		Example: `  clade note runs/quick "stuck at 55 %: boards too small?"
  clade note runs/quick
  clade note runs/quick ""`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				if err := runner.WriteNote(args[0], args[1]); err != nil {
					return usageError{err}
				}
			}
			if _, err := runner.ReadManifest(args[0]); err != nil {
				return err
			}
			text, err := runner.ReadNote(args[0])
			if err != nil {
				return err
			}
			return o.print(c, noted{args[0], text}, func(w io.Writer) {
				if text != "" {
					_, _ = io.WriteString(w, text+"\n")
				}
			})
		},
	}
	o.add(c, help{"json": ""})
	return c
}
