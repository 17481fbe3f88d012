package site

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// tokenCookie is the cookie that holds the token, and TokenKey the parameter of the first link.
const (
	tokenCookie = "clade-token"
	TokenKey    = "token"
)

// ServeHTTP checks the client, and the name under which it asks, before anything else.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.policy())
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	if why := s.foreign(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	if s.Token != "" && !s.admit(w, r) {
		return
	}
	if !takeBody(w, r) {
		return
	}
	s.mux.ServeHTTP(w, r)
}

// takeBody reads the whole request within the server's read timeout. It then removes the timeout,
// which would also end the request's context, so that an answer may take any time.
func takeBody(w http.ResponseWriter, r *http.Request) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "clade: the request is not whole: "+err.Error(), http.StatusBadRequest)
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // there is none in tests
	return true
}

// policy returns the content security policy: nothing from elsewhere, and no scripts except the
// embedded ones.
func (s *Site) policy() string {
	return "default-src 'none'; script-src 'self' '" + s.index.hash + "'; style-src 'self'; " +
		"img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// foreign returns what is wrong with a request that another site's page may have sent, "" for
// nothing. A foreign name that resolves to this machine is refused, too.
func (s *Site) foreign(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	loopback := host == "localhost" || host == "127.0.0.1" || host == "::1"
	if !loopback && !slices.Contains(s.Hosts, host) {
		return fmt.Sprintf(
			"clade: the host %q is not this server's; ask for localhost, or name it "+
				"with --host", host)
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host &&
		origin != "https://"+r.Host {
		return fmt.Sprintf("clade: a page of %s may not ask this server", origin)
	}
	navigates := r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/api/")
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none":
	default:
		if !navigates {
			return "clade: a page of another site may not ask this server"
		}
	}
	return ""
}

// admit accepts clients that know the token: by a cookie, or by the first link, which sets it.
func (s *Site) admit(w http.ResponseWriter, r *http.Request) bool {
	if c, err := r.Cookie(tokenCookie); err == nil && s.knows(c.Value) {
		return true
	}
	q := r.URL.Query()
	if r.Method != http.MethodGet || !s.knows(q.Get(TokenKey)) {
		http.Error(w, "clade: open the link that clade view has printed: it holds the token",
			http.StatusUnauthorized)
		return false
	}
	http.SetCookie(w, &http.Cookie{Name: tokenCookie, Value: s.Token, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteStrictMode})
	q.Del(TokenKey)
	clean := *r.URL
	clean.Scheme, clean.Host, clean.RawQuery = "", "", q.Encode()
	// a path such as //elsewhere would lead away
	clean.Path = "/" + strings.TrimLeft(clean.Path, "/\\")
	http.Redirect(w, r, clean.String(), http.StatusSeeOther)
	return false
}

func (s *Site) knows(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(s.Token)) == 1
}

// hashOf returns the source expression of a content security policy for an inline script.
func hashOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
