package parallel

// Lock is a mutex made of a channel. A goroutine that waits for it is durably blocked for
// testing/synctest, so that simulated time goes on while the holder waits for a disk.
type Lock chan struct{}

// NewLock returns a lock that is free.
func NewLock() Lock { return make(Lock, 1) }

// Lock waits for the lock, and takes it.
func (l Lock) Lock() { l <- struct{}{} }

// Unlock releases the lock.
func (l Lock) Unlock() { <-l }
