package server

import (
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/mafiabox/mafiabox/engine"
)

// tidyPost makes a text fit for a thread. It stays as it was written, but for
// what is not seen and changes what is: control characters, marks that turn the
// direction of the text around them or hide in it, and piles of marks that would
// be drawn over the neighbours.
func tidyPost(typed string) string {
	typed = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(strings.ToValidUTF8(typed, "\ufffd"))
	text := strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case hidden(r):
			return -1
		}
		return r
	}, typed)
	return strings.TrimRightFunc(fewMarks(text), unicode.IsSpace)
}

// checkPost tells what keeps a tidied text from being posted.
func checkPost(text string) error {
	switch {
	case !strings.ContainsFunc(text, func(r rune) bool { return seen(r) && !strings.ContainsRune(blanks, r) }):
		return say("post_empty")
	case len(text) > engine.PostMax:
		return say("post_long", "Max", engine.PostMax>>10, "Got", len(text)-engine.PostMax)
	}
	return nil
}

// How much may be written by those who don't play. Anybody on the Wi-Fi can, and
// nobody removes it again.
const (
	guestRest = time.Minute // between posts of one device, and of one address
	guestDay  = 30          // posts of all guests of a table in 24 hours
)

// outsiders limits what guests post.
type outsiders struct {
	mu     sync.Mutex
	posted map[string][]guestPost // by table, the oldest first; none is older than a day
}

// guestPost is a guest's post: by whom, and of which form.
type guestPost struct {
	at                time.Time
	device, from, key string
}

// may tells whether a guest may post now, and counts it. The same form counts once.
func (o *outsiders) may(table string, p guestPost) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.posted == nil {
		o.posted = make(map[string][]guestPost)
	}
	all := o.posted[table]
	for len(all) > 0 && p.at.Sub(all[0].at) >= 24*time.Hour {
		all = all[1:]
	}
	o.posted[table] = all
	for _, other := range all {
		switch {
		case other.key == p.key && p.key != "":
			return nil
		case (other.device == p.device || other.from == p.from) && p.at.Sub(other.at) < guestRest:
			return say("guest_fast")
		}
	}
	if len(all) >= guestDay {
		return say("guest_many", "Max", guestDay)
	}
	o.posted[table] = append(all, p)
	return nil
}
