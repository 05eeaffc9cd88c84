package sheet_test

import (
	"fmt"
	"slices"
)

// siteChecks are what a site holds against a game, by name.
var siteChecks = map[string]func(siteGame) error{
	"roles": checkRoles, "dead": checkDead, "fouls": checkFouls, "winner": checkWinner,
	"candidates": checkCandidates, "out": checkOut, "complete": checkComplete, "night": checkNight, "legacy": checkLegacy,
}

func checkRoles(g siteGame) error {
	counts := make(map[string]int)
	for _, p := range g.Players {
		counts[p.Role]++
		if len(p.Shooting) > 0 && !p.black() {
			return fmt.Errorf("a red player shoots")
		}
	}
	if len(g.Players) != 10 || counts["maf"] != 2 || counts["don"] != 1 || counts["sheriff"] != 1 {
		return fmt.Errorf("roles %v", counts)
	}
	return nil
}

func checkDead(g siteGame) error {
	for i, p := range g.Players {
		for round, of := range p.Nominating {
			if of != nil && (p.before(round, "speaking") || g.Players[*of-1].before(round, "speaking")) {
				return fmt.Errorf("%d nominates %d in round %d", i+1, *of, round)
			}
		}
		for round := range p.Voting {
			if votes, _, _ := p.votes(round); len(votes) > 0 && p.before(round, "voting") {
				return fmt.Errorf("%d votes in round %d", i+1, round)
			}
		}
		for n, of := range p.Shooting {
			if of != nil && (p.before(n+1, "shooting") || g.Players[*of-1].before(n+1, "night start")) {
				return fmt.Errorf("%d shoots in night %d", i+1, n+1)
			}
		}
	}
	for _, p := range g.Players {
		for _, by := range g.Players {
			if by.Role == "don" && p.Don > 0 && by.before(p.Don, "shooting") || by.Role == "sheriff" && p.Sheriff > 0 && by.before(p.Sheriff, "shooting") {
				return fmt.Errorf("a check by the dead")
			}
		}
	}
	return nil
}

func checkFouls(g siteGame) error {
	for i, p := range g.Players {
		for kind, list := range map[string][]siteTime{"warnings": p.Warnings, "techFouls": p.TechFouls} {
			enough := map[string]int{"warnings": 4, "techFouls": 2}[kind]
			dead := p.Death != nil && p.Death.Type == kind
			if len(list) > enough || dead != (len(list) == enough) {
				return fmt.Errorf("%d has %d %s and died of it: %v", i+1, len(list), kind, dead)
			}
			if dead && (p.Death.Round != list[enough-1].Round || p.Death.Time.Time != list[enough-1].Time) {
				return fmt.Errorf("%d died at another time than of its last of %s", i+1, kind)
			}
			for _, at := range list {
				if moment(at.Time) < 0 || at.Round < 0 || at.Time == "voting" && at.VotingRound == nil || at.Time == "speaking" && at.Speaker == 0 {
					return fmt.Errorf("%d: %s at %+v", i+1, kind, at)
				}
			}
		}
	}
	return nil
}

func checkWinner(g siteGame) error {
	black, red, defeated := 0, 0, ""
	for _, p := range g.Players {
		switch {
		case p.Death != nil && p.Death.Type == "teamKickOut":
			defeated = map[bool]string{true: "civ", false: "maf"}[p.black()]
		case p.Death != nil:
		case p.black():
			black++
		default:
			red++
		}
	}
	want := "tie"
	switch {
	case defeated != "":
		want = defeated
	case black == 0:
		want = "civ"
	case black >= red:
		want = "maf"
	}
	if g.Winner != want {
		return fmt.Errorf("%s wins with %d black and %d red", g.Winner, black, red)
	}
	return nil
}

func checkCandidates(g siteGame) error {
	for round := range g.rounds() {
		tops := g.tops(round)
		for i, p := range g.Players {
			votes, _, _ := p.votes(round)
			for n, v := range votes {
				if n == 0 && !slices.Contains(g.nominated(round), v) || n > 0 && (len(tops[n-1]) < 2 || !slices.Contains(tops[n-1], v)) {
					return fmt.Errorf("%d votes for %d in vote %d of round %d", i+1, v, n, round)
				}
			}
		}
	}
	return nil
}

// checkOut: who has most votes leaves, and nobody leaves otherwise by a vote.
func checkOut(g siteGame) error {
	for round := range g.rounds() {
		var out, left []int
		hands, living := 0, 0
		for i, p := range g.Players {
			if _, hand, _ := p.votes(round); hand {
				hands++
			}
			if !p.before(round, "voting") {
				living++
			}
			if d := p.Death; d != nil && d.Type == "day" && d.Round == round {
				left = append(left, i+1)
			}
		}
		if tops := g.tops(round); len(tops) > 0 && !g.void(round) {
			if last := tops[len(tops)-1]; len(last) == 1 || 2*hands > living {
				out = last
			}
		}
		if !slices.Equal(out, left) {
			return fmt.Errorf("the votes of round %d put out %v, died %v", round, out, left)
		}
	}
	return nil
}

func checkComplete(g siteGame) error {
	for round := range g.rounds() {
		candidates, votes := len(g.nominated(round)), len(g.tops(round))
		if g.void(round) {
			continue
		}
		if want := candidates > 1 || candidates == 1 && round > 0; want && votes == 0 && round < g.rounds()-1 {
			return fmt.Errorf("no vote in round %d", round)
		}
		for i, p := range g.Players {
			if mine, _, _ := p.votes(round); !p.before(round, "voting") && len(mine) != votes {
				return fmt.Errorf("%d gives %d of %d votes in round %d", i+1, len(mine), votes, round)
			}
		}
	}
	return nil
}

func checkNight(g siteGame) error {
	for round := range g.rounds() {
		var died []int
		for i, p := range g.Players {
			if d := p.Death; d != nil && d.Type == "night" && d.Round == round {
				died = append(died, i+1)
			}
		}
		shot := slices.DeleteFunc(g.shot(round), func(n int) bool { return g.Players[n-1].Death != nil && g.Players[n-1].Death.Time != nil })
		if len(shot)+len(died) > 0 && !slices.Equal(shot, died) {
			return fmt.Errorf("night %d: shot %v, died %v", round, shot, died)
		}
	}
	return nil
}

func checkLegacy(g siteGame) error {
	for i, p := range g.Players {
		first := p.Death != nil && p.Death.Type == "night" && p.Death.Round == 1
		if len(p.Legacy) > 3 || len(p.Legacy) > 0 && !first || slices.Contains(p.Legacy, i+1) {
			return fmt.Errorf("%d leaves %v", i+1, p.Legacy)
		}
	}
	return nil
}
