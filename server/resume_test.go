package server

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// TestResume goes on with a game that came as a file, of each rule system: the
// lobby's people are gone, those of the record have seats without phones, and a
// ticket gives one to a phone.
func TestResume(t *testing.T) {
	for i, rules := range rulesets.All {
		t.Run(rules.ID(), func(t *testing.T) {
			s := besiege(t, func(c *Config) { c.Trusted = true })
			var text []byte
			var game engine.Game
			for seed := uint64(40 + i); ; seed++ {
				if text, game = randomRecord(rules, seed, 6); !game.Ended() {
					break
				}
			}
			for name, who := range map[string]*browser{"another table's host": s.other, "the owner": s.owner} {
				if status, _, _ := who.upload(string(text), "to", "1"); status != 403 {
					t.Errorf("by %s: status %d", name, status)
				}
			}
			status, page, to := s.host.upload(string(text), "to", "1")
			if status != 303 || to != "/t/1/host" {
				t.Fatalf("status %d %s\n%s", status, to, plainText(page))
			}
			s.host.must("GET", to, 200)
			s.player.must("GET", "/t/1", 303) // his seat is another's
			got := s.host.must("GET", "/t/1/host/record.mafia", 200)
			if !strings.HasPrefix(got, string(text)) {
				t.Errorf("not the same game: %s", differs(string(text), got))
			}
			m := s.b.Tables()[0].now.Load()
			if m.doc.Rules != rules.ID() || len(m.doc.People) != m.game.Setup().Seats || m.doc.Game != 1 || m.game.Phase() != game.Phase() || m.game.Ended() {
				t.Errorf("%s, %d people, game %d, in %v after %v", m.doc.Rules, len(m.doc.People), m.doc.Game, m.game.Phase(), game.Phase())
			}
			s.host.must("POST", "/t/1/host/people", 303, "do", "ticket", "seat", "2")
			var code string
			for seat, c := range s.b.ticketsOf(s.b.Tables()[0]) {
				if seat == 2 {
					code = c
				}
			}
			s.stranger.must("POST", "/j/"+s.b.Tables()[0].Code(), 303, "ticket", "1", "code", code)
			s.stranger.must("GET", "/t/1", 200)
			if due := m.game.Due(); !due.IsZero() && due.Before(time.Now()) {
				t.Errorf("a round is over at %v", due)
			}
			s.acts("host note \"goes on\"")
			s.acts("host end")
			indexed(t, s.b, 1)
			if status, _, _ := s.host.upload(string(text), "to", "1"); status != 422 {
				t.Errorf("on top of a game: status %d", status)
			}
			want := s.host.must("GET", "/t/1/host/record.mafia", 200)
			in, err := readRecord([]byte(want), rulesets.All)
			if err != nil || len(in.differences) > 0 || !in.game.Ended() || string(in.Text()) != want {
				t.Errorf("the whole game's record: %v %v", err, in.differences)
			}
		})
	}
}

// TestHalfImport: what is left of a game that came in several commits, when one of
// them failed or a plug was pulled, is gone at the next start. A game that the
// disk has taken the end of is not.
func TestHalfImport(t *testing.T) {
	text, _ := randomRecord(rulesets.All[0], 3, 1<<20)
	in, err := readRecord(text, rulesets.All)
	if err != nil {
		t.Fatal(err)
	}
	long := in
	long.Acts = slices.Clone(in.Acts)
	for i := range min(30, len(long.Acts)) { // more than one commit takes
		long.Acts[i].Events = []string{strings.Repeat("x", 40<<10)}
	}
	if n := len(inChunks(gameID{}, long.Game)); n < 2 {
		t.Fatal(n, "commits")
	}
	keep := store.Memory()
	b, _ := open(t, &cutOff{Store: keep, after: 1})
	if _, err := b.keepGame(long); err == nil {
		t.Fatal("it is stored")
	}
	b.Close()
	if games, err := keep.Games(importID); err != nil || len(games) != 1 {
		t.Fatal(games, err)
	}
	if err := keep.Commit(store.Change{Table: importID, Game: 7, Head: in.Head, Acts: in.Acts}); err != nil { // its end is lost
		t.Fatal(err)
	}
	b, _ = open(t, keep)
	defer b.Close()
	if games, err := keep.Games(importID); err != nil || !slices.Equal(games, []int{7}) {
		t.Fatal(games, err)
	}
	indexed(t, b, 1)
	id, err := b.keepGame(long)
	if err != nil || id.game != 8 || b.club.coming() != 0 {
		t.Errorf("it came as %v (%v), and %d is coming", id, err, b.club.coming())
	}
	if g, err := keep.Game(importID, 8); err != nil || !g.Over {
		t.Errorf("over: %v (%v)", g.Over, err)
	}
}

// cutOff is a real store that takes so many commits of games that come as files.
type cutOff struct {
	store.Store
	after int
}

func (c *cutOff) Commit(changes ...store.Change) error {
	if changes[0].Table == importID {
		if c.after--; c.after < 0 {
			return store.ErrFull
		}
	}
	return c.Store.Commit(changes...)
}
