package boulevard_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/boulevard"
	"github.com/mafiabox/mafiabox/engine/record"
)

// begin begins a game of these rules; options are "name value".
func begin(t testing.TB, rules boulevard.Rules, cast string, options ...string) engine.Game {
	t.Helper()
	setup := engine.Setup{Options: map[string]string{}}
	for _, role := range strings.Fields(cast) {
		setup.Roles = append(setup.Roles, engine.Role(role))
	}
	setup.Seats = len(setup.Roles)
	for _, o := range options {
		name, value, _ := strings.Cut(o, " ")
		setup.Options[name] = value
	}
	g, _, err := engine.Begin(rules, setup)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// do does acts as a record writes them and gives what the last one led to.
func do(t testing.TB, g *engine.Game, acts ...string) (events []engine.Event) {
	t.Helper()
	for _, line := range acts {
		act, err := record.ParseAct(line, g.Setup().Seats)
		if err == nil {
			*g, events, err = g.Do(act)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return events
}

const nine = "don mafia doctor maniac civilian commissioner putana civilian civilian"

// TestActsThatNoRecordCanHold: what no page and no record can say is refused
// all the same.
func TestActsThatNoRecordCanHold(t *testing.T) {
	g := begin(t, boulevard.Standard, nine)
	do(t, &g, "host leave 8", "host night")
	for _, c := range []struct {
		act  engine.Act
		want engine.Refusal
	}{
		{engine.Act{By: 5, For: 3, Verb: engine.Heal, Seats: []engine.Seat{5}}, engine.RefusedRole},
		{engine.Act{By: 5, For: 3, Verb: engine.Heal, Seats: []engine.Seat{5}, Mends: true}, engine.RefusedRole},
		{engine.Act{By: 8, For: 3, Verb: engine.Heal, Seats: []engine.Seat{5}}, engine.RefusedDead},
		{engine.Act{By: engine.Clock, Verb: engine.End}, engine.RefusedRole},
		{engine.Act{By: engine.Clock, Verb: engine.Stop}, engine.RefusedRole},
		{engine.Act{By: engine.Clock, Verb: engine.Dawn}, engine.RefusedRole},
		{engine.Act{By: engine.Host, Verb: engine.Advance}, engine.RefusedRole},
		{engine.Act{By: 3, Verb: engine.Advance}, engine.RefusedRole},
		{engine.Act{By: 3, Verb: engine.Undo}, engine.RefusedRole},
		{engine.Act{By: 8, Verb: engine.Undo}, engine.RefusedDead},
		{engine.Act{By: 99, Verb: engine.Wait}, engine.RefusedRole},
		{engine.Act{By: 3, Verb: engine.Wait, Text: "psst"}, engine.RefusedLimit},
		{engine.Act{By: 3, Verb: engine.Heal, Seats: []engine.Seat{5}, N: 2}, engine.RefusedTarget},
		{engine.Act{By: 3, Verb: engine.Heal, Seats: []engine.Seat{0}}, engine.RefusedTarget},
		{engine.Act{By: 3, Verb: engine.Heal, Seats: []engine.Seat{-1}}, engine.RefusedTarget},
		{engine.Act{By: 3, Verb: engine.Heal, Seats: []engine.Seat{64}}, engine.RefusedTarget},
		{engine.Act{By: 3, Verb: engine.Heal, Word: "null"}, engine.RefusedTarget},
		{engine.Act{By: engine.Host, Verb: engine.Undo, Seats: []engine.Seat{1}}, engine.RefusedTarget},
		{engine.Act{By: engine.Host, Verb: engine.Undo, N: -1}, engine.RefusedTarget},
		{engine.Act{By: engine.Host, Verb: engine.Note, Text: strings.Repeat("x", engine.TextMax+1)}, engine.RefusedLimit},
		{engine.Act{By: engine.Host, Verb: engine.Warn, Seats: []engine.Seat{3}, Text: strings.Repeat("x", engine.TextMax+1)}, engine.RefusedLimit},
		{engine.Act{By: engine.Host, Verb: engine.Warn, Seats: []engine.Seat{8}, Text: strings.Repeat("x", engine.TextMax+1)}, engine.RefusedTarget},
		{engine.Act{By: engine.Host, Verb: engine.Votes}, engine.RefusedPhase},
		{engine.Act{By: engine.Guest, Verb: engine.Post, Text: "hello"}, engine.RefusedRole},
		{engine.Act{By: 3, Verb: "nonsense"}, engine.RefusedRole},
		{engine.Act{}, engine.RefusedRole},
	} {
		_, events, err := g.Do(c.act)
		if !errors.Is(err, c.want) || events != nil {
			t.Errorf("%+v: %v, want refused %s", c.act, err, c.want)
		}
	}
}

// TestNewRole: a role whose verb exists is a row of the table and nothing more.
func TestNewRole(t *testing.T) {
	bodyguard := boulevard.Role{
		RoleInfo: engine.RoleInfo{Role: "bodyguard", Side: boulevard.Town},
		Does:     []engine.Verb{engine.Heal},
	}
	rules := boulevard.Rules{Table: append(append([]boulevard.Role(nil), boulevard.Table...), bodyguard)}
	g := begin(t, rules, "don mafia maniac doctor bodyguard civilian commissioner civilian")
	do(t, &g, "host night", "1 shoot 6", "3 attack 6", "4 heal 6", "5 heal 6")
	events := fmt.Sprint(lines(do(t, &g, "host dawn")))
	if strings.Contains(events, "out 6") || !strings.Contains(events, "all stay") {
		t.Errorf("two protections against two attacks: %s", events)
	}
	do(t, &g, "host night", "1 shoot 5")
	if err := refused(g, "5 heal 6"); err != engine.RefusedLimit {
		t.Errorf("the limits of its verb hold for it too: %v", err)
	}
	if _, _, err := engine.Begin(boulevard.Standard, g.Setup()); err == nil {
		t.Error("the standard game knows the new role")
	}
}

func lines(events []engine.Event) (said []string) {
	for _, e := range events {
		said = append(said, record.FormatEvent(e))
	}
	return said
}

func refused(g engine.Game, line string) error {
	act, err := record.ParseAct(line, g.Setup().Seats)
	if err == nil {
		_, _, err = g.Do(act)
	}
	return err
}
