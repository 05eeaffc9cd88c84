package engine

import "sync/atomic"

// claim is how far the room behind a list is taken. Games that share a
// beginning share their lists; the first to grow takes the next place, and who
// comes second copies. So a long game grows without copying all of it for each
// act, and an old Game stays as it was.
type claim struct{ taken atomic.Int64 }

// grow is the list with one more at its end.
func grow[T any](list []T, c *claim, more T) ([]T, *claim) {
	n := int64(len(list))
	if c == nil || len(list) == cap(list) || !c.taken.CompareAndSwap(n, n+1) {
		c = &claim{}
		c.taken.Store(n + 1)
		list = append(make([]T, 0, 2*len(list)+8), list...)
	}
	return append(list, more), c
}
