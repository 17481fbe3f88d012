package parallel

import "sync"

// Counting returns a function that several goroutines call after each piece of work, and that calls
// progress with the count, one call at a time; progress may be nil.
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
