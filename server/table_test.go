package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
)

// flaky is a real store whose disk can be made to fail; it counts commits.
type flaky struct {
	store.Store
	mu      sync.Mutex
	broken  bool
	err     error // what it fails with; nil: something
	slow    time.Duration
	commits int
}

func (f *flaky) Commit(changes ...store.Change) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commits++
	time.Sleep(f.slow)
	if f.broken && f.err != nil {
		return f.err
	}
	if f.broken {
		return errors.New("disk on fire")
	}
	return f.Store.Commit(changes...)
}

func (f *flaky) set(broken bool, slow time.Duration) {
	f.mu.Lock()
	f.broken, f.slow = broken, slow
	f.mu.Unlock()
}

// testClock is the box's clock, moved by tests.
type testClock struct {
	mu     sync.Mutex
	now    time.Time
	alarms []alarm
}

type alarm struct {
	at   time.Time
	ring chan time.Time
}

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// After rings once so much of the clock's time has passed.
func (c *testClock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := alarm{c.now.Add(d), make(chan time.Time, 1)}
	c.alarms = append(c.alarms, a)
	return a.ring
}

func (c *testClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.alarms = slices.DeleteFunc(c.alarms, func(a alarm) bool {
		due := !a.at.After(c.now)
		if due {
			a.ring <- c.now
		}
		return due
	})
}

// openConfig is a box without a store.
func openConfig() Config {
	return Config{
		Rulesets: rulesets.All, Files: static.Files, Lang: "en", Port: 8080,
		Addresses: func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("192.168.4.1")} },
		Now:       time.Now, Trusted: true, Log: slog.New(slog.DiscardHandler),
	}
}

func open(t *testing.T, s store.Store) (*Box, *testClock) {
	t.Helper()
	clock := &testClock{now: time.Date(2026, 5, 4, 21, 0, 0, 0, time.UTC)}
	config := openConfig()
	config.Store, config.Now, config.After = s, clock.Now, clock.After
	b, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	return b, clock
}

// dealt is a box whose first table plays, with n people on devices d1, d2 ….
func dealt(t *testing.T, s store.Store, n int) (*Box, *Table, *testClock) {
	t.Helper()
	b, clock := open(t, s)
	t.Cleanup(func() { b.Close() })
	return b, deals(t, b, n), clock
}

// deals seats n people on devices d1, d2 … at the box's first table, and deals.
func deals(t *testing.T, b *Box, n int) *Table {
	t.Helper()
	table := b.Tables()[0]
	for i := range n {
		if err := table.Do("", func(d *draft) error { return d.join(b.rules(d.doc), device(i+1), fmt.Sprint("P", i+1), 0) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.Do("", func(d *draft) error { return d.deal(b.rules(d.doc), nil) }); err != nil {
		t.Fatal(err)
	}
	return table
}

func device(n int) string { return hash([]byte{byte(n)}) }

func act(table *Table, key string, a engine.Act) error {
	return table.Do(key, func(d *draft) error { return d.act(a) })
}

var night1 = engine.Act{By: engine.Host, Verb: engine.Night}

func waits(seat int) engine.Act { return engine.Act{By: engine.Actor(seat), Verb: engine.Wait} }

// TestStorageFails: when storing fails nothing has changed, each who asked is
// told, and the same act with the same key succeeds once the disk is well.
func TestStorageFails(t *testing.T) {
	s := &flaky{Store: store.Memory()}
	_, table, _ := dealt(t, s, 7)
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	before := table.now.Load()
	s.set(true, 0)
	if err := act(table, "k", waits(1)); !errors.Is(err, errStorage) {
		t.Fatalf("answered %v", err)
	}
	if table.now.Load() != before {
		t.Error("the table changed")
	}
	s.set(false, 0)
	if err := act(table, "k", waits(1)); err != nil {
		t.Errorf("the disk is well again: %v", err)
	}
	if n := len(table.now.Load().game.Log()); n != len(before.game.Log())+1 {
		t.Errorf("%d acts", n)
	}
}

// TestRepeatedKey: a repeated key gets its first answer, whatever has happened since.
func TestRepeatedKey(t *testing.T) {
	_, table, _ := dealt(t, store.Memory(), 7)
	refused := act(table, "early", waits(1))
	if !errors.Is(refused, engine.RefusedPhase) {
		t.Fatalf("a wait by day: %v", refused)
	}
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	if again := act(table, "early", waits(1)); again != refused {
		t.Errorf("the repeated key got %v", again)
	}
	for range 3 {
		if err := act(table, "once", waits(2)); err != nil {
			t.Error(err)
		}
	}
	if n := len(table.now.Load().game.Log()); n != 2 {
		t.Errorf("%d acts, want the night and one wait", n)
	}
}

// TestSameMoment: acts of different seats at one moment never refuse one
// another, and share transactions while the disk is slow.
func TestSameMoment(t *testing.T) {
	s := &flaky{Store: store.Memory()}
	_, table, _ := dealt(t, s, 20)
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	s.set(false, 20*time.Millisecond)
	before := s.commits
	var all sync.WaitGroup
	for seat := 1; seat <= 20; seat++ {
		all.Go(func() {
			for range 2 { // and each twice, as an impatient phone does
				if err := act(table, fmt.Sprint("k", seat), waits(seat)); err != nil {
					t.Errorf("seat %d: %v", seat, err)
				}
			}
		})
	}
	all.Wait()
	if n := len(table.now.Load().game.Log()); n != 21 {
		t.Errorf("%d acts stand in the log", n)
	}
	if n := s.commits - before; n > 10 {
		t.Errorf("%d transactions for 20 acts that came together", n)
	}
	seen := table.now.Load().game.Seen(engine.All)
	if seen.Owed != 0 {
		t.Errorf("%d still owe", seen.Owed)
	}
}

// TestAllOrNone: a form whose second act is refused leaves nothing of its first.
func TestAllOrNone(t *testing.T) {
	_, table, _ := dealt(t, store.Memory(), 7)
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	before := table.now.Load()
	err := table.Do("form", func(d *draft) error {
		if err := d.act(waits(1)); err != nil {
			return err
		}
		return d.act(engine.Act{By: 1, Verb: engine.Vote, Seats: []engine.Seat{2}})
	})
	if !errors.Is(err, engine.RefusedPhase) || table.now.Load() != before {
		t.Errorf("%v, and the table is at %d acts", err, len(table.now.Load().game.Log()))
	}
}

// TestRestart: a box opened on the same store stands where the old one stood,
// and still knows the keys it has answered.
func TestRestart(t *testing.T) {
	s := store.Memory()
	b, table, _ := dealt(t, s, 7)
	if err := errors.Join(act(table, "a", night1), act(table, "b", waits(3))); err != nil {
		t.Fatal(err)
	}
	was := table.now.Load()
	_ = b
	again, _ := open(t, s)
	defer again.Close()
	now := again.Tables()[0].now.Load()
	for _, viewer := range []engine.Audience{engine.All, engine.ToHost, 1, 3} {
		if a, b := fmt.Sprint(was.game.Seen(viewer)), fmt.Sprint(now.game.Seen(viewer)); a != b {
			t.Errorf("viewer %d saw\n%s\nand sees\n%s", viewer, a, b)
		}
	}
	if err := act(again.Tables()[0], "b", waits(3)); err != nil || len(again.Tables()[0].now.Load().game.Log()) != 2 {
		t.Errorf("a repeated key after the restart: %v", err)
	}
}

// TestFrozen: where these rules tell something else than was told, the table
// takes no more acts and says so.
func TestFrozen(t *testing.T) {
	s := store.Memory()
	_, table, _ := dealt(t, s, 7)
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	stored, err := s.Game("1", 1)
	if err != nil {
		t.Fatal(err)
	}
	stored.Acts[0].Events[0] = "all phase night 9"
	m := moment{}
	if err := m.restore(stored, rulesets.All, time.Now()); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("restored with %v", err)
	}
	frozen := newTable(&Box{store: s, cfg: Config{Now: time.Now}}, "1", moment{frozen: "for a reason"})
	d := draft{moment: *frozen.now.Load()}
	if err := frozen.try(&d, request{do: func(*draft) error { return nil }}).err; !errors.Is(err, errFrozen) {
		t.Errorf("a frozen table answered %v", err)
	}
}

// TestBrokenInvariant: what panics freezes its table and nothing else, and what
// was accepted before it is kept.
func TestBrokenInvariant(t *testing.T) {
	s := store.Memory()
	b, table, _ := dealt(t, s, 7)
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	d := draft{moment: *table.now.Load(), table: "1"}
	d.doc = d.doc.clone()
	if err := table.try(&d, request{do: func(d *draft) error { return d.act(waits(1)) }}).err; err != nil {
		t.Fatal(err)
	}
	err := table.try(&d, request{do: func(d *draft) error {
		if err := d.act(waits(2)); err != nil {
			return err
		}
		panic("a bug")
	}}).err
	if !errors.Is(err, errFrozen) || d.frozen == "" {
		t.Errorf("answered %v", err)
	}
	if len(d.games) != 1 || len(d.games[0].Acts) != 1 {
		t.Errorf("to be stored: %+v", d.games)
	}
	if err := table.Do("", func(*draft) error { panic("a bug") }); !errors.Is(err, errFrozen) {
		t.Errorf("answered %v", err)
	}
	if err := act(table, "", waits(3)); !errors.Is(err, errFrozen) {
		t.Errorf("a frozen table answered %v", err)
	}
	if _, err := b.NewTable(); err != nil {
		t.Errorf("another table: %v", err)
	}
}

// TestTwoGamesAtOnce: the end of one game and the deal of the next may share a
// transaction, and an appeal comes between them.
func TestTwoGamesAtOnce(t *testing.T) {
	s := store.Memory()
	b, table, _ := dealt(t, s, 7)
	err := table.Do("", func(d *draft) error {
		return errors.Join(d.act(engine.Act{By: engine.Host, Verb: engine.End}), d.next(),
			d.act(engine.Act{By: engine.Host, Verb: engine.Appeal, Seats: []engine.Seat{2}, Text: "the vote"}),
			d.deal(b.rules(d.doc), nil), d.act(night1))
	})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]struct {
		acts int
		over bool
	}{1: {2, true}, 2: {1, false}} {
		if g, err := s.Game("1", n); err != nil || len(g.Acts) != want.acts || g.Over != want.over {
			t.Errorf("game %d: %d acts, over %v, %v", n, len(g.Acts), g.Over, err)
		}
	}
}

// TestSteps: a press takes the next step; right after a step it does nothing;
// and past somebody who still owes an answer it wants a second press in time.
func TestSteps(t *testing.T) {
	b, table, clock := dealt(t, store.Memory(), 7)
	phase := func() string { return table.now.Load().game.Phase().Name }
	press := func(want string, answers ...Cue) {
		t.Helper()
		cue := b.Press(PressShort, b.cfg.Now())
		if phase() != want || cue != "" && len(answers) == 0 || len(answers) > 0 && cue != answers[0] {
			t.Errorf("pressed into %s (%q), want %s %q", phase(), cue, want, answers)
		}
	}
	press(engine.Day) // right after the deal
	clock.pass(stepRest)
	press(engine.Nights)
	press(engine.Nights) // a double press
	clock.pass(stepRest)
	press(engine.Nights, CueAgain) // seven still owe an answer
	if !table.now.Load().asked.at.Equal(clock.Now()) {
		t.Error("it doesn't wait for a second press")
	}
	clock.pass(stepConfirm + time.Second)
	press(engine.Nights, CueAgain) // too late for a second press: asks again
	clock.pass(time.Second)
	press(engine.Closed)
	clock.pass(stepRest)
	press(engine.Day)
	clock.pass(stepRest)
	press(engine.Day)
	if speaker := table.now.Load().game.Seen(engine.All).Speaker; speaker != 1 {
		t.Errorf("by day the first step gives the word to %d", speaker)
	}
	aside := func(verb engine.Verb, want string) {
		t.Helper()
		if err := table.Do("", func(d *draft) error { return d.stepAside(verb) }); err != nil || phase() != want {
			t.Errorf("%s leads into %s (%v), want %s", verb, phase(), err, want)
		}
	}
	clock.pass(stepRest)
	aside(engine.Night, engine.Day) // the speech would be cut short
	aside(engine.Night, engine.Nights)
	for seat := 1; seat <= 7; seat++ {
		if err := act(table, "", waits(seat)); err != nil {
			t.Fatal(err)
		}
	}
	aside(engine.Dawn, engine.Nights) // right after a step
	clock.pass(stepRest)
	press(engine.Closed) // nobody owes anything
	clock.pass(stepRest)
	if err := table.Do("", func(d *draft) error { return d.step(engine.Close, engine.ByPhone) }); err != nil || phase() != engine.Closed {
		t.Errorf("a page of before the close stepped on to %s: %v", phase(), err)
	}
	press(engine.Day)
}

// TestReaders: who had read an answer that a correction changes is kept for the
// host, until the next night.
func TestReaders(t *testing.T) {
	_, table, _ := dealt(t, store.Memory(), 7)
	roles := table.now.Load().game.Setup().Roles
	find := func(role engine.Role) engine.Seat { return engine.Seat(slices.Index(roles, role) + 1) }
	commissioner, don, doctor := find("commissioner"), find("don"), find("doctor")
	for _, a := range []engine.Act{night1, {By: engine.Actor(commissioner), Verb: engine.Check, Seats: []engine.Seat{doctor}}, {By: engine.Host, Verb: engine.Close}} {
		if err := act(table, "", a); err != nil {
			t.Fatal(err)
		}
	}
	for _, seat := range []engine.Seat{commissioner, doctor} {
		if err := table.Do("", func(d *draft) error { return d.hasRead(seat) }); err != nil {
			t.Fatal(err)
		}
	}
	mend := engine.Act{By: engine.Host, Verb: engine.Check, For: commissioner, Mends: true, Seats: []engine.Seat{don}}
	if err := act(table, "", mend); err != nil {
		t.Fatal(err)
	}
	if misled := table.now.Load().doc.Misled; !slices.Equal(misled, []engine.Seat{commissioner}) {
		t.Errorf("misled: %v", misled)
	}
	for _, verb := range []engine.Verb{engine.Dawn, engine.Night} {
		if err := act(table, "", engine.Act{By: engine.Host, Verb: verb}); err != nil {
			t.Fatal(err)
		}
	}
	if d := table.now.Load().doc; len(d.Misled)+len(d.Read) > 0 {
		t.Errorf("in the next night: read %v, misled %v", d.Read, d.Misled)
	}
}

func kept(_ string, err error) error { return err }

// TestSets: a club keeps its own options and roles, also over a restart.
func TestSets(t *testing.T) {
	s := store.Memory()
	b, _ := open(t, s)
	table, rules := b.Tables()[0], rulesets.All[0]
	err := table.Do("", func(d *draft) error {
		return errors.Join(d.setOption(rules, "barman", "on"), d.setCast(rules, map[string]int{"don": 1, "barman": 1, "civilian": 3}),
			kept(b.club.keep(set{Name: " Friday  nights ", Rules: rules.ID(), Options: d.doc.Options[rules.ID()], Cast: d.doc.Cast})))
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	b, _ = open(t, s)
	defer b.Close()
	if len(b.Tables()) != 1 {
		t.Fatalf("%d tables", len(b.Tables()))
	}
	other, err := b.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	err = other.Do("", func(d *draft) error {
		kept, err := b.club.find(rules.ID(), "Friday nights")
		return errors.Join(err, d.useSet(kept))
	})
	if d := other.now.Load().doc; err != nil || d.Options[rules.ID()]["barman"] != "on" || d.Cast["barman"] != 1 {
		t.Errorf("%v %v: %v", d.Options, d.Cast, err)
	}
	if err := b.club.drop(rules.ID(), "Friday nights"); err != nil || len(b.club.sets(rules.ID())) != 0 {
		t.Errorf("dropped: %v", err)
	}
	var p problem
	if _, err := b.club.find(rules.ID(), "Friday nights"); !errors.As(err, &p) {
		t.Errorf("a set that isn't there: %v", err)
	}
}

// TestMoments: each phase has a moment of its own, which others' acts don't change:
// a form of an earlier moment is worth nothing.
func TestMoments(t *testing.T) {
	_, table, _ := dealt(t, store.Memory(), 7)
	of := func() string { return table.now.Load().of() }
	seen := map[string]bool{of(): true}
	for _, verb := range []engine.Verb{engine.Night, engine.Close, engine.Dawn, engine.Night} {
		if err := act(table, "", engine.Act{By: engine.Host, Verb: verb}); err != nil {
			t.Fatal(err)
		}
		if seen[of()] {
			t.Errorf("after %s the moment is %s again", verb, of())
		}
		seen[of()] = true
	}
	if err := act(table, "", waits(1)); err != nil {
		t.Fatal(err)
	}
	if !seen[of()] {
		t.Error("somebody's act makes the others' forms late")
	}
	if err := act(table, "", engine.Act{By: engine.Host, Verb: engine.Replay}); err != nil || seen[of()] {
		t.Errorf("after a replay the moment is the same (%v)", err)
	}
}

// TestTickets: a ticket moves a seat to another phone, once, also in a game, and
// is for nobody else who comes to sit there.
func TestTickets(t *testing.T) {
	b, table, clock := dealt(t, store.Memory(), 7)
	take := func(code, device string) error {
		k, ok := b.ticket(table, code)
		if !ok {
			return say("bad_ticket")
		}
		return table.Do("", func(d *draft) error { return d.reseat(k, device) })
	}
	fresh := func(seat engine.Seat) string {
		code, err := b.newTicket(table, seat)
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	code := fresh(3)
	if take(code, device(6)) == nil {
		t.Error("who has a seat takes another")
	}
	if err := take(code, device(103)); err != nil {
		t.Fatalf("after a failed try: %v", err)
	}
	if d := table.now.Load().doc; d.seatOf(device(103)) != 3 || d.seatOf(device(3)) != 0 {
		t.Error("the seat is not on the new phone alone")
	}
	if take(code, device(104)) == nil {
		t.Error("the ticket is worth something twice")
	}
	code = fresh(4)
	again := fresh(4)
	if take(code, device(104)) == nil {
		t.Error("the earlier ticket is still worth something")
	}
	clock.pass(ticketLife + time.Second)
	if take(again, device(104)) == nil {
		t.Error("an old ticket is worth something")
	}
	code = fresh(5)
	err := table.Do("", func(d *draft) error {
		return errors.Join(d.act(engine.Act{By: engine.Host, Verb: engine.End}), d.next(), d.part(5))
	})
	if err != nil {
		t.Fatal(err)
	}
	if take(code, device(105)) == nil || len(b.ticketsOf(table)) != 0 {
		t.Error("the ticket moves another's seat, who has moved up")
	}
}

func TestNamesFold(t *testing.T) {
	people := []person{{Name: "Anna"}, {Name: "Борис"}}
	for typed, want := range map[string]string{"ANNA": "ANNA 2", "Аnna": "Аnna 2", "Anna 2": "Anna 2", "борис": "борис 2", "Boris": "Boris", "Ａｎｎａ": "Ａｎｎａ 2"} {
		name, bad := tidyName(typed)
		if got := distinctName(name, people); bad != "" || got != want {
			t.Errorf("%q: %q (want %q) %s", typed, got, want, bad)
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add("Anna")
	f.Add("A\x10\u0300")
	f.Add("\u202eevil\u0000 ")
	f.Fuzz(func(t *testing.T, typed string) {
		name, bad := tidyName(typed)
		if bad != "" {
			return
		}
		if again, bad := tidyName(name); again != name || bad != "" {
			t.Errorf("%q is tidied to %q and that to %q %s", typed, name, again, bad)
		}
		if two := distinctName(name, []person{{Name: name}}); fold(two) == fold(name) {
			t.Errorf("%q twice stays equal", name)
		}
	})
}
