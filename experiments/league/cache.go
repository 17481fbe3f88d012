package league

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"clade/engine/system/durable"
)

// Cache holds results of games by name in a file. A nil Cache holds nothing. It is safe for
// concurrent use.
type Cache struct {
	path  string
	owner string // hash of all that decides the results

	lock  sync.Mutex
	parts map[string]json.RawMessage
	found bool      // the file held results
	saved time.Time // or opened
	dirty bool
	err   error // of the newest attempt to save
}

// saveEvery is the time between writes of the file, and before the first. Save writes it at once.
const saveEvery = time.Minute

// cacheFile is the content of the file, after a line with its SHA-256.
type cacheFile struct {
	Owner string                     `json:"owner"`
	Parts map[string]json.RawMessage `json:"parts"`
}

// OpenCache opens the cache of results that depend on a description, in a file, or, with "" for its
// path, in memory alone. The cache also holds the results of other files, which are only read. A
// file for another description, or a damaged one, counts as empty.
func OpenCache(path string, description any, others ...string) (*Cache, error) {
	text, err := json.Marshal(description)
	if err != nil {
		return nil, err
	}
	c := &Cache{path: path, saved: time.Now(), owner: fmt.Sprintf("%x", sha256.Sum256(text)),
		parts: map[string]json.RawMessage{}}
	for _, p := range append(others, path) {
		content, err := os.ReadFile(p)
		if err != nil && p == path && p != "" && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		var f cacheFile
		sum, body, _ := bytes.Cut(content, []byte("\n"))
		if string(sum) == fmt.Sprintf("%x", sha256.Sum256(body)) &&
			json.Unmarshal(body, &f) == nil && f.Owner == c.owner {
			maps.Copy(c.parts, f.Parts)
			c.found = p == path && len(f.Parts) > 0
		}
	}
	return c, nil
}

// Found reports whether the file held results when the cache was opened.
func (c *Cache) Found() bool { return c != nil && c.found }

// Recall returns the result that was recorded under a name.
func Recall[T any](c *Cache, name string) (v T, ok bool) {
	if c == nil {
		return v, false
	}
	c.lock.Lock()
	text, ok := c.parts[name]
	c.lock.Unlock()
	return v, ok && json.Unmarshal(text, &v) == nil
}

// Record stores a result, as JSON. Save returns the error if it could not be written.
func (c *Cache) Record(name string, v any) {
	if c == nil {
		return
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic("league: a result cannot be recorded: " + err.Error())
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.parts[name], c.dirty = text, true
	if time.Since(c.saved) >= saveEvery {
		c.write()
	}
}

// Save writes the results that are not written yet.
func (c *Cache) Save() error {
	if c == nil {
		return nil
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.dirty {
		c.write()
	}
	return c.err
}

func (c *Cache) write() {
	c.saved = time.Now()
	if c.path == "" {
		return
	}
	body, err := json.Marshal(cacheFile{c.owner, c.parts}) // sorted by name
	if err == nil {
		err = os.MkdirAll(filepath.Dir(c.path), 0o777)
	}
	if err == nil {
		err = durable.WriteFile(c.path, fmt.Appendf(nil, "%x\n%s", sha256.Sum256(body), body), 0o666)
	}
	if c.err = err; err != nil {
		c.err = fmt.Errorf("results cannot be recorded: %w", err)
		return
	}
	c.dirty = false
}

// Discard deletes the file.
func (c *Cache) Discard() error {
	if c == nil {
		return nil
	}
	if err := os.Remove(c.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
