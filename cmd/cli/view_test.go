package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"clade/engine/games/all"
	"clade/gp/proof"
)

// TestView starts the command as a user does, and asks it for its page.
func TestView(t *testing.T) {
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	desktop := "#!/bin/sh\necho \"$1\" > " + opened + "\n"
	proof.OK(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(desktop), 0o777))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, c := range []struct {
		args  []string
		token bool
	}{
		{[]string{"--listen", "0", "--open"}, false},
		{[]string{"--listen", "0.0.0.0:0", "--host", "lab.example"}, true},
	} {
		ctx, stop := context.WithCancel(t.Context())
		root := newRoot(all.Games())
		in, out := io.Pipe()
		root.SetOut(out)
		root.SetArgs(append([]string{"view", t.TempDir()}, c.args...))
		ended := make(chan error, 1)
		go func() { ended <- root.ExecuteContext(ctx) }()
		line := proof.Must(bufio.NewReader(in).ReadString('\n'))(t)
		printed, _, _ := strings.Cut(line, " ")
		link, err := url.Parse(printed)
		if err != nil || c.token != link.Query().Has("token") {
			t.Fatalf("%v prints %q: %v", c.args, line, err)
		}
		token := link.Query().Get("token")
		for _, ask := range []struct {
			host, token string
			status      int
		}{
			{"localhost", token, http.StatusOK},
			{"elsewhere.example", token, http.StatusForbidden},
			{"lab.example", token, map[bool]int{true: 200, false: 403}[c.token]},
			{"localhost", "wrong", map[bool]int{true: 401, false: 200}[c.token]},
		} {
			r := proof.Must(http.NewRequestWithContext(ctx, http.MethodGet,
				"http://127.0.0.1:"+link.Port()+"/api/runs", nil))(t)
			r.Host = ask.host
			r.AddCookie(&http.Cookie{Name: "clade-token", Value: ask.token})
			answer := proof.Must(http.DefaultClient.Do(r))(t)
			if answer.Body.Close(); answer.StatusCode != ask.status {
				t.Errorf("%v, asked as %s with the token %q: %s, want %d", c.args, ask.host,
					ask.token, answer.Status, ask.status)
			}
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) { // which the exit status tells
			t.Errorf("%v ends with %v", c.args, err)
		}
	}
	if runtime.GOOS != "linux" {
		return // other desktops open links by other programs
	}
	for range 200 {
		if text, err := os.ReadFile(opened); err == nil && len(text) > 0 {
			if !strings.HasPrefix(string(text), "http://localhost:") {
				t.Errorf("the browser was to open %q", text)
			}
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("--open opens nothing")
}
