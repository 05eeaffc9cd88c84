package server

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// sportTable is a table of ten at the sport regulation, dealt, on a store.
func sportTable(t *testing.T, s store.Store) (*Box, *Table, *testClock) {
	t.Helper()
	b, clock := open(t, s)
	table := b.Tables()[0]
	err := table.Do("", func(d *draft) error { return d.setRules(b.cfg.Rulesets, "sport") })
	for i := range 10 {
		if err == nil {
			err = table.Do("", func(d *draft) error { return d.join(b.rules(d.doc), device(i+1), string(rune('A'+i)), 0) })
		}
	}
	if err == nil {
		err = table.Do("", func(d *draft) error { return d.deal(b.rules(d.doc), nil) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return b, table, clock
}

// doer does acts of a table's host.
func doer(t *testing.T, table *Table) func(engine.Verb, ...engine.Seat) {
	return func(verb engine.Verb, seats ...engine.Seat) {
		t.Helper()
		if err := act(table, "", engine.Act{By: engine.Host, Verb: verb, Seats: seats}); err != nil {
			t.Fatal(verb, err)
		}
	}
}

// TestClock: a table's clock runs, stands for a pause and for a stopped game,
// and is where it was when an undo gives the word back.
func TestClock(t *testing.T) {
	b, table, clock := sportTable(t, store.Memory())
	defer b.Close()
	do := doer(t, table)
	left := func(want int, when string) {
		t.Helper()
		if got := table.now.Load().clock.Left(clock.Now()); got != time.Duration(want)*time.Second {
			t.Errorf("%s: %v are left, want %d s", when, got, want)
		}
	}
	left(0, "before the game")
	do(engine.Night)
	left(60, "agreement")
	clock.pass(50 * time.Second)
	left(10, "agreement")
	do(engine.Replay)
	left(60, "agreement begun again")
	do(engine.Close)
	left(20, "free seating")
	do(engine.Undo)
	left(60, "back in the agreement")
	do(engine.Dawn)
	left(0, "nobody speaks")
	do(engine.Speech)
	clock.pass(10 * time.Second)
	left(50, "speech")
	do(engine.Hold)
	clock.pass(100 * time.Second)
	left(50, "paused")
	do(engine.Stop)
	clock.pass(time.Second)
	do(engine.Resume)
	clock.pass(time.Second)
	left(50, "paused over a stop")
	do(engine.Go)
	do(engine.Stop)
	clock.pass(30 * time.Second)
	do(engine.Resume)
	clock.pass(15 * time.Second)
	left(35, "after a stop")
	do(engine.Pass)
	left(0, "passed")
	clock.pass(40 * time.Second)
	do(engine.Undo)
	left(35, "the word given back")
	clock.pass(5 * time.Second)
	left(30, "and it runs")
	do(engine.Speech, 7)
	clock.pass(20 * time.Second)
	do(engine.Undo)
	left(30, "given to another by mistake")
	do(engine.Speech, 7)
	left(60, "given to another")
	do(engine.Undo)
	do(engine.Foul, 3)
	clock.pass(90 * time.Second)
	left(0, "over")
	do(engine.Night)
	left(0, "night 1 has no clock")
}

// TestClockAfterRestart: what was left of a clock is left after a power cut, but
// for the seconds since it was noted, and exactly after the box was closed.
func TestClockAfterRestart(t *testing.T) {
	for _, how := range []string{"closed", "cut", "paused", "cut twice"} {
		s := store.Memory()
		b, table, clock := sportTable(t, s)
		do := doer(t, table)
		do(engine.Night)
		do(engine.Dawn)
		do(engine.Speech)
		clock.pass(17 * time.Second)
		want, most := 43*time.Second, time.Duration(0)
		switch how {
		case "closed":
			b.Close()
		case "paused": // and cut
			do(engine.Hold)
			clock.pass(5 * time.Minute)
		case "cut", "cut twice":
			table.saveClock(noteStep)
			clock.pass(4 * time.Second)
			table.saveClock(noteStep)
			most = noteStep
		}
		away := 10 * time.Hour
		for range map[string]int{"cut twice": 2}[how] + 1 {
			config := b.cfg
			again := &testClock{now: clock.Now().Add(away)}
			away = -100 * time.Hour // a machine without a clock comes up in the past
			config.Now, config.After = again.Now, again.After
			next, err := Open(config)
			if err != nil {
				t.Fatal(how, err)
			}
			defer next.Close()
			m := next.Tables()[0].now.Load()
			if got := m.clock.Left(again.Now()); got < want-most || got > want {
				t.Errorf("%s: %v are left, want %v", how, got, want)
			}
			again.pass(3 * time.Second)
			if runs := m.clock.Runs(again.Now()); runs == (how == "paused") {
				t.Errorf("%s: the clock runs: %v", how, runs)
			}
		}
	}
}

// TestNoDrift moves false time on by a tenth of a second, through a speech with
// a pause: console, screen and phone show the same at each moment, and the panel
// rings when that is ten seconds, and none.
func TestNoDrift(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, table, clock := sportTable(t, store.Memory())
		defer b.Close()
		do := doer(t, table)
		var rung []string
		go b.WatchPanel(func(cue Cue) {
			if cue == CueTen || cue == CueTime {
				rung = append(rung, string(cue)+" "+table.now.Load().clock.Left(clock.Now()).String())
			}
		}, func(Cue) {}, func(bool) {})
		do(engine.Night)
		do(engine.Dawn)
		do(engine.Speech, 4)
		w := words{b.texts.in("en")}
		began, paused := clock.Now(), time.Duration(0)
		for range 800 {
			clock.pass(100 * time.Millisecond)
			gone := clock.Now().Sub(began)
			switch gone {
			case 30 * time.Second:
				do(engine.Hold)
			case 37 * time.Second:
				do(engine.Go)
				paused = 7 * time.Second
			}
			if gone > 30*time.Second && paused == 0 {
				gone = 30 * time.Second
			}
			synctest.Wait()
			want := max(0, 60*time.Second-gone+paused).Milliseconds()
			m := table.now.Load()
			console, screen, seat := b.hostPage(table, m, w, device(99), 0), b.screenPage(table, m, w), b.seatPage(table, m, w, 4)
			for name, s := range map[string]*speechView{"console": console.Speech, "screen": screen.Speech, "phone": seat.Speech} {
				if s.LeftMs != want {
					t.Fatalf("after %v the %s has %d ms left, want %d", gone, name, s.LeftMs, want)
				}
			}
		}
		if want := []string{"ten 10s", "time 0s"}; !slices.Equal(rung, want) {
			t.Errorf("rung %v, want %v", rung, want)
		}
	})
}

// TestAgreementRings: the panel follows the clock of a night, too: paused and let
// go on, that rings when ten seconds are left, and none.
func TestAgreementRings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, table, clock := sportTable(t, store.Memory())
		defer b.Close()
		do := doer(t, table)
		began := clock.Now()
		var rung []string
		go b.WatchPanel(func(cue Cue) {
			if cue == CueTen || cue == CueTime {
				rung = append(rung, string(cue)+" "+clock.Now().Sub(began).String())
			}
		}, func(Cue) {}, func(bool) {})
		do(engine.Night)
		for range 1000 {
			synctest.Wait()
			clock.pass(100 * time.Millisecond)
			switch clock.Now().Sub(began) {
			case 45 * time.Second:
				do(engine.Hold)
			case 60 * time.Second:
				do(engine.Go)
			}
		}
		synctest.Wait()
		if want := []string{"ten 1m5s", "time 1m15s"}; !slices.Equal(rung, want) {
			t.Errorf("rung %v, want %v", rung, want)
		}
	})
}
