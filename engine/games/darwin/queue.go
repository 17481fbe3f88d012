package darwin

// queue orders the creatures that still act by the time spent. It is a binary heap with the layout
// of java.util.PriorityQueue, because its layout decides ties: sifting up stops at a parent that is
// not greater, sifting down prefers the left of two equal children and stops if no child is
// smaller. For the same reason the first entry is removed and added again in two steps.
type queue []entry

// entry is a creature's slot with its time.
type entry struct {
	time int64
	slot int32
}

// push adds an entry.
func (q *queue) push(e entry) {
	*q = append(*q, e)
	q.up(len(*q)-1, e)
}

// pop removes the first entry.
func (q *queue) pop() { q.removeAt(0) }

// remove removes a creature, if it is in the queue.
func (q *queue) remove(slot int32) {
	for i, e := range *q {
		if e.slot == slot {
			q.removeAt(i)
			return
		}
	}
}

func (q *queue) removeAt(i int) {
	h := *q
	last := len(h) - 1
	moved := h[last]
	*q = h[:last]
	if i == last {
		return
	}
	if q.down(i, moved) == i {
		q.up(i, moved)
	}
}

// up puts e at i or above.
func (q *queue) up(i int, e entry) {
	h := *q
	for i > 0 {
		parent := (i - 1) / 2
		if e.time >= h[parent].time {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// down puts e at i or below and returns where. Which child is smaller cannot be predicted, so that
// it is found without a branch.
func (q *queue) down(i int, e entry) int {
	h := *q
	for half := len(h) / 2; i < half; {
		child := 2*i + 1
		if right := child + 1; right < len(h) {
			greater := 0
			if h[right].time < h[child].time {
				greater = 1
			}
			child += greater
		}
		if e.time <= h[child].time {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = e
	return i
}
