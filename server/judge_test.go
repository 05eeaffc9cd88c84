package server

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// recorded is a game of the engine's records.
func recorded(t *testing.T, path string) *record.Record {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../engine/testdata", path))
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Parse(text, rulesets.All)
	if err != nil {
		t.Fatal(path, err)
	}
	return rec
}

// TestEachTapIsUndone walks whole games as a judge enters them at a table with
// hands: what each act has changed is taken back by the console's own button,
// until it is announced, and everybody sees what was before.
func TestEachTapIsUndone(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	w := words{b.texts.in("en")}
	for _, path := range []string{"sport-games/game-4871.mafia", "sport-games/game-22.mafia", "gangs/turns-alternate.mafia"} {
		rec := recorded(t, path)
		setup, err := rec.Header.Setup()
		if err != nil {
			t.Fatal(err)
		}
		game, _, err := engine.Begin(rec.Header.Rules, setup)
		if err != nil {
			t.Fatal(err)
		}
		d := doc{Rules: rec.Header.Rules.ID(), Stage: playing, Game: 1}
		for range setup.Seats {
			d.People = append(d.People, person{Name: "P"})
		}
		console := func(g engine.Game) hostPage {
			return b.hostPage(b.Tables()[0], &moment{doc: d, game: g}, w, device(99), 0)
		}
		undone, kept := 0, 0
		for _, line := range rec.Lines {
			a := line.Act
			a.No = 0
			if seat := a.By.Seat(); seat != 0 {
				a.By, a.For = engine.Host, seat
			}
			next, events, err := game.Do(a)
			if err != nil {
				t.Fatalf("%s, %s: %v", path, record.FormatAct(a), err)
			}
			no := next.Log()[len(next.Log())-1].Act.No
			undo := console(next).Undo
			switch {
			case engine.Announces(events):
				kept++
				if undo != nil && undo.No == no {
					t.Errorf("%s: %s is announced, and offered to be taken back", path, record.FormatAct(a))
				}
			case undo == nil || undo.No != no:
				t.Fatalf("%s: %s is not offered to be taken back: %v", path, record.FormatAct(a), undo)
			default:
				undone++
				back, _, err := next.Do(engine.Act{By: engine.Host, Verb: engine.Undo, N: no})
				if err != nil {
					t.Fatalf("%s: %s: %v", path, record.FormatAct(a), err)
				}
				viewers := []engine.Audience{engine.ToHost, engine.All}
				for seat := range setup.Seats {
					viewers = append(viewers, engine.Audience(seat+1))
				}
				for _, v := range viewers {
					if was, is := game.Seen(v), back.Seen(v); !reflect.DeepEqual(was, is) {
						t.Fatalf("%s: %s taken back, %d sees\n%+v\nwant\n%+v", path, record.FormatAct(a), v, is, was)
					}
				}
				game = back
				if next, _, err = game.Do(a); err != nil {
					t.Fatalf("%s: %s done again: %v", path, record.FormatAct(a), err)
				}
			}
			game = next
		}
		if undone < 10 || kept < 3 {
			t.Errorf("%s: %d acts taken back, %d announced", path, undone, kept)
		}
	}
}
