package sheet_test

import "slices"

// siteGame is an export as a rating site reads it: from its JSON alone.
type siteGame struct {
	Features string
	Winner   string
	Players  []*sitePlayer
}

type sitePlayer struct {
	Name, Role           string
	Death                *siteDeath
	Warnings, TechFouls  []siteTime
	Don, Sheriff         int
	Legacy               []int
	Nominating, Shooting []*int
	Voting               []any
}

type siteDeath struct {
	Round int
	Type  string
	Time  *siteTime
}

type siteTime struct {
	Round       int
	Time        string
	VotingRound *int
	Speaker     int
}

func (p *sitePlayer) black() bool { return p.Role == "maf" || p.Role == "don" }

// moment puts what happens in a round in order.
func moment(time string) int {
	return slices.Index([]string{"start", "arrangement", "relaxed sitting", "night start", "shooting", "night end", "day start", "night kill speaking", "speaking", "voting", "voting kill all", "day kill speaking"}, time)
}

// before tells whether a player is gone before that time of a round.
func (p *sitePlayer) before(round int, time string) bool {
	switch d := p.Death; {
	case d == nil || d.Round > round:
		return false
	case d.Round < round:
		return true
	case d.Type == "night":
		return moment("shooting") < moment(time)
	case d.Type == "day":
		return moment("voting kill all") < moment(time)
	default:
		return moment(d.Time.Time) < moment(time)
	}
}

// votes are a player's votes of a round, and his hand where it was asked for.
func (p *sitePlayer) votes(round int) (votes []int, hand, asked bool) {
	if round >= len(p.Voting) || p.Voting[round] == nil {
		return nil, false, false
	}
	list, split := p.Voting[round].([]any)
	if !split {
		list = []any{p.Voting[round]}
	}
	for _, v := range list {
		switch v := v.(type) {
		case float64:
			votes = append(votes, int(v))
		case bool:
			hand, asked = v, true
		}
	}
	return votes, hand, asked
}

func (g siteGame) rounds() (n int) {
	for _, p := range g.Players {
		n = max(n, len(p.Voting), len(p.Nominating), len(p.Shooting)+1)
		if p.Death != nil {
			n = max(n, p.Death.Round+1)
		}
	}
	return n
}

// tops are who had most votes in each vote of a round.
func (g siteGame) tops(round int) (tops [][]int) {
	counts := make([]map[int]int, 0)
	for _, p := range g.Players {
		votes, _, _ := p.votes(round)
		for i, v := range votes {
			for len(counts) <= i {
				counts = append(counts, make(map[int]int))
			}
			counts[i][v]++
		}
	}
	for _, votes := range counts {
		most := 0
		for _, n := range votes {
			most = max(most, n)
		}
		var top []int
		for of := range g.Players {
			if votes[of+1] == most {
				top = append(top, of+1)
			}
		}
		tops = append(tops, top)
	}
	return tops
}

// void tells whether a removal has made a round's vote void.
func (g siteGame) void(round int) bool {
	for i, p := range g.Players {
		d := p.Death
		if d == nil || d.Time == nil {
			continue
		}
		late := d.Time.Time == "day kill speaking"
		shot := d.Time.Time == "night end" && slices.Contains(g.shot(round), i+1)
		if d.Round == round && !late && !shot || d.Round == round-1 && late {
			return true
		}
	}
	return false
}

// shot is whom all the black who were there in a night have shot.
func (g siteGame) shot(round int) []int {
	var target int
	for _, p := range g.Players {
		if round == 0 || !p.black() || p.before(round, "shooting") {
			continue
		}
		if round > len(p.Shooting) || p.Shooting[round-1] == nil || target != 0 && *p.Shooting[round-1] != target {
			return nil
		}
		target = *p.Shooting[round-1]
	}
	if target == 0 {
		return nil
	}
	return []int{target}
}

func (g siteGame) nominated(round int) (of []int) {
	for _, p := range g.Players {
		if round < len(p.Nominating) && p.Nominating[round] != nil {
			of = append(of, *p.Nominating[round])
		}
	}
	return of
}
