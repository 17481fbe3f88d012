package survey

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"clade/engine/durable"
)

// resultCache keeps what has been played on the way to something that takes hours, so that it is
// not played again when that is broken off: results of pieces of play, by name. A nil one keeps
// nothing. It may be used by several goroutines.
type resultCache struct {
	path  string
	owner string // hash of all that decides what is played

	lock  sync.Mutex
	parts map[string]json.RawMessage
	saved time.Time
	dirty bool
	err   error // of the newest attempt to save
}

// Parts are written to the file this often, and when play ends.
const noteEvery = time.Minute

// cacheFile is what the file holds, behind a line with the SHA-256 of it.
type cacheFile struct {
	Owner string                     `json:"owner"`
	Parts map[string]json.RawMessage `json:"parts"`
}

// openCache opens the cache of what the description decides. What the file holds for another one,
// or damaged, counts as nothing.
func openCache(path string, description any) (*resultCache, error) {
	text, err := json.Marshal(description)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	n := &resultCache{path: path, owner: fmt.Sprintf("%x", sha256.Sum256(text)),
		parts: map[string]json.RawMessage{}}
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var f cacheFile
	sum, body, _ := bytes.Cut(content, []byte("\n"))
	if string(sum) == fmt.Sprintf("%x", sha256.Sum256(body)) && json.Unmarshal(body, &f) == nil &&
		f.Owner == n.owner && f.Parts != nil {
		n.parts = f.Parts
	}
	return n, nil
}

// recall returns what was noted under a name.
func recall[T any](n *resultCache, name string) (v T, ok bool) {
	if n == nil {
		return v, false
	}
	n.lock.Lock()
	text, ok := n.parts[name]
	n.lock.Unlock()
	return v, ok && json.Unmarshal(text, &v) == nil
}

// note notes a result. Whether it could be written is for save to say.
func (n *resultCache) note(name string, v any) {
	if n == nil {
		return
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic("survey: a result cannot be noted: " + err.Error())
	}
	n.lock.Lock()
	defer n.lock.Unlock()
	n.parts[name], n.dirty = text, true
	if time.Since(n.saved) >= noteEvery {
		n.write()
	}
}

// save writes what is not written yet.
func (n *resultCache) save() error {
	if n == nil {
		return nil
	}
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.dirty {
		n.write()
	}
	return n.err
}

func (n *resultCache) write() {
	n.saved = time.Now()
	body, err := json.Marshal(cacheFile{n.owner, n.parts}) // sorted by name
	if err == nil {
		err = durable.WriteFile(n.path, fmt.Appendf(nil, "%x\n%s", sha256.Sum256(body), body),
			0o666)
	}
	if n.err = err; err != nil {
		n.err = fmt.Errorf("what was played cannot be noted: %w", err)
		return
	}
	n.dirty = false
}

// discard deletes the cache, when it is needed no longer.
func (n *resultCache) discard() error {
	if n == nil {
		return nil
	}
	if err := os.Remove(n.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
