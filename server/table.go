package server

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// Table is one table of the box: the people at it and the game they play. One
// goroutine owns it. It takes what waits in the queue, tries it on a draft,
// stores all of it in one transaction, and only then adopts it, answers, and
// wakes those who watch. If storing fails nothing has changed.
type Table struct {
	id    string
	box   *Box
	queue chan request
	now   atomic.Pointer[moment]

	answers map[string]answer   // the first answer to each client key
	keys    map[string][]string // by device, the oldest first, so that the memory has an end

	storing atomic.Int64 // how long it took of late, in nanoseconds

	mu       sync.Mutex
	watchers map[*watcher]bool
	opened   int // pages so far
}

// moment is what a table is between two transactions. It never changes, so
// pages read it without asking the table's goroutine.
type moment struct {
	doc    doc
	game   engine.Game // of the game that is on, or the last one; see doc.Game
	frozen string      // why the table takes no more acts, if so
	stepAt time.Time   // when a step was last taken, and stored
	clock  clockwork   // of what is timed now
	pages  []int       // of the thread: the act that each begins with
	asked  confirm     // a step that waits for its second press
	due    dues        // of a game with deadlines

	settled bool // it was brought up to the time since the box was opened
	over    bool // the store has the game's end: nothing may follow
}

// plays tells whether a game is on, or over and not yet left for the lobby. A
// table whose game could not even begin again has none.
func (m *moment) plays() bool { return m.doc.Stage == playing && m.game.Begun() }

// request is something to be done at the table.
type request struct {
	key    string // of the device and its form; empty: never repeated
	at     time.Time
	do     func(*draft) error
	frozen bool // it is for a frozen table
	reply  chan answer
}

// answer is how a request fared: why nothing was done, or what is to be said
// about what was, if anything.
type answer struct {
	err  error
	word *problem
}

// draft is the table as it would be when what was asked is done.
type draft struct {
	moment
	table string
	box   *Box
	now   time.Time // of the machine: for durations
	time  time.Time // on the wall
	known bool      // that time is right
	key   string
	word  *problem       // to be said about what was done
	dirty bool           // the document has changed
	quiet bool           // something has changed that is shown and not stored
	heard bool           // somebody besides the host may see something else
	games []store.Change // what happened in games, one change a game

	clubDo []func(*clubDoc) // what changes in the club when this is stored
}

// The errors of a table itself; a game's refusals are engine.Refusal.
var (
	errStorage = errors.New("nothing was done: the box could not store it")
	errFrozen  = errors.New("this table is frozen")
	errClosing = errors.New("the box is closing")
)

const (
	keptAnswers = 256 // client keys remembered of a device
	keptDevices = 256 // devices of which keys are remembered
	deviceInKey = 16  // how much of a key names the device
	batch       = 64  // requests that share a transaction at the most
)

func newTable(b *Box, id string, m moment) *Table {
	t := &Table{id: id, box: b, queue: make(chan request, batch), answers: make(map[string]answer), keys: make(map[string][]string), watchers: make(map[*watcher]bool)}
	t.now.Store(&m)
	return t
}

// Do does something at the table, after what waits already. A key that was
// seen before gets its first answer again, and nothing is done.
func (t *Table) Do(key string, do func(*draft) error) error { return t.ask(key, do).err }

// ask is Do, with what is to be said about what was done.
func (t *Table) ask(key string, do func(*draft) error) answer {
	return t.request(request{key: key, do: do})
}

func (t *Table) request(r request) answer {
	r.at, r.reply = t.box.cfg.Now(), make(chan answer, 1)
	select {
	case t.queue <- r:
	case <-t.box.closing:
		return answer{err: errClosing}
	}
	select {
	case a := <-r.reply:
		return a
	case <-t.box.closed:
		return answer{err: errClosing}
	}
}

// run is the table's goroutine.
func (t *Table) run() {
	for t.serve() {
	}
}

// serve does what is asked until the box ends, or something breaks.
func (t *Table) serve() (again bool) {
	defer func() {
		if broken := recover(); broken != nil {
			t.freeze(broken)
			again = true
		}
	}()
	beat := time.NewTicker(nightBeat)
	defer beat.Stop()
	var next wakeup
	for beats := 0; ; {
		next.set(t)
		select {
		case <-next.rings:
			next = t.falls()
		case r := <-t.queue:
			t.work(t.gather(r))
		case <-beat.C:
			t.forget()
			t.saveClock(noteStep)
			t.saveAlive(aliveStep)
			t.settleNow()
			t.probe(beats)
			if beats++; !t.now.Load().dated() || beats%longBeat == 0 {
				t.wake(func(w *watcher) { w.signal(w.beat) })
			}
		case <-t.box.closing:
			t.saveClock(0)
			t.saveAlive(0)
			return false
		}
	}
}

// gather takes what waits, so that acts of one moment share a transaction.
func (t *Table) gather(first request) []request {
	all := []request{first}
	for len(all) < batch {
		select {
		case r := <-t.queue:
			all = append(all, r)
		default:
			return all
		}
	}
	return all
}

func (t *Table) work(all []request) {
	defer func() {
		if broken := recover(); broken != nil {
			t.freeze(broken)
			for _, r := range all {
				select {
				case r.reply <- answer{err: errFrozen}:
				default: // it has its answer
				}
			}
		}
	}()
	before := t.now.Load()
	d := draft{moment: *before, table: t.id, box: t.box}
	d.doc = d.doc.clone()
	answers := make([]answer, len(all))
	first := make(map[string]int) // the place of each key in this batch
	var done []int
	for i, r := range all {
		if answer, known := t.answers[r.key]; known {
			answers[i] = answer
		} else if _, known := first[r.key]; !known || r.key == "" {
			first[r.key], done = i, append(done, i)
			answers[i] = t.try(&d, r)
		}
	}
	err := t.commit(before, &d)
	if len(done) > 1 && (errors.Is(err, store.ErrInvalid) || errors.Is(err, store.ErrOrder) || errors.Is(err, store.ErrTooLong)) {
		for _, r := range all { // one of them can't be stored: the others must not suffer
			t.work([]request{r})
		}
		return
	}
	if err != nil {
		t.box.log.Error("table not stored", "table", t.id, "error", err)
	}
	for _, i := range done {
		if err != nil && answers[i].err == nil {
			answers[i] = answer{err: fmt.Errorf("%w: %w", errStorage, err)}
		} else if !errors.Is(answers[i].err, errStorage) {
			t.remember(all[i].key, answers[i])
		}
	}
	for i, r := range all {
		if at, known := first[r.key]; known && r.key != "" {
			answers[i] = answers[at]
		}
		r.reply <- answers[i]
	}
}

// try does one request on the draft; when it fails the draft is as it was. A
// broken invariant freezes the table: what is stored stays, and nothing is
// made up on top of it.
func (t *Table) try(d *draft, r request) (a answer) {
	if d.frozen != "" && !r.frozen {
		return answer{err: errFrozen}
	}
	d.now = latest(d.now, r.at)
	d.time, d.known = t.box.timeAt(d.now)
	var saved draft
	save := func() {
		saved = *d
		saved.doc, saved.games = d.doc.clone(), cloneChanges(d.games)
	}
	save()
	defer func() {
		if broken := recover(); broken != nil {
			saved.frozen = t.isFrozen(broken)
			*d, a = saved, answer{err: errFrozen}
		}
	}()
	d.key = ""
	if d.frozen == "" {
		d.fall()
	}
	save() // what was due by now stays done, whatever becomes of the request
	d.key, d.dirty, d.word = r.key, false, nil
	if err := r.do(d); err != nil {
		*d = saved
		return answer{err: err}
	}
	if d.dirty {
		d.doc.keep(r.key) // stored with what it did, so that it is never done twice
	}
	d.dirty = d.dirty || saved.dirty
	return answer{word: d.word}
}

// commit stores the draft and then shows it.
func (t *Table) commit(before *moment, d *draft) error {
	changes := d.games
	if d.dirty {
		changes = append(changes, store.Change{Table: t.id, Doc: d.doc.encode()})
		changes = append(changes, heldChanges(t.id, before.doc.Held, d.doc.Held)...)
	}
	if len(changes) == 0 && !d.quiet && d.frozen == before.frozen {
		return nil
	}
	if len(changes) > 0 {
		began := time.Now()
		err := t.store(d, changes)
		took, was := time.Since(began), t.slowest()
		t.storing.Store(int64(max(took, was-was/8)))
		if err != nil {
			return err
		}
	}
	after := d.moment
	if !after.stepAt.Equal(before.stepAt) { // nobody knew of it while the disk was at work
		after.stepAt = t.box.cfg.Now()
	}
	t.now.Store(&after)
	t.box.backUp(before, &after)
	t.ended(before, &after)
	public := phaseOf(before) != phaseOf(&after)
	day := !night(&after) && (d.heard || d.dirty || d.frozen != before.frozen)
	atOnce := !night(&after) || len(d.games) == 0 // else the host's page waits for the answer: it would tell which forms were accepted
	t.wake(func(w *watcher) {
		if w.host && atOnce || public || day {
			w.signal(w.changed)
		}
	})
	return nil
}

// store stores changes, and with them what changes in the club.
func (t *Table) store(d *draft, changes []store.Change) error {
	if len(d.clubDo) == 0 {
		return t.box.store.Commit(changes...)
	}
	return t.box.club.change(func(c *clubDoc) error {
		for _, do := range d.clubDo {
			do(c)
		}
		return nil
	}, changes...)
}

// slowest is how long storing took of late, at the most.
func (t *Table) slowest() time.Duration { return time.Duration(t.storing.Load()) }

// cloneChanges keeps what a failing request must not change.
func cloneChanges(games []store.Change) []store.Change {
	games = slices.Clone(games)
	for i := range games {
		games[i].Acts = slices.Clone(games[i].Acts)
	}
	return games
}

// remember keeps the answer to a key. Each device has a memory of its own, so
// that nobody empties another's.
func (t *Table) remember(key string, a answer) {
	if _, known := t.answers[key]; key == "" || known { // a form may be several acts
		return
	}
	device := key[:min(len(key), deviceInKey)]
	if t.keys[device] == nil && len(t.keys) >= keptDevices {
		t.forgetStranger()
	}
	t.answers[key] = a
	t.keys[device] = append(t.keys[device], key)
	if keys := t.keys[device]; len(keys) > keptAnswers {
		delete(t.answers, keys[0])
		t.keys[device] = keys[1:]
	}
}
