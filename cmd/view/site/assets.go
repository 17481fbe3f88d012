package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// asset is an embedded file: compressed, for browsers that accept that, and with a validator of its
// content, so that it is sent once.
type asset struct {
	plain, packed []byte // packed is nil where it would not be smaller
	etag          string
}

// readAssets reads all files of a folder.
func readAssets(web fs.FS) (map[string]*asset, error) {
	all := map[string]*asset{}
	return all, fs.WalkDir(web, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(web, name)
		if err != nil {
			return err
		}
		a := &asset{plain: content, etag: fmt.Sprintf(`"%.16x"`, sha256.Sum256(content))}
		if packed := pack(content, gzip.BestCompression); len(packed) < len(content) {
			a.packed = packed
		}
		all[name] = a
		return nil
	})
}

// pack compresses a text.
func pack(content []byte, level int) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("site: " + err.Error()) // a buffer takes everything, and the levels are right
	}
	return b.Bytes()
}

// takesGzip reports whether the client accepts compressed answers.
func takesGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

// sendAsset answers the link of an embedded file.
func (s *Site) sendAsset(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/web/")
	a := s.assets[name]
	if a == nil {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		h.Set("Content-Type", kind)
	}
	h.Set("Vary", "Accept-Encoding")
	content, etag := a.plain, a.etag
	if a.packed != nil && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		content, etag = a.packed, strings.TrimSuffix(a.etag, `"`)+`-gzip"`
	}
	h.Set("ETag", etag)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

// least is the length from which answers are compressed.
const least = 2 << 10

// writeJSON writes an answer, compressed if it is long and the client accepts that.
func writeJSON(w http.ResponseWriter, r *http.Request, content []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Vary", "Accept-Encoding")
	if len(content) >= least && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		content = pack(content, gzip.BestSpeed)
	}
	Write(w, content)
}
