package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"
)

// then is a command to run when a run or a sweep is done.
type then struct{ command string }

func (t *then) register(c *cobra.Command) {
	c.Flags().StringVar(&t.command, "then", "", "command for the shell to run once all is done, "+
		"with the directory in CLADE_DIR")
}

// run runs the command, if there is one. It is the user's own, who typed it.
func (t *then) run(ctx context.Context, dir string) error {
	if t.command == "" {
		return nil
	}
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c"}
	}
	c := exec.CommandContext(ctx, shell[0], shell[1], t.command)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr // what is printed is the command's own
	c.Env = append(os.Environ(), "CLADE_DIR="+dir)
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s is done, and --then %q failed: %w", dir, t.command, err)
	}
	return nil
}
