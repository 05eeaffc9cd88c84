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
	m.mu.RLock()
	var keys []string
	for k := range m.values {
		if strings.HasPrefix(k, prefix) {
			keys = append(keys, k)
		}
	}
	m.mu.RUnlock()
	slices.Sort(keys)
	for i := 0; i < len(keys); {
		seek, err := see(keys[i], func() ([]byte, error) { return m.get(keys[i]) })
		if errors.Is(err, errEnough) {
			return nil
		}
		if err != nil {
			return err
		}
		for i++; i < len(keys) && keys[i] < seek; {
			i++
		}
	}
	return nil
}

func (m *memory) write(pairs []pair) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range pairs {
		if p.value == nil {
			delete(m.values, p.key)
		} else {
			m.values[p.key] = bytes.Clone(p.value)
		}
	}
	return nil
}

func (m *memory) room() error  { return nil }
func (m *memory) close() error { return nil }
