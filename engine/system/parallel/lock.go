package parallel

// Lock is a mutex that may be held while the disk hangs: waiting for it is waiting for a channel,
// so that the time of a simulation goes on meanwhile.
type Lock chan struct{}

// NewLock returns a lock that is free.
func NewLock() Lock { return make(Lock, 1) }

// Lock waits for the lock, and takes it.
func (l Lock) Lock() { l <- struct{}{} }

// Unlock gives it free.
func (l Lock) Unlock() { <-l }
