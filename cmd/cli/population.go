package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"clade/engine/system/durable"
	"clade/engine/system/terminal"
	"clade/evolve"
	"clade/experiments/player"
	"clade/experiments/runner"
)

func newPopulation(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	generation := -1
	c := &cobra.Command{
		Use:   "population RUN [ID...]",
		Short: "List the individuals of a checkpoint, and export any of them",
		Long: `Lists all individuals of a run's newest checkpoint, or of that of a
generation. With IDs it writes those individuals as species files: one to
standard output, or all into the directory of --out. A run may be under way.`,
		Example: `  clade population runs/quick
  clade population runs/quick ID > an.species
  clade population runs/quick ID ID --generation 1000 --out kept`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && o.out != "" {
				return misuse("--out is for individuals; name their IDs")
			} else if len(args) > 2 && o.out == "" {
				return misuse("several IDs: name the directory of their files with --out")
			}
			r, err := runner.Open(*scope, args[0])
			if err != nil {
				return err
			}
			setup, err := r.Setup()
			if err != nil {
				return err
			}
			members, at, err := setup.Members(r.Dir, generation)
			if err != nil {
				return err
			}
			if len(args) > 1 {
				return o.export(c, &setup, members, at, args[1:])
			}
			return o.listMembers(c, members, at)
		},
	}
	c.Flags().IntVar(&generation, "generation", -1,
		"that of a checkpoint (default: the newest; a run keeps its last three)")
	o.add(c, help{"out": "directory of the species files", "form": "", "json": ""})
	return c
}

// member is a row of the list.
type member struct {
	ID     uint64 `json:"id"`
	Island int    `json:"island"`
	Born   int    `json:"born"` // generation
	Origin string `json:"origin"`
	Nodes  int    `json:"nodes"`
	Depth  int    `json:"depth"`
}

func (o *flags) listMembers(c *cobra.Command, members []evolve.Member, at int) error {
	rows := make([]member, len(members))
	for i, m := range members {
		rows[i] = member{m.ID, m.Island, m.Born, m.Origin, m.Size, m.Depth}
	}
	return o.print(c, struct {
		Generation int      `json:"generation"`
		Members    []member `json:"members"`
	}{at, rows}, func(w io.Writer) {
		fmt.Fprintf(w, "%d individuals before generation %d\n\n", len(rows), at)
		table := [][]string{{"id", "island", "born", "origin", "nodes", "depth"}}
		for _, m := range rows {
			table = append(table, []string{fmt.Sprint(m.ID), fmt.Sprint(m.Island), fmt.Sprint(m.Born),
				m.Origin, fmt.Sprint(m.Nodes), fmt.Sprint(m.Depth)})
		}
		terminal.Table(w, table)
	})
}

// export writes individuals as species files.
func (o *flags) export(c *cobra.Command, s *evolve.Setup, members []evolve.Member, at int,
	ids []string) error {
	var paths []string
	for _, text := range ids {
		id, err := strconv.ParseUint(text, 10, 64)
		i := slices.IndexFunc(members, func(m evolve.Member) bool { return m.ID == id })
		if err != nil || i < 0 {
			return misuse("no individual %q lives before generation %d; `clade population "+
				"RUN` lists those that do", text, at)
		}
		species := s.Species(&members[i], at)
		if o.out == "" {
			_, err := c.OutOrStdout().Write(species)
			return err
		}
		if err := os.MkdirAll(o.out, 0o777); err != nil {
			return err
		}
		path := filepath.Join(o.out, text+".species")
		if err := durable.WriteFile(path, species, 0o666); err != nil {
			return err
		}
		paths = append(paths, path)
	}
	return o.printPaths(c, paths)
}
