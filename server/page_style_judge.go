package server

import (
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// sampleJudge are the console's states at a table with hands, out of a real game
// of the sport regulation: its acts lead from one state to the next.
func (b *Box) sampleJudge(w words) (all []sample[hostPage]) {
	rules, ok := rulesets.Find(b.cfg.Rulesets, "sport")
	if !ok {
		return nil
	}
	seats, _ := rules.Seats()
	game, _, err := engine.Begin(rules, engine.Setup{Seats: seats, Roles: rules.Cast(seats), Options: map[string]string{"tech_fouls": "two_out"}})
	if err != nil {
		return nil
	}
	host := func(verb engine.Verb, named ...engine.Seat) engine.Act {
		return engine.Act{By: engine.Host, Verb: verb, Seats: named}
	}
	enter := func(by engine.Seat, verb engine.Verb, named ...engine.Seat) engine.Act {
		return engine.Act{By: engine.Host, For: by, Verb: verb, Seats: named}
	}
	for _, state := range []struct {
		name string
		acts []engine.Act
	}{
		{"agreement", []engine.Act{host(engine.Night)}},
		{"nominate", []engine.Act{host(engine.Dawn), host(engine.Foul, 4), host(engine.Foul, 4), host(engine.Foul, 9), host(engine.Speech, 1), enter(1, engine.Nominate, 2)}},
		{"fouls", []engine.Act{host(engine.Foul, 4), host(engine.Foul, 5), host(engine.Foul, 5), host(engine.Foul, 5)}},
		{"hands", []engine.Act{host(engine.Speech, 7), enter(7, engine.Nominate, 6), host(engine.Vote), host(engine.Votes, 2, 1, 3, 5, 7, 10)}},
		{"all", []engine.Act{host(engine.Close), host(engine.Vote), host(engine.Votes, 2, 1, 3, 5, 7, 10), host(engine.Close), host(engine.Raise, 1, 3)}},
		{"calls", []engine.Act{host(engine.Close), host(engine.Night), enter(1, engine.Shoot, 9), enter(3, engine.Seek, 4), enter(4, engine.Check, 2)}},
		{"bestmove", []engine.Act{enter(2, engine.Shoot, 9), enter(3, engine.Shoot, 9), host(engine.Dawn)}},
	} {
		for _, act := range state.acts {
			next, _, err := game.Do(act)
			if err != nil {
				panic(err) // they are written for this game
			}
			game = next
		}
		seen := game.Seen(engine.ToHost)
		p := hostPage{view: w.sampleView(seen.Phase, seats), codesView: sampleCodes(true), Login: sampleLogin, Become: sampleSecret}
		for i, s := range seen.Seats {
			v := &p.Seats[i]
			v.Phone, v.Out, v.Cause, v.Fouls, v.Technical, v.Muted, v.Voted, v.Warned = i == 7, s.Out, s.Cause, s.Fouls, s.Technical, s.Muted, s.Voted, 0
			v.Speaks = seen.Speaker == s.Seat
		}
		for _, c := range seen.Candidates {
			p.Seats[c-1].Candidate = true
			p.Candidates = append(p.Candidates, p.Seats[c-1])
		}
		if seen.Speaker != 0 {
			p.Speech = &speechView{p.Seats[seen.Speaker-1], clockView{"1", 41_000, true}}
		} else if seen.Phase.N == 0 && p.Night {
			p.Clock = &clockView{"agreement", 41_000, true}
		}
		if verb, ok := nextStep(seen); ok {
			p.Next = w.step(verb, "", game.Setup().Options)
		}
		p.judge(game, seen)
		p.Calls, p.Undo = p.calls(game, seen), w.undoable(game, p.Seats)
		all = append(all, sample[hostPage]{w.T("style.judge." + state.name), p})
	}
	return all
}
