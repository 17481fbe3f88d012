package site

import "sync"

// Kept keeps values by name up to a total size, and then removes the oldest. It is safe for
// concurrent use.
type Kept[T any] struct {
	Most int         // in all
	Size func(T) int // of a value

	mu     sync.Mutex
	values map[string]T
	order  []string
	size   int
}

// Put keeps a value, in place of an earlier one of the name.
func (k *Kept[T]) Put(name string, value T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if old, ok := k.values[name]; ok {
		k.values[name], k.size = value, k.size+k.Size(value)-k.Size(old)
		return
	}
	if k.values == nil {
		k.values = map[string]T{}
	}
	for k.size += k.Size(value); k.size > k.Most && len(k.order) > 0; k.order = k.order[1:] {
		k.size -= k.Size(k.values[k.order[0]])
		delete(k.values, k.order[0])
	}
	k.values[name] = value
	k.order = append(k.order, name)
}

// Get returns the value of a name, false if it is not kept any more.
func (k *Kept[T]) Get(name string) (value T, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	value, ok = k.values[name]
	return value, ok
}
