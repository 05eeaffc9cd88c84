package server

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
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

	answers map[string]error    // the first answer to each client key
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
	stepAt time.Time   // when a step was last taken
	clock  clockwork   // of what is timed now
	asked  confirm     // a step that waits for its second press
}

// plays tells whether a game is on, or over and not yet left for the lobby. A
// table whose game could not even begin again has none.
func (m *moment) plays() bool { return m.doc.Stage == playing && m.game.Begun() }

// request is something to be done at the table.
type request struct {
	key   string // of the device and its form; empty: never repeated
	do    func(*draft) error
	reply chan error
}

// draft is the table as it would be when what was asked is done.
type draft struct {
	moment
	table string
	now   time.Time
	dated bool // the time is right
	key   string
	dirty bool           // the document has changed
	quiet bool           // something has changed that is shown and not stored
	heard bool           // somebody besides the host may see something else
	games []store.Change // what happened in games, one change a game
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
	t := &Table{id: id, box: b, queue: make(chan request, batch), answers: make(map[string]error), keys: make(map[string][]string), watchers: make(map[*watcher]bool)}
	t.now.Store(&m)
	return t
}

// Do does something at the table, after what waits already. A key that was
// seen before gets its first answer again, and nothing is done.
func (t *Table) Do(key string, do func(*draft) error) error {
	r := request{key, do, make(chan error, 1)}
	select {
	case t.queue <- r:
	case <-t.box.closing:
		return errClosing
	}
	select {
	case err := <-r.reply:
		return err
	case <-t.box.closed:
		return errClosing
	}
}

// run is the table's goroutine.
func (t *Table) run() {
	beat := time.NewTicker(nightBeat)
	defer beat.Stop()
	for {
		select {
		case r := <-t.queue:
			t.work(t.gather(r))
		case <-beat.C:
			t.forget()
			t.saveClock(noteStep)
			t.wake(func(w *watcher) { w.signal(w.beat) })
		case <-t.box.closing:
			t.saveClock(0)
			return
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
	before := t.now.Load()
	d := draft{moment: *before, table: t.id, now: t.box.cfg.Now(), dated: t.box.cfg.Trusted}
	d.doc = d.doc.clone()
	answers := make([]error, len(all))
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
		if err != nil && answers[i] == nil {
			answers[i] = fmt.Errorf("%w: %w", errStorage, err)
		} else if !errors.Is(answers[i], errStorage) {
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
func (t *Table) try(d *draft, r request) (err error) {
	if d.frozen != "" {
		return errFrozen
	}
	saved := *d
	saved.doc, saved.games = d.doc.clone(), cloneChanges(d.games)
	defer func() {
		if broken := recover(); broken != nil {
			t.box.log.Error("table frozen", "table", t.id, "error", broken, "stack", string(debug.Stack()))
			saved.frozen = fmt.Sprint(broken)
			*d, err = saved, errFrozen
		}
	}()
	d.key, d.dirty = r.key, false
	if err := r.do(d); err != nil {
		*d = saved
		return err
	}
	if d.dirty {
		d.doc.keep(r.key) // stored with what it did, so that it is never done twice
	}
	d.dirty = d.dirty || saved.dirty
	return nil
}

// commit stores the draft and then shows it.
func (t *Table) commit(before *moment, d *draft) error {
	changes := d.games
	if d.dirty {
		changes = append(changes, store.Change{Table: t.id, Doc: d.doc.encode()})
	}
	if len(changes) == 0 && !d.quiet && d.frozen == before.frozen {
		return nil
	}
	if len(changes) > 0 {
		began := time.Now()
		err := t.box.store.Commit(changes...)
		took, was := time.Since(began), t.slowest()
		t.storing.Store(int64(max(took, was-was/8)))
		if err != nil {
			if errors.Is(err, store.ErrStopped) {
				t.box.fail(err)
			}
			return err
		}
	}
	after := d.moment
	t.now.Store(&after)
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
func (t *Table) remember(key string, answer error) {
	if _, known := t.answers[key]; key == "" || known { // a form may be several acts
		return
	}
	device := key[:min(len(key), deviceInKey)]
	if t.keys[device] == nil && len(t.keys) >= keptDevices {
		t.forgetStranger()
	}
	t.answers[key] = answer
	t.keys[device] = append(t.keys[device], key)
	if keys := t.keys[device]; len(keys) > keptAnswers {
		delete(t.answers, keys[0])
		t.keys[device] = keys[1:]
	}
}

// change is what happens in the table's game, to be stored.
func (d *draft) change() *store.Change {
	if n := len(d.games); n == 0 || d.games[n-1].Game != d.doc.Game {
		d.games = append(d.games, store.Change{Table: d.table, Game: d.doc.Game})
	}
	return &d.games[len(d.games)-1]
}

// act does an act of the running game on the draft.
func (d *draft) act(a engine.Act) error {
	if !d.game.Begun() {
		return engine.RefusedPhase
	}
	a.At = d.now
	phase := d.game.Phase()
	game, events, err := d.game.Do(a)
	if err != nil {
		return err
	}
	log := game.Log()
	line := store.Act{No: log[len(log)-1].Act.No, Line: record.FormatAct(log[len(log)-1].Act), Key: d.key, Rules: rulesVersion}
	if again, err := record.ParseAct(line.Line, game.Setup().Seats); err != nil || record.FormatAct(again) != line.Line {
		return say("bad_form") // it could not be read back
	}
	for _, e := range events {
		line.Events = append(line.Events, record.FormatEvent(e))
	}
	d.game = game
	d.heard = d.heard || a.Verb != engine.Note
	change := d.change()
	change.Acts = append(change.Acts, line)
	if game.Phase() != phase {
		d.stepAt, d.asked = d.now, confirm{}
	}
	d.noteReaders(a, events)
	was := d.clock
	d.clock = was.follow(game, d.now)
	d.noteClock(was)
	return nil
}
