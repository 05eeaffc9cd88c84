package main

import (
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestAir plays whole games and listens to every phone. What is heard must
// follow from what everybody is told: neither a role, nor a choice, nor whether
// it was accepted may show in how much is sent, how often, or when.
func TestAir(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for a minute")
	}
	length := 32 * time.Second // and then to the end of the round
	if os.Getenv("MAFIABOX_LONG") != "" {
		length = 5 * time.Minute
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for _, c := range []struct {
		name    string
		seats   int
		hand    []string
		options []string
	}{
		{"seven dealt by hand, open votes", 7, []string{"don", "mafia", "commissioner", "doctor", "putana", "maniac", "civilian"}, []string{"open_vote", "yes", "peek", "always"}},
		{"twelve dealt by the box, secret votes", 12, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newAirTable(t, seed, c.seats, c.hand, c.options...)
			g.play(length)
			a := &air{airTable: g, said: make(map[string]int), sizes: make(map[string]map[int]bool), odd: make(map[string][]string)}
			for _, game := range g.games {
				a.game(game)
			}
			a.strangers()
			a.summary()
		})
	}
}

// airAct is an act of a game, and what everybody knows after it.
type airAct struct {
	at     time.Time
	public bool // everybody is told of it, beyond how many still owe an answer or have voted
	wakes  bool // every page follows it: by day any act, at night one that is public
	phase  string
	out    map[int]bool
	window int // between which public events
	opened int // the one that opened the phase
}

func (a airAct) night() bool {
	return strings.HasPrefix(a.phase, "night") || strings.HasPrefix(a.phase, "closed")
}

// airActs are a game's acts from its record, the deal first.
func airActs(g played) []airAct {
	all := []airAct{{at: g.from, public: true, wakes: true, phase: "day 0", out: make(map[int]bool)}}
	fresh := make(map[int]bool) // out since the night began, which a replay takes back
	_, lines, _ := strings.Cut(g.record, "\nbegin\n")
	for line := range strings.Lines(lines) {
		last := &all[len(all)-1]
		words := strings.Fields(line)
		if words[0] != "=" {
			_, when, dated := strings.Cut(line, " @")
			at, err := time.Parse(time.RFC3339Nano, strings.Fields(when + " -")[0])
			if !dated || err != nil {
				continue
			}
			act := airAct{at: at, wakes: !last.night(), phase: last.phase, out: maps.Clone(last.out), window: last.window, opened: last.opened}
			switch verb := words[1]; verb {
			case "night":
				clear(fresh)
			case "replay", "stop", "resume":
				act.public = true
				for seat := range fresh {
					delete(act.out, seat)
				}
			}
			all = append(all, act)
			continue
		}
		if words[1] != "all" || words[2] == "owed" || words[2] == "voted" {
			continue
		}
		if !last.public {
			last.public, last.wakes = true, true
			last.window++
		}
		switch words[2] {
		case "phase":
			last.phase, last.opened = strings.Join(words[3:], " "), last.window
		case "out":
			seat, _ := strconv.Atoi(words[3])
			last.out[seat], fresh[seat] = true, true
		}
	}
	return all
}
