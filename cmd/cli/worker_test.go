//go:build !light

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/clustertest"
)

// TestSpreadCommands breeds the islands of a run on a worker as the documentation does, and
// compares with the run alone. The server leaves nothing behind.
func TestSpreadCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	study := filepath.Join(dir, "s.toml")
	if err := os.WriteFile(study, []byte(clustertest.Study(8, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "spread")
	left := make(chan error, 1)
	go func() {
		clustertest.Eventually(t, "the run's server is there", func() bool {
			_, err := os.Stat(filepath.Join(out, "nats.json"))
			return err == nil
		})
		_, err := clade("worker", "--nats", filepath.Join(out, "nats.json"), "--workers", "1",
			"--idle", "5s")
		left <- err
	}()
	print := func(args ...string) string {
		text, err := clade(append([]string{"run", study, "--set", "evolve.islands=2", "--json"},
			args...)...)
		var said struct{ Fingerprint string }
		if err != nil || json.Unmarshal([]byte(text), &said) != nil {
			t.Errorf("%v: %v\n%s", args, err, text)
		}
		return said.Fingerprint
	}
	spread, alone := print("--out", out, "--nats", "here", "--listen", "127.0.0.1:0"),
		print("--out", filepath.Join(dir, "alone"))
	if spread != alone {
		t.Errorf("the fingerprint is %s, and %s alone", spread, alone)
	}
	for _, name := range []string{"nats.json", "nats", ".epochs"} {
		if _, err := os.Stat(filepath.Join(out, name)); err == nil {
			t.Errorf("%s is left over", name)
		}
	}
	if err := <-left; err != nil {
		t.Error(err)
	}
	_, err := clade("run", "../../experiments/santafe/koza.toml", "--out",
		filepath.Join(dir, "alone in a game"), "--nats", "here")
	if err == nil || status(t.Context(), err) != 2 ||
		!strings.Contains(err.Error(), "islands must be 2 or more") {
		t.Errorf("%v", err)
	}
}

// What a file says of how to get in is not lost where the command line does not say it.
func TestAccessFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "site.json")
	if err := os.WriteFile(path,
		[]byte(`{"url": "tls://h:4222", "creds": "me.creds", "ca": "site.pem", "cert": "me.pem", "key": "me.key"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	f := natsFlags{where: path, access: broker.Access{CA: "other.pem"}}
	if a, err := f.find(); err != nil ||
		a != (broker.Access{URL: "tls://h:4222", Creds: "me.creds", CA: "other.pem",
			Cert: "me.pem", Key: "me.key"}) {
		t.Errorf("%+v, %v", a, err)
	}
}
