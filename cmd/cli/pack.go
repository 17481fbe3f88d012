package cli

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"clade/engine/system/packed"
	"clade/experiments/player"
	"clade/experiments/sweep"
)

func newPack(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use:   "pack SWEEP",
		Short: "Pack the finished runs of a sweep into one file",
		Long: `Puts the finished runs of a sweep into one file, runs.zip in its directory, and
removes their folders, since file systems of clusters are slow with many small
files. Every command reads them there as it read the folders, and the sweep may
continue. The same command adds later runs. Unpacking the zip makes folders of
them again.`,
		Example: `  clade pack runs/my
  unzip runs/my/runs.zip -d runs/my && rm runs/my/runs.zip    and back`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			grid, err := sweep.Open(*scope, args[0])
			if err != nil {
				return usageError{err}
			}
			n, err := sweep.Pack(grid, args[0])
			if err != nil {
				return err
			}
			file := filepath.Join(args[0], packed.File)
			return o.print(c, struct {
				Packed int    `json:"packed"`
				File   string `json:"file"`
			}{n, file}, func(w io.Writer) {
				if n == 0 {
					fmt.Fprintf(w, "no finished run of %s is left to pack\n", args[0])
					return
				}
				fmt.Fprintf(w, "%d runs packed into %s\n", n, file)
			})
		},
	}
	o.add(c, help{"json": ""})
	return c
}
