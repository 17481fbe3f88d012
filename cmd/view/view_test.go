package view

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rsc.io/qr"

	"clade/cmd/view/site"
	"clade/engine/games/all"
	"clade/engine/system/packed"
	"clade/experiments/player"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// allGames is the scope of most tests.
func allGames() player.Scope { return player.Scope{Games: all.Games(), Trust: player.Files} }

func newServer(t *testing.T, o site.Options) *site.Site {
	t.Helper()
	if o.Scope.Games == nil {
		o.Scope = allGames()
	}
	s := proof.Must(New(o))(t)
	return s
}

// ask asks a server and returns the status and the body.
func ask(s *site.Site, method, url string, header ...string) (int, string) {
	r := httptest.NewRequest(method, "http://localhost"+url, nil)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		return 0, err.Error()
	}
	return w.Code, string(body)
}

func TestForeignRequestsAreRefused(t *testing.T) {
	s := newServer(t, site.Options{Paths: []string{t.TempDir()}, Hosts: []string{"lab.example"}})
	for _, test := range []struct {
		what   string
		header []string
		url    string
		status int
	}{
		{"this machine", nil, "/api/runs", 200},
		{"with a port", []string{"Host", "127.0.0.1:4545"}, "/api/runs", 200},
		{"version 6", []string{"Host", "[::1]:4545"}, "/api/runs", 200},
		{"a name that is allowed", []string{"Host", "lab.example:4545"}, "/api/runs", 200},
		{"a foreign name that resolves here", []string{"Host", "evil.example"}, "/", 403},
		{"a foreign page", []string{"Origin", "http://evil.example"}, "/api/runs", 403},
		{"a page of another port", []string{"Origin", "http://localhost:1"}, "/api/runs", 403},
		{"a file's page", []string{"Origin", "null"}, "/api/runs", 403},
		{"its own page", []string{"Origin", "http://localhost"}, "/api/runs", 200},
		{"a foreign picture", []string{"Sec-Fetch-Site", "cross-site"}, "/api/runs", 403},
		{"a foreign link", []string{"Sec-Fetch-Site", "cross-site"}, "/", 200},
	} {
		if status, body := ask(s, "GET", test.url, test.header...); status != test.status {
			t.Errorf("%s: status %d, want %d: %s", test.what, status, test.status, body)
		}
	}
	if status, _ := ask(s, "POST", "/api/species?game=antwars", "Origin",
		"http://evil.example"); status != 403 {
		t.Errorf("a foreign page posts with status %d", status)
	}
}

func TestToken(t *testing.T) {
	s := newServer(t, site.Options{Paths: []string{t.TempDir()}, Token: "secret"})
	for _, test := range []struct {
		url, cookie string
		status      int
	}{
		{"/", "", 401}, {"/?token=wrong", "", 401}, {"/api/runs", "wrong", 401},
		{"/?token=secret", "", 303}, {"/api/runs", "secret", 200},
	} {
		var header []string
		if test.cookie != "" {
			header = []string{"Cookie", "clade-token" + "=" + test.cookie}
		}
		if status, body := ask(s, "GET", test.url, header...); status != test.status {
			t.Errorf("%s with cookie %q: status %d, want %d: %s", test.url, test.cookie, status,
				test.status, body)
		}
	}
	// a link for a telephone has the token, and leads nowhere else
	cookie := []string{"Cookie", "clade-token=secret"}
	code := proof.Must(qr.Encode("http://localhost/wall?run=a&token=secret", qr.L))(t)
	if status, body := ask(s, "GET", "/api/qr?link="+url.QueryEscape("http://localhost/wall?run=a"),
		cookie...); status != 200 || body != string(code.PNG()) {
		t.Errorf("the QR code of a link: status %d, %.100q", status, body)
	}
	if status, _ := ask(s, "GET", "/api/qr?link=http://evil.example/", cookie...); status != 400 {
		t.Errorf("the QR code of a foreign link: status %d", status)
	}
	r := httptest.NewRequest("GET", "http://localhost//evil.example/?token=secret", nil)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if to := w.Header().Get("Location"); strings.HasPrefix(to, "//") {
		t.Errorf("the first link leads away, to %s", to)
	}
}

func TestPathsStayBelow(t *testing.T) {
	dir := t.TempDir()
	shown, secret := filepath.Join(dir, "shown"), filepath.Join(dir, "secret")
	for _, d := range []string{shown, secret} {
		proof.OK(t, os.MkdirAll(filepath.Join(d, "run"), 0o777))
	}
	if err := os.Symlink(secret, filepath.Join(shown, "link")); err != nil {
		t.Skip("there are no symbolic links: ", err)
	}
	s := newServer(t, site.Options{Paths: []string{shown}})
	for name, ok := range map[string]bool{
		shown: true, shown + "/run": true, shown + "/run/..": true,
		shown + "/../secret": false, secret: false, "/etc/passwd": false, "": false, ".": false,
		"..": false, shown + "/link": false, shown + "/link/run": false, shown + "/none": false,
		shown + "x": false,
	} {
		if _, err := s.Path(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"/etc/passwd", "run:/etc", "exec:true", "persist:true",
		"../secret/x.species", "passwd.species", "evil(../../x)", "run:", "@3", "dropped:00"} {
		g := s.Scope.Games[0]
		if _, err := s.Player(g, "", name); err == nil {
			t.Errorf("the player %q is found", name)
		}
	}
}

// The pages say the same of a run in its folder, of which they are asked first, and in a pack, and
// none of a pack that a link leads out to.
func TestPacked(t *testing.T) {
	proof.Slow(t)
	dir, secret := t.TempDir(), t.TempDir()
	const name = "0123456789abcdef"
	run := filepath.Join(dir, name)
	runnertest.Breed(run)
	s := newServer(t, site.Options{Paths: []string{dir}})
	says := func() (all []string) {
		for _, url := range []string{"champions?", "run/log?", "descent?", "individuals?",
			"figure?kind=curves&name=growth&as=svg&", "figure?kind=descent&as=csv&",
			"game?game=antwars&players=greedy&players=run:" + run + "&"} {
			status, body := ask(s, "GET", "/api/"+url+"run="+run)
			if status != 200 {
				t.Errorf("%s: %d %s", url, status, body)
			}
			all = append(all, body)
		}
		return all
	}
	before := says()
	proof.OK(t, packed.Write(dir, []string{name}, func(string) bool { return false }))
	proof.OK(t, os.Rename(run, filepath.Join(secret, "kept")))
	s = newServer(t, site.Options{Paths: []string{dir}})
	if after := says(); !slices.Equal(before, after) {
		t.Errorf("of the folder:\n%.3000s\nof the pack:\n%.3000s", before, after)
	}
	proof.OK(t, os.Rename(filepath.Join(dir, packed.File), filepath.Join(secret, packed.File)))
	if err := os.Symlink(secret, filepath.Join(dir, "link")); err != nil {
		t.Skip("there are no symbolic links: ", err)
	}
	proof.Must(packed.Stat(filepath.Join(dir, "link", name)))(t)
	if _, err := s.Path(filepath.Join(dir, "link", name)); err == nil {
		t.Error("a link leads out of the folders, to a pack")
	}
}

func TestPagesAndHeaders(t *testing.T) {
	s := newServer(t, site.Options{Paths: []string{t.TempDir()}})
	for url, status := range map[string]int{"/": 200, "/runs": 200, "/sweep?sweep=x": 200,
		"/nothing": 404, "/pages/runs": 404, "/web/app.js": 200, "/web/server.go": 404,
		"/api/nothing": 404, "/api/sweep?sweep=/etc": 400} {
		if got, _ := ask(s, "GET", url); got != status {
			t.Errorf("%s: status %d, want %d", url, got, status)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/", nil))
	policy := w.Header().Get("Content-Security-Policy")
	_, rest, _ := strings.Cut(w.Body.String(), `<script type="importmap">`)
	script, _, _ := strings.Cut(rest, "</script>")
	// modules that come before the map could not find each other
	if before, early, _ := strings.Cut(w.Body.String(), "modulepreload"); !strings.Contains(before,
		script) || !strings.Contains(early, "/web/pages/runs.js") ||
		!strings.Contains(early, "/web/ui.js") || w.Header().Get("Link") != "" {
		t.Errorf("the modules of the page are asked for too early, or too late:\n%s", w.Body)
	}
	sum := sha256.Sum256([]byte(script))
	for _, need := range []string{"default-src 'none'", "frame-ancestors 'none'",
		"script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"} {
		if !strings.Contains(policy, need) {
			t.Errorf("the policy %q has no %s", policy, need)
		}
	}
}

// TestAssetsAreSentOnce asks for a module as a browser does: compressed, and then under its
// validator. What it unpacks is the file in this folder.
func TestAssetsAreSentOnce(t *testing.T) {
	s := newServer(t, site.Options{Paths: []string{t.TempDir()}})
	want := proof.Must(os.ReadFile("web/app.js"))(t)
	get := func(link string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "http://localhost"+link, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	unpacked := func(w *httptest.ResponseRecorder) string {
		z := proof.Must(gzip.NewReader(w.Body))(t)
		text := proof.Must(io.ReadAll(z))(t)
		return string(text)
	}
	plain, packed := get("/web/app.js"), get("/web/app.js", "Accept-Encoding", "gzip, br")
	if plain.Body.String() != string(want) || 2*packed.Body.Len() > len(want) ||
		unpacked(packed) != string(want) {
		t.Error("the module is another one, or hardly smaller")
	}
	for _, w := range []*httptest.ResponseRecorder{plain, packed} {
		again := get("/web/app.js", "Accept-Encoding", w.Header().Get("Content-Encoding"),
			"If-None-Match", w.Header().Get("ETag"))
		if again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("asked again it answers %d with %d bytes", again.Code, again.Body.Len())
		}
	}
	proof.Is(t, get("/web/app.js", "If-None-Match", packed.Header().Get("ETag")).Code, 200,
		"who cannot unpack is told")
	long := get("/api/assets")
	if unpacked(get("/api/assets", "Accept-Encoding", "gzip")) != long.Body.String() {
		t.Error("a long answer is another one when it is compressed")
	}
}

// listener tells when something was written to it.
type listener struct {
	*httptest.ResponseRecorder
	heard func()
}

func (l *listener) Write(content []byte) (int, error) {
	l.heard()
	return l.ResponseRecorder.Write(content)
}

// TestGamesEndWithTheirPage closes pages for which games are played: nothing goes on behind them.
func TestGamesEndWithTheirPage(t *testing.T) {
	s := newServer(t, site.Options{Paths: []string{t.TempDir()}})
	before := runtime.NumGoroutine()
	for _, link := range []string{
		"league?game=antwars&boards=4096&players=hyper&players=super&players=brilliant",
		"play?game=antwars&players=greedy",
	} {
		ctx, leave := context.WithCancel(t.Context())
		begun, over := make(chan struct{}), make(chan struct{})
		w := &listener{httptest.NewRecorder(), sync.OnceFunc(func() { close(begun) })}
		go func() {
			defer close(over)
			r := httptest.NewRequest("GET", "http://localhost/api/"+link, nil)
			s.ServeHTTP(w, r.WithContext(ctx))
		}()
		<-begun
		leave()
		<-over
		if body := w.Body.String(); strings.Contains(body, `"over":true`) {
			t.Errorf("%s goes on to its end: %.300s", link, body)
		}
	}
	for begun := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(begun) > 20*time.Second {
			t.Fatalf("%d goroutines go on", runtime.NumGoroutine()-before)
		}
	}
}
