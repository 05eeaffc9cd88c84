package server

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
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

	answers map[string]error // the first answer to each client key
	keys    []string         // the oldest first, so that the memory has an end

	mu       sync.Mutex
	watchers map[*watcher]bool
}

// moment is what a table is between two transactions. It never changes, so
// pages read it without asking the table's goroutine.
type moment struct {
	n      int // grows with each change: the number of the view
	doc    doc
	game   engine.Game // of the game that is on, or the last one; see doc.Game
	frozen string      // why the table takes no more acts, if so
	stepAt time.Time   // when a step was last taken
	speech clockwork   // of the running speech
}

// request is something to be done at the table.
type request struct {
	key   string // of the device and its form; empty: never repeated
	do    func(*draft) error
	reply chan error
}

// draft is the table as it would be when what was asked is done.
type draft struct {
	moment
	now   time.Time
	dated bool // the time is right
	key   string
	dirty bool // the document has changed
	head  []byte
	acts  []store.Act
	over  bool
}

// The errors of a table itself; a game's refusals are engine.Refusal.
var (
	errStorage = errors.New("nothing was done: the box could not store it")
	errFrozen  = errors.New("this table is frozen")
	errClosing = errors.New("the box is closing")
)

const (
	keptAnswers = 4096 // client keys remembered
	batch       = 64   // requests that share a transaction at the most
)

func newTable(b *Box, id string, m moment) *Table {
	t := &Table{id: id, box: b, queue: make(chan request, batch), answers: make(map[string]error), watchers: make(map[*watcher]bool)}
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
			t.wake(func(w *watcher) { w.signal(w.beat) })
		case <-t.box.closing:
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
	d := draft{moment: *before, now: t.box.cfg.Now(), dated: t.box.cfg.Trusted}
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
	if err != nil {
		t.box.log.Error("table not stored", "table", t.id, "error", err)
	}
	for _, i := range done {
		if err != nil && answers[i] == nil {
			answers[i] = fmt.Errorf("%w: %w", errStorage, err)
		} else {
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
	saved.doc = d.doc.clone()
	defer func() {
		if broken := recover(); broken != nil {
			t.box.log.Error("table frozen", "table", t.id, "error", broken, "stack", string(debug.Stack()))
			saved.frozen = fmt.Sprint(broken)
			*d, err = saved, errFrozen
		}
	}()
	d.key = r.key
	if err := r.do(d); err != nil {
		*d = saved
		return err
	}
	return nil
}

// commit stores the draft and then shows it.
func (t *Table) commit(before *moment, d *draft) error {
	if d.frozen != before.frozen {
		t.now.Store(&moment{n: before.n + 1, doc: before.doc, game: before.game, frozen: d.frozen})
		return nil
	}
	if !d.dirty && len(d.acts) == 0 {
		return nil
	}
	change := store.Change{Table: t.id, Game: d.doc.Game, Head: d.head, Acts: d.acts, Over: d.over}
	if d.dirty {
		change.Doc = d.doc.encode()
	}
	if err := t.box.store.Commit(change); err != nil {
		if errors.Is(err, store.ErrStopped) {
			t.box.fail(err)
		}
		return err
	}
	d.n++
	after := d.moment
	t.now.Store(&after)
	public := phaseOf(before) != phaseOf(&after)
	t.wake(func(w *watcher) {
		if public || w.host || !night(&after) {
			w.signal(w.changed)
		}
	})
	return nil
}

func (t *Table) remember(key string, answer error) {
	if key == "" {
		return
	}
	t.answers[key] = answer
	t.keys = append(t.keys, key)
	if len(t.keys) > keptAnswers {
		delete(t.answers, t.keys[0])
		t.keys = slices.Delete(t.keys, 0, 1)
	}
}

// act does an act of the running game on the draft.
func (d *draft) act(a engine.Act) error {
	if d.doc.Game == 0 {
		return engine.RefusedPhase
	}
	a.At = d.now
	was := d.game.Phase()
	game, events, err := d.game.Do(a)
	if err != nil {
		return err
	}
	log := game.Log()
	line := store.Act{No: log[len(log)-1].Act.No, Line: record.FormatAct(log[len(log)-1].Act), Key: d.key, Rules: rulesVersion}
	for _, e := range events {
		line.Events = append(line.Events, record.FormatEvent(e))
	}
	d.game, d.acts = game, append(d.acts[:len(d.acts):len(d.acts)], line)
	if game.Phase() != was {
		d.stepAt = d.now
	}
	d.speech = d.speech.after(a, events, d.now)
	return nil
}

// phaseOf is what everybody may see of a table's moment: a change of it is
// pushed at once, other changes of a night wait for the beat.
func phaseOf(m *moment) string {
	if m.doc.Stage != playing {
		return string(m.doc.Stage)
	}
	s := m.game.Seen(engine.All)
	return fmt.Sprint(m.doc.Game, s.Phase, s.Stopped, len(s.News))
}

func night(m *moment) bool {
	if m.doc.Stage != playing {
		return false
	}
	name := m.game.Phase().Name
	return name == engine.Nights || name == engine.Closed
}

// watcher is one page that is open. Its channels hold one signal: a slow phone
// skips states and never blocks the table.
type watcher struct {
	host          bool // the host's page follows at once, also at night
	changed, beat chan struct{}
}

func (w *watcher) signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// watch wakes a page at every change that it may show.
func (t *Table) watch(host bool) (w *watcher, stop func()) {
	w = &watcher{host, make(chan struct{}, 1), make(chan struct{}, 1)}
	t.mu.Lock()
	t.watchers[w] = true
	t.mu.Unlock()
	return w, func() {
		t.mu.Lock()
		delete(t.watchers, w)
		t.mu.Unlock()
	}
}

func (t *Table) wake(each func(*watcher)) {
	t.mu.Lock()
	all := slices.Collect(maps.Keys(t.watchers))
	t.mu.Unlock()
	for _, w := range all {
		each(w)
	}
}

// load builds a table's moment from the store: the acts are done again, and
// what they tell must be what was told.
func load(s store.Store, rulesets []engine.Ruleset, id string, text []byte, log *slog.Logger) (moment, []store.Act, error) {
	m := moment{n: 1}
	if err := m.doc.decode(text); err != nil {
		return m, nil, fmt.Errorf("table %s: %w", id, err)
	}
	if m.doc.Game == 0 {
		return m, nil, nil
	}
	stored, err := s.Game(id, m.doc.Game)
	if err != nil {
		m.frozen = err.Error()
		log.Error("table frozen", "table", id, "error", err)
	}
	if err := m.restore(stored, rulesets); err != nil {
		m.frozen = err.Error()
		log.Error("table frozen", "table", id, "error", err)
	}
	return m, stored.Acts, nil
}

// restore does a stored game's acts again.
func (m *moment) restore(stored store.Game, rulesets []engine.Ruleset) error {
	head, err := record.Parse(stored.Head, rulesets)
	if err != nil {
		return fmt.Errorf("the game's head: %w", err)
	}
	setup, err := head.Header.Setup()
	if err != nil {
		return fmt.Errorf("the game's head: %w", err)
	}
	game, _, err := engine.Begin(head.Header.Rules, setup)
	if err != nil {
		return fmt.Errorf("the game's head: %w", err)
	}
	for _, a := range stored.Acts {
		act, err := record.ParseAct(a.Line, setup.Seats)
		if err != nil {
			return fmt.Errorf("act %d: %w", a.No, err)
		}
		act.No = a.No
		next, events, err := game.Do(act)
		if err != nil {
			return fmt.Errorf("act %d: these rules give %w, but it was accepted", a.No, err)
		}
		var told []string
		for _, e := range events {
			told = append(told, record.FormatEvent(e))
		}
		if !slices.Equal(told, a.Events) {
			return fmt.Errorf("act %d: these rules tell something else than was told", a.No)
		}
		game = next
		m.speech = m.speech.after(act, events, act.At)
		m.game = game
	}
	m.game = game
	m.speech = m.speech.paused()
	return nil
}
