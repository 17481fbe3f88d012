package parallel

import "sync"

// Counting returns what counts pieces of work that are done by several goroutines; progress may be
// nil.
func Counting(progress func(done, total int), total int) (count func()) {
	if progress == nil {
		return func() {}
	}
	var lock sync.Mutex
	done := 0
	return func() {
		lock.Lock()
		defer lock.Unlock()
		done++
		progress(done, total)
	}
}
