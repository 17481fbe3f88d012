//go:build light

package cli

import (
	"testing"

	"clade/gp/proof"
)

// A program built with the tag light refuses what only the whole one can, and says how to get that.
// The command lines are those of the cluster's page.
func TestLight(t *testing.T) {
	const study = "../../experiments/antwars/quick.toml"
	for _, line := range [][]string{
		{"worker", "--nats", "runs/my/nats.json"},
		{"sweep", study, "--out", t.TempDir(), "--nats", "here"},
		{"run", study, "--out", t.TempDir(), "--nats", "here"},
		{"sweep", study, "--out", t.TempDir(), "--metrics", "9464"},
		{"match", "antwars", "wasm:bot.wasm", "brilliant"},
	} {
		proof.Fails(clade(line...))(t, "go install ./cmd/clade builds it whole")
	}
}
