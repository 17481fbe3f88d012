package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"clade/gp/kernels"
)

// build says what this program is made of.
type build struct {
	Version  string   `json:"version"`  // of the module; "(devel)" where nothing tells
	Commit   *string  `json:"commit"`   // null where the program was built outside of a repository
	Modified bool     `json:"modified"` // what was built is not quite the commit
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Kernels  string   `json:"kernels"`   // in use
	Possible []string `json:"available"` // kernels that this processor runs
}

// thisBuild reads what the Go toolchain recorded when it built the program.
func thisBuild() build {
	b := build{Version: "unknown", Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Kernels: "none"}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = info.Main.Version
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = &s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	if level, err := kernels.Chosen(); err == nil {
		b.Kernels = level.String()
	}
	b.Possible = kernels.Names()
	return b
}

// print writes the build as clade version shows it.
func (b build) print(w io.Writer) {
	commit := "not known (built by go run, or outside of a repository)"
	if b.Commit != nil {
		commit = *b.Commit
	}
	if b.Modified {
		commit += ", and changes"
	}
	fmt.Fprintf(w, "clade    %s\ncommit   %s\nGo       %s %s\nkernels  %s (of %s)\n", b.Version,
		commit, b.Go, b.Platform, b.Kernels, strings.Join(b.Possible, ", "))
}

func newVersion() *cobra.Command {
	var o flags
	c := &cobra.Command{
		Use: "version", Short: "Say which version this is", Args: cobra.NoArgs,
		Long: `Says which version of clade this is, of which commit and by which Go it was
built, and which kernels it plays with. ` + kernels.Variable + `=scalar chooses others.`,
		Example: "  clade version --json",
		RunE: func(c *cobra.Command, _ []string) error {
			b := thisBuild()
			return o.print(c, b, b.print)
		},
	}
	o.add(c, help{"json": ""})
	return c
}
