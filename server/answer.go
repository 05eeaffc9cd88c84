package server

import (
	"bytes"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// While a game is on, whoever listens on the air must not learn from an answer
// whether a form was accepted, or why not: a Doctor is refused what a civilian
// is not. So accepted or refused, answers have one status and one size, and to
// what is sent for a seat at night they leave at one moment after it came.

const (
	answerSize = 1 << 10                // of what a page's script gets, in bytes
	maxTold    = 500                    // devices whose answer waits for their next page
	pageStep   = 8 << 10                // pages grow by it, in bytes
	answerTick = 250 * time.Millisecond // answers of a night leave at a multiple of it after their form came
)

// answer tells a page of a running game how its form fared: the page's script
// by a sentence, or none, and after a sign where it was done; a browser without
// it by the page to which it is sent.
func (b *Box) answer(c *fiber.Ctx, device, page string, told answer) error {
	if b.gone(told.err) { // whatever became of it: the answer of this moment tells nothing apart
		return b.comeBack(c, troubleStopped)
	}
	if !live(c) {
		b.tell(device, told)
		return c.Redirect(page, fiber.StatusSeeOther)
	}
	var text []byte
	switch w := b.wordsFor(c); {
	case told.err != nil:
		text = []byte(w.refusal(told.err))
	case told.word != nil:
		text = []byte("+" + w.refusal(*told.word))
	}
	return c.Type("txt", "utf-8").Send(filled(text, answerSize))
}

// evenly waits for the moment at which the answer to a form may leave. What is
// refused is not stored, and waits as if it were: a card may be slower than a tick.
func evenly(c *fiber.Ctx, came time.Time, storing time.Duration) {
	rest(c)
	leaves := max(time.Since(came), storing+answerTick/5)
	leaves += answerTick - leaves%answerTick
	time.Sleep(leaves - time.Since(came))
}

// filled is a text with spaces at its end, up to a multiple of a size.
func filled(text []byte, size int) []byte {
	if rest := len(text) % size; rest > 0 || len(text) == 0 {
		text = append(text, bytes.Repeat([]byte{' '}, size-rest)...)
	}
	return text
}

// tell keeps what is to be said of a form for the next page of that device.
func (b *Box) tell(device string, told answer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.told, device)
	if told.err == nil && told.word == nil {
		return
	}
	for other := range b.told { // any of them: who never asks for his page would stay here
		if len(b.told) < maxTold {
			break
		}
		delete(b.told, other)
	}
	b.told[device] = told
}

// untold takes what is to be said of the form that a device sent last: that it
// was done, or what was wrong.
func (b *Box) untold(device string, w words) (done, wrong string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	told := b.told[device]
	delete(b.told, device)
	switch {
	case told.err != nil:
		wrong = w.refusal(told.err)
	case told.word != nil:
		done = w.refusal(*told.word)
	}
	return done, wrong
}

// pageSize is how large the pages of a running game are made, in bytes; 0 without
// a game. It holds what any seat may see, and follows from what everybody knows
// alone: how many sit there, how long their names are, how many nights have passed.
func pageSize(m *moment) int {
	if !m.plays() {
		return 0
	}
	size := 4<<10 + 400*m.game.Phase().N
	for _, p := range m.doc.People {
		size += 450 + 5*written(p.Name)
	}
	if m.writes() {
		size += lettersShown * 6 * engine.TextMax
	}
	return (size/pageStep + 1) * pageStep
}

// writes tells whether this game has a private channel: every living seat has it.
func (m *moment) writes() bool {
	for i := range m.doc.People {
		if seat := engine.Seat(i + 1); !m.game.IsOut(seat) {
			return slices.ContainsFunc(m.game.Offers(engine.Actor(seat)), func(o engine.Offer) bool { return o.Verb == engine.Whisper })
		}
	}
	return false
}

// hostSize is how large its host's pages are made. They grow with the acts of a
// night, and how many those are is secret: it holds the log of a busy one.
func hostSize(m *moment) int {
	if !m.plays() {
		return 0
	}
	list, seats := 0, len(m.doc.People)
	for _, p := range m.doc.People {
		list += 80 + written(p.Name)
	}
	return (pageSize(m) + 24<<10 + seats*(3<<10+3*list)) / pageStep * pageStep
}

// written is how long a text is in a page's HTML, in bytes.
func written(text string) int {
	return len(template.HTMLEscapeString(text)) + 4*strings.Count(text, "+")
}
