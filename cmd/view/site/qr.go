package site

import (
	"net/http"
	"net/url"

	"rsc.io/qr"
)

// sendQR answers with the QR code of a page's link, as PNG. The link includes the token, if there
// is one, so that scanning the code gives the rights of the person who shows it.
func (s *Site) sendQR(w http.ResponseWriter, r *http.Request) {
	to, err := url.Parse(r.FormValue("link"))
	if err != nil || to.Host != r.Host {
		Fail(w, Refuse("%q is no link of this server", r.FormValue("link")))
		return
	}
	if s.Token != "" {
		q := to.Query()
		q.Set(TokenKey, s.Token)
		to.RawQuery = q.Encode()
	}
	code, err := qr.Encode(to.String(), qr.L)
	if err != nil {
		Fail(w, Wrong(err))
		return
	}
	w.Header().Set("Content-Type", "image/png")
	Write(w, code.PNG())
}
