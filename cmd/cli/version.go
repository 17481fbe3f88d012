package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"clade/experiments/version"
	"clade/gp/kernels"
)

// build describes this program and its sources.
type build struct {
	Version  string   `json:"version"`
	Sources  string   `json:"sources"`  // SHA-256, see package version
	Module   string   `json:"module"`   // that was built, with its version as the Go toolchain knows it
	Commit   *string  `json:"commit"`   // null where the program was built outside of a repository
	Modified bool     `json:"modified"` // what was built is not quite the commit
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Kernels  string   `json:"kernels"`   // in use
	Possible []string `json:"available"` // kernels that this processor runs
}

// thisBuild reads what is built in, and what the Go toolchain recorded when it built the program.
func thisBuild() build {
	this := version.This()
	b := build{Version: this.Version, Sources: this.Sources, Modified: this.Modified,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Kernels: "none"}
	if this.Commit != "" {
		b.Commit = &this.Commit
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Module = strings.TrimSpace(info.Main.Path + " " + info.Main.Version)
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
	fmt.Fprintf(w, "clade    %s\nsources  %s\nmodule   %s\ncommit   %s\nGo       %s %s\n"+
		"kernels  %s (of %s)\n", b.Version, b.Sources, b.Module, commit, b.Go, b.Platform, b.Kernels,
		strings.Join(b.Possible, ", "))
}

func newVersion() *cobra.Command {
	var o flags
	c := &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Long: `Prints the version of clade, the SHA-256 of its sources, the commit and the Go
version that built it, and the kernels that it plays with.
` + kernels.Variable + `=scalar chooses others.`,
		Example: "  clade version --json",
		RunE: func(c *cobra.Command, _ []string) error {
			b := thisBuild()
			return o.print(c, b, b.print)
		},
	}
	o.add(c, help{"json": ""})
	return c
}
