package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// unknown is a camp whose box has come up without knowing the time, four hours
// before the first day's deadline.
func unknown(t *testing.T, n int, options ...string) *camp {
	t.Helper()
	c := newCamp(t, n, monday, append(options, "late_vote_h 0")...)
	c.passes(20 * time.Hour)
	c.off()
	c.start(false, "boot 2")
	return c
}

// posts is a post as its form sends it: with a key.
func (c *camp) posts(key string, seat int, text string) error {
	c.t.Helper()
	return c.table.ask(key, func(d *draft) error {
		return d.act(engine.Act{By: engine.Actor(seat), Verb: engine.Post, Text: text, Via: engine.ByPhone})
	}).err
}

// comes says that it is so long after the first day began.
func (c *camp) comes(after time.Duration) {
	c.t.Helper()
	if err := c.box.confirm(monday.Add(after), false); err != nil {
		c.t.Fatal(err)
	}
}

// TestHeldFromAll: a full table may write as much as a post holds while the time
// is not known, over a pulled plug, and all of it counts.
func TestHeldFromAll(t *testing.T) {
	c := unknown(t, 40)
	long := strings.Repeat("Я", engine.PostMax/2-10)
	for seat := 1; seat <= 40; seat++ {
		if err := c.posts("", seat, long+fmt.Sprintf("\nP%d > P7", seat)); err != nil {
			t.Fatalf("seat %d: %v", seat, err)
		}
		c.says(seat, engine.Vote, 8)
	}
	if err := c.posts("", 1, long+"\nP1 > P7"); !isProblem(err, "held_full") {
		t.Errorf("one seat takes all the room: %v", err)
	}
	if n := len(c.table.now.Load().doc.encode()); n > 20<<10 {
		t.Errorf("the table's document has %d bytes", n)
	}
	c.off()
	c.start(false, "boot 3")
	c.comes(23 * time.Hour)
	entries, err := c.box.threadPage(c.table, c.table.now.Load(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if off := monday.Add(20 * time.Hour); e.Away == (away{}) && (e.Act.At.Before(off.Add(-aliveStep)) || e.Act.At.After(off)) {
			t.Errorf("sent in an earlier start of the machine, it counts as of %v", e.Act.At)
		}
	}
	if s := c.seen(); s.Posts != 40 || s.Seats[39].VotedFor != 8 || len(c.table.now.Load().doc.Held) != 0 {
		t.Errorf("%d posts, for %d", s.Posts, s.Seats[39].VotedFor)
	}
	c.off()
	c.start(true, "boot 3")
	if held := c.table.now.Load().doc.Held; len(held) != 0 {
		t.Errorf("held again: %v", held)
	}
	c.replays()
}

// TestHeldOnce: a phone that asks again, whenever it is, posts once.
func TestHeldOnce(t *testing.T) {
	c := unknown(t, 11)
	again := func(when string) {
		t.Helper()
		if err := c.posts("phone of seat 1!form", 1, "P1 > P2"); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if n := c.seen().Posts + len(c.table.now.Load().doc.Held); n != 1 {
			t.Errorf("%s: %d posts", when, n)
		}
	}
	again("first")
	for seat := 2; seat <= 11; seat++ { // more forms than a document keeps the keys of
		for n := range heldOfSeat {
			if err := act(c.table, device(seat)[:deviceInKey]+string(rune('a'+n)), engine.Act{By: engine.Actor(seat), Verb: engine.Extension}); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.do(func(d *draft) error { // all but seat 1's
		d.doc.Held, d.dirty = d.doc.Held[:1:1], true
		return nil
	})
	c.off()
	c.start(false, "boot 3")
	again("started again")
	c.comes(23 * time.Hour)
	again("the time is known")
	c.off()
	c.start(true, "boot 4")
	again("started once more")
}

// TestLatePost: what was written into a round that had ended is not lost. It
// stands in the thread where it moves no vote, else its author has it back.
func TestLatePost(t *testing.T) {
	for name, tie := range map[string]bool{"a night follows": false, "a runoff follows": true} {
		t.Run(name, func(t *testing.T) {
			c := newCamp(t, 11, monday, "late_vote_h 0")
			for seat := 1; seat <= 11; seat++ {
				target := 5
				if tie && seat > 1 {
					target += seat % 2
				}
				c.says(seat, engine.Vote, target)
			}
			if tie {
				c.says(1, engine.Vote, 7)
			}
			c.passes(20 * time.Hour)
			c.off()
			c.clock.pass(4*time.Hour + time.Minute)
			c.start(false, "boot 2")
			if err := c.posts("", 1, "I am sure.\nP1 > P5"); err != nil {
				t.Fatal(err)
			}
			c.comes(24*time.Hour + time.Minute)
			m := c.table.now.Load()
			if tie {
				c.phase(engine.Phase{Name: engine.Runoff, N: 1})
				if m.latePost(1) == "" || m.latePost(2) != "" || m.game.Posts() != 0 || c.seen().Seats[0].VotedFor != 0 {
					t.Errorf("given back: %q; %d posts; the vote is for %d", m.latePost(1), m.game.Posts(), c.seen().Seats[0].VotedFor)
				}
				v := c.box.view(c.table, m, words{c.box.texts.in("en")}, device(1), m.game.Seen(engine.All))
				if form := v.postForm(m, viewer{seat: 1}); !form.Late || form.Text != "I am sure.\nP1 > P5" {
					t.Errorf("the form has %q", form.Text)
				}
				c.do(func(d *draft) error {
					_, err := d.post(posting{by: 1, text: "Well."})
					return err
				})
				if c.table.now.Load().latePost(1) != "" {
					t.Error("it is given back for ever")
				}
			} else {
				c.phase(engine.Phase{Name: engine.Nights, N: 1})
				if m.latePost(1) != "" || m.game.Posts() != 1 {
					t.Errorf("%d posts", m.game.Posts())
				}
			}
			c.replays()
		})
	}
}

// TestHeldAtNight: what a seat has sent at night stands behind its hold, also
// while it waits for the time and when it was too late.
func TestHeldAtNight(t *testing.T) {
	c := newCamp(t, 11, monday, "late_vote_h 0")
	for seat := 1; seat <= 11; seat++ {
		c.says(seat, engine.Vote, 11)
	}
	c.passes(25 * time.Hour)
	c.off()
	c.clock.pass(20 * time.Hour)
	c.start(false, "boot 2")
	c.says(1, engine.Whack, 4)
	c.says(1, engine.Whack, 6)
	page := func() (open, all string) {
		all = string(pageOf(c.box, "seat-main", c.box.seatPage(c.table, c.table.now.Load(), words{c.box.texts.in("en")}, 1)))
		return heldPart.ReplaceAllString(all, ""), all
	}
	if open, all := page(); strings.Contains(open, "whack") || !strings.Contains(all, "whack → 6") || !strings.Contains(open, ">Sent") {
		t.Errorf("while it waits:\n%s", open)
	}
	c.comes(45 * time.Hour)
	open, _ := page()
	if strings.Contains(open, "whack") || strings.Count(open, "the night had ended") != 1 {
		t.Errorf("too late:\n%s", open)
	}
	c.clock.pass(lateStays)
	if open, _ := page(); strings.Contains(open, "the night had ended") {
		t.Error("it is told for ever")
	}
}
