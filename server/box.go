package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/checkup"
	"github.com/mafiabox/mafiabox/server/store"
	"golang.org/x/time/rate"
)

// rulesVersion is stored with each act: the version of the rules that said what
// it led to. It grows when a change of the engine tells something else.
const rulesVersion = "1"

// Config is what a box is made of.
type Config struct {
	Store     store.Store
	Found     []store.Finding // what was found when it was opened
	Data      string          // the folder of that store, for backups; empty: none are made
	BackupTo  string          // the folder of a second place for them, which comes and goes; empty: none
	Rulesets  []engine.Ruleset
	Files     fs.FS                        // templates, css, js, texts
	Texts     map[string]map[string]string // a club's own texts, by language and key
	Lang      string                       // of a visitor without a wish
	HostCode  string                       // of the first table; empty: drawn
	OwnerCode string                       // empty: drawn
	WiFi      WiFi                         // that phones should join
	Trusted   bool                         // the machine's clock is right
	Port      int                          // in the addresses that codes hold
	Addresses func() []netip.Addr          // those of this machine that phones reach, the likeliest first; never empty
	Host      func() string                // the name that people may type in place of an address, such as mafia.local; empty while there is none. nil: none
	Names     []string                     // other host names under which the box may be asked
	Captive   Captive                      // what systems hear that ask for the internet; empty: CaptiveSuccess
	Boot      string                       // names the start of the machine; empty: unknown
	Panel     Panel                        // nil: none
	Stations  func() (now, most int)       // in the box's own Wi-Fi, and how many it bears; most 0: nobody knows; nil: there is none
	Now       func() time.Time
	After     func(time.Duration) <-chan time.Time    // nil: as time passes
	Examine   func(context.Context) []checkup.Finding // looks at the machine, for a second or two; nil: nobody can
	Before    *Box                                    // was closed in this process, and this one goes on where it was; nil: none
	Log       *slog.Logger
}

// Box is the tables and the pages of one box.
type Box struct {
	cfg   Config
	log   *slog.Logger
	store store.Store
	texts *texts
	app   *fiber.App

	mu         sync.Mutex
	tables     []*Table
	codes      map[string]string   // by table id: the code that makes a visitor its host
	owners     map[string]struct{} // devices that typed the owner's code
	pairings   map[string]pairing  // screens that wait for a host, by the code they show
	club       *club
	archive    *archive
	tickets    map[string]ticket // by the code that a player types
	told       map[string]answer // by device: what is to be said of its form, until its next page says so
	guesses    *guesses
	outsiders  outsiders // what guests have posted of late
	tempo      tempo     // what players have done of late
	crowd      crowd
	sheets     sheets
	hours      hours
	pressed    time.Time               // when the last press was answered; at first: when the box began
	asks       map[string]ask          // phones that want to be host by the button, by device
	plays      chan Cue                // for a moment, whatever the table is at
	quieted    chan struct{}           // the buzzer is to be silent at other hours
	trouble    atomic.Pointer[trouble] // why the last thing could not be stored; nil: it could
	troubles   chan struct{}           // whether it could has changed
	writes     writing                 // that the disk is at work on
	waits      atomic.Pointer[trouble] // there is no store: why; nil: there is one
	panelMoved chan struct{}           // the panel is another table's
	backups    *backups                // nil: none are made
	opened     time.Time

	failed  chan error    // what keeps the box from storing anything more
	closing chan struct{} // no more acts
	closed  chan struct{}
	done    sync.WaitGroup
	pages   sync.WaitGroup // live pages
	ending  bool           // no more of them
	opening sync.Mutex     // of tables
	moving  sync.Mutex     // from one table to another
	looks   sync.Mutex     // at the machine
	breaks  rate.Sometimes // how often the log is told of what broke
	imports sync.Mutex     // one file at a time
}

// newBox is a box without tables and pages.
func newBox(cfg Config) (*Box, error) {
	b := &Box{
		cfg: cfg, log: cfg.Log,
		codes: make(map[string]string), owners: make(map[string]struct{}), pairings: make(map[string]pairing), tickets: make(map[string]ticket), told: make(map[string]answer), guesses: newGuesses(), archive: newArchive(),
		asks: make(map[string]ask), plays: make(chan Cue, 1), troubles: make(chan struct{}, 1), panelMoved: make(chan struct{}, 1), quieted: make(chan struct{}, 1), sheets: sheets{since: make(map[string]time.Time)},
		opened: cfg.Now(), breaks: rate.Sometimes{First: 3, Interval: breakRest}, failed: make(chan error, 1), closing: make(chan struct{}), closed: make(chan struct{}),
	}
	b.store = noted{cfg.Store, b}
	if b.cfg.After == nil {
		b.cfg.After = time.After
	}
	if b.cfg.Host == nil {
		b.cfg.Host = func() string { return "" }
	}
	if b.cfg.OwnerCode == "" {
		b.cfg.OwnerCode = newCode(secretCode)
	}
	var err error
	b.texts, err = loadTexts(cfg.Files, cfg.Lang, cfg.Texts)
	return b, err
}

// Open makes a box of what its store holds. An empty store gets one table. When
// it fails, nothing of it goes on.
func Open(cfg Config) (*Box, error) {
	b, err := newBox(cfg)
	if err != nil {
		return nil, err
	}
	if err := b.open(); err != nil {
		close(b.closing) // the tables that run already
		b.done.Wait()
		b.backups.wait()
		return nil, err
	}
	return b, nil
}

func (b *Box) open() (err error) {
	cfg := b.cfg
	if b.app, err = b.newApp(); err != nil {
		return err
	}
	b.routes()
	docs, err := b.store.Tables()
	if err != nil {
		return err
	}
	if err := b.takeUnread(docs); err != nil {
		return err
	}
	cfg = b.cfg
	if b.club, err = openClub(b.store, docs[clubID], docs[bookID]); err != nil {
		return err
	}
	if err := b.dropComing(); err != nil {
		b.log.Warn("half a game that came as a file is left", "error", err)
	}
	delete(docs, clubID)
	delete(docs, bookID)
	held, err := takeHeld(docs)
	if err != nil {
		return err
	}
	for _, f := range cfg.Found { // tables whose document is lost are opened anew
		if f.What == store.Lost && f.Game == 0 && docs[f.Table] == nil && number(f.Table) > 0 {
			docs[f.Table] = b.newDoc().encode()
		}
	}
	for id, text := range docs {
		if number(id) < 1 {
			b.log.Warn("a document is of no kind that this box knows, and stays as it is", "document", id)
			continue
		}
		m, acts, err := load(b.store, cfg.Rulesets, id, text, cfg.Now(), b.log)
		if err != nil {
			return err
		}
		m.doc.Held = held[id]
		b.club.Suspensions = max(b.club.Suspensions, m.doc.Sat) // a club that began anew counts on
		m.tell(id, cfg.Found, len(acts))
		t := newTable(b, id, m)
		for _, h := range m.doc.Held {
			t.remember(h.Key, answer{})
		}
		for _, key := range m.doc.Keys {
			t.remember(key, answer{})
		}
		for _, a := range acts {
			t.remember(a.Key, answer{})
		}
		b.add(t)
	}
	slices.SortFunc(b.tables, func(x, y *Table) int { return number(x.id) - number(y.id) })
	b.openBackups()
	b.remember(b.club.Hours) // before any table looks at what is due
	untold := make(map[string]bool)
	for _, t := range b.tables {
		b.done.Go(t.run)
		if len(t.now.Load().doc.Mended) > 0 { // it stays until the host has read it
			if err := t.Do("", func(d *draft) error { d.dirty = true; return nil }); err != nil {
				b.log.Warn("what was lost is not stored with its table", "table", t.id, "error", err)
				if !errors.Is(err, errFrozen) { // which says so by itself
					untold[t.id] = true
				}
			}
		}
		if d := t.now.Load().doc; d.Stage == lobby && d.Boot != b.cfg.Boot {
			if err := t.Do("", func(d *draft) error { return d.newCode(b) }); err != nil {
				b.log.Warn("the table keeps its join code", "table", t.id, "error", err)
			}
		}
	}
	b.hostsTold(untold)
	if len(b.tables) == 0 {
		if _, err := b.NewTable(); err != nil {
			return err
		}
	}
	if cfg.HostCode != "" {
		b.codes[b.tables[0].id] = cfg.HostCode
	}
	for _, t := range b.tables {
		if err := t.Do("", (*draft).settle); err != nil && !errors.Is(err, errFrozen) {
			b.log.Error("the table is not brought up to the time", "table", t.id, "error", err)
		}
	}
	b.follow(cfg.Before)
	b.done.Go(b.readArchive)
	b.pressed = cfg.Now()
	return nil
}

func number(id string) int {
	n, _ := strconv.Atoi(id)
	return n
}

// NewTable opens another table.
func (b *Box) NewTable() (*Table, error) {
	b.opening.Lock() // two at once would take the same number
	defer b.opening.Unlock()
	b.mu.Lock()
	id := 1
	for _, t := range b.tables {
		id = max(id, number(t.id)+1)
	}
	b.mu.Unlock()
	m := moment{doc: b.newDoc()}
	used, err := b.store.Last(strconv.Itoa(id))
	if err != nil {
		return nil, fmt.Errorf("%w: a new table: %w", errStorage, err)
	}
	m.doc.agree(nil, used) // games that were played may outlive a table
	if err := b.store.Commit(store.Change{Table: strconv.Itoa(id), Doc: m.doc.encode()}); err != nil {
		return nil, fmt.Errorf("%w: a new table: %w", errStorage, err)
	}
	t := newTable(b, strconv.Itoa(id), m)
	b.add(t)
	b.done.Go(t.run)
	return t, nil
}

// newDoc is what a new table is.
func (b *Box) newDoc() doc {
	return doc{Code: b.freshCode(), Boot: b.cfg.Boot, Rules: b.cfg.Rulesets[0].ID(), Stage: lobby}
}

func (b *Box) add(t *Table) {
	b.mu.Lock()
	b.tables = append(b.tables, t)
	b.codes[t.id] = newCode(secretCode)
	b.mu.Unlock()
}

// Tables are the box's tables in order.
func (b *Box) Tables() []*Table {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.tables)
}

// Table is the table of that id, or nil.
func (b *Box) Table(id string) *Table {
	for _, t := range b.Tables() {
		if t.id == id {
			return t
		}
	}
	return nil
}

// freshCode draws a join code that no table has.
func (b *Box) freshCode() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	code := newCode(5)
	for b.byCode(code) != nil {
		code = newCode(5)
	}
	return code
}

// byCode is the table that a join code leads to; the box's lock is held.
func (b *Box) byCode(code string) *Table {
	for _, t := range b.tables {
		if t.now.Load().doc.Code == code {
			return t
		}
	}
	return nil
}

// ID is the table's id, part of its addresses.
func (t *Table) ID() string { return t.id }

// Code is the table's join code.
func (t *Table) Code() string { return t.now.Load().doc.Code }

// HostCode is the code that makes a visitor the host of that table.
func (b *Box) HostCode(t *Table) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.codes[t.id]
}

// OwnerCode is the code that makes a visitor the box's owner.
func (b *Box) OwnerCode() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cfg.OwnerCode
}

// rules is the rule system that the table plays.
func (b *Box) rules(d doc) engine.Ruleset {
	r, ok := rulesets.Find(b.cfg.Rulesets, d.Rules)
	if !ok {
		return b.cfg.Rulesets[0]
	}
	return r
}

// openPage counts a live page, unless the box is ending.
func (b *Box) openPage() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.ending {
		b.pages.Add(1)
	}
	return !b.ending
}

// Failed tells when the box can store nothing more until its store is opened anew.
func (b *Box) Failed() <-chan error { return b.failed }

func (b *Box) fail(err error) {
	select {
	case b.failed <- err:
	default: // somebody was told already
	}
}

// Close ends the box: pages are told, what waits is answered, tables stop. Who
// has sent half a request by then is cut off: a phone asks again. The store is
// closed by who opened it.
func (b *Box) Close() error {
	b.mu.Lock()
	b.ending = true
	b.mu.Unlock()
	close(b.closing)
	b.done.Wait()
	close(b.closed)
	b.backups.wait()
	b.pages.Wait()
	if err := b.app.ShutdownWithTimeout(time.Second); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
