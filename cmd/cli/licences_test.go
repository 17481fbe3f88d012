package cli

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/gp/proof"
)

// TestLicences holds the list of the modules in the binary, with the licences that their files are,
// to what they are; -licences writes it.
func TestLicences(t *testing.T) {
	proof.Slow(t)
	out := proof.Must(exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}",
		"clade/cmd/clade").Output())(t)
	rows := map[string]string{}
	for line := range strings.Lines(string(out)) {
		module, dir, found := strings.Cut(strings.TrimSpace(line), " ")
		if !found || rows[module] != "" {
			continue
		}
		names := map[string]bool{}
		for _, pattern := range []string{"LICEN[CS]E*", "COPYING*", "*LICENSE"} {
			files := proof.Must(filepath.Glob(filepath.Join(dir, pattern)))(t)
			for _, file := range files {
				text := proof.Must(os.ReadFile(file))(t)
				for _, name := range licencesOf(string(text)) {
					names[name] = true
				}
			}
		}
		if len(names) == 0 {
			t.Errorf("%s has no licence that is known", module)
		}
		rows[module] = fmt.Sprintf("| %s | %s |\n", module,
			strings.Join(slices.Sorted(maps.Keys(names)), ", "))
	}
	text := "# Licences\n\nThe modules that the binary holds, and their licences.\nMade by " +
		"`go test ./cmd/cli -run Licences -licences`.\n\n| module | licence |\n|---|---|\n"
	for _, module := range slices.Sorted(maps.Keys(rows)) {
		text += rows[module]
	}
	if *licences {
		proof.OK(t, os.WriteFile(list, []byte(text), 0o666))
	}
	proof.Is(t, string(proof.Must(os.ReadFile(list))(t)), text,
		"the list of licences, which -licences writes")
}

// licencesOf names the licences of a text by phrases of theirs.
func licencesOf(text string) (names []string) {
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range [...]struct{ phrase, name string }{
		{"Apache License Version 2.0", "Apache-2.0"}, {"Mozilla Public License", "MPL-2.0"},
		{"SIL OPEN FONT LICENSE", "OFL-1.1"}, {"Permission is hereby granted, free of", "MIT"},
		{"FreeType License", "FTL"}, {"Creative Commons Attribution", "CC-BY"},
		{"to endorse or promote products", "BSD-3-Clause"},
		{"Redistribution and use in source", "BSD-2-Clause"},
	} {
		if strings.Contains(text, l.phrase) &&
			(l.name != "BSD-2-Clause" || !slices.Contains(names, "BSD-3-Clause")) {
			names = append(names, l.name)
		}
	}
	return names
}

const list = "../clade/LICENCES.md"

var licences = flag.Bool("licences", false, "write "+list)
