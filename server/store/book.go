package store

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
)

// book is a sorted set of keys with values: what the store needs of Badger.
type book interface {
	// get gives a value of the caller's own, or ErrNotFound.
	get(key string) ([]byte, error)
	// scan goes through the keys with the prefix in order. A key that see
	// returns is the next one looked at, or the first after it.
	scan(prefix string, see func(key string, value func() ([]byte, error)) (seek string, err error)) error
	// write sets all of the pairs, synced, or none. After an error nobody
	// knows which of the two it was.
	write([]pair) error
	// room is ErrFull when it is not safe to write.
	room() error
	close() error
}

// pair is one key to set, or to delete when value is nil.
type pair struct {
	key   string
	value []byte
}

// errEnough ends a scan without an error.
var errEnough = errors.New("enough")

// Memory is a Store that forgets everything at its end. It does what the store
// on a disk does, except for the files.
func Memory() Store {
	return &store{book: &memory{values: map[string][]byte{}}, tails: map[string]tail{}}
}

type memory struct {
	mu     sync.RWMutex
	values map[string][]byte
	keys   []string // sorted, so that a scan costs what it looks at
}

func (m *memory) get(key string) ([]byte, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.values[key]
	if !ok {
		return nil, ErrNotFound
	}
	return append([]byte{}, v...), nil
}

func (m *memory) scan(prefix string, see func(string, func() ([]byte, error)) (string, error)) error {
	for from := prefix; ; {
		key, ok := m.next(from)
		if !ok || !strings.HasPrefix(key, prefix) {
			return nil
		}
		seek, err := see(key, func() ([]byte, error) { return m.get(key) })
		if errors.Is(err, errEnough) {
			return nil
		}
		if err != nil {
			return err
		}
		from = max(seek, key+"\x00") // the key right behind it
	}
}

// next is the first key that is not before from.
func (m *memory) next(from string) (key string, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	i, _ := slices.BinarySearch(m.keys, from)
	if i == len(m.keys) {
		return "", false
	}
	return m.keys[i], true
}

func (m *memory) write(pairs []pair) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range pairs {
		i, known := slices.BinarySearch(m.keys, p.key)
		switch {
		case p.value == nil && known:
			m.keys = slices.Delete(m.keys, i, i+1)
			delete(m.values, p.key)
		case p.value != nil:
			if !known {
				m.keys = slices.Insert(m.keys, i, p.key)
			}
			m.values[p.key] = bytes.Clone(p.value)
		}
	}
	return nil
}

func (m *memory) room() error  { return nil }
func (m *memory) close() error { return nil }
