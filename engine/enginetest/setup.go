package enginetest

import (
	"strconv"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// setup is a random setup; not every one fits the rules.
func (p *Player) setup(rules engine.Ruleset) engine.Setup {
	s := engine.Setup{Options: map[string]string{}, Draws: map[string]string{}}
	for _, o := range rules.Options() {
		s.Options[o.Name] = pick(p.Rng, o.Values)
		if o.Max > 0 {
			s.Options[o.Name] = strconv.Itoa(o.Min + p.Rng.IntN(o.Max-o.Min+1))
		}
		if o.Zone {
			s.Options[o.Name] = pick(p.Rng, zones)
			if p.Rng.IntN(6) > 0 {
				s.Start = time.Unix(1.77e9+p.Rng.Int64N(365*86400), 0).UTC()
			}
		}
	}
	fewest, most := rules.Seats()
	s.Seats = fewest + min(p.Rng.IntN(most-fewest+1), p.Rng.IntN(most-fewest+1))
	s.Roles = p.deal(rules, s)
	for _, d := range rules.Draws() {
		if among := d.Among(s.Roles); len(among) > 0 {
			s.Draws[d.Name] = pick(p.Rng, among)
		}
	}
	return s
}

var zones = []string{"UTC", "America/New_York", "Europe/Berlin", "Australia/Sydney"}

// deal is a random deal, now and then that of the usual set; more often where
// there are deadlines, as half a table of mafia soon ends a game of long rounds.
func (p *Player) deal(rules engine.Ruleset, s engine.Setup) []engine.Role {
	if p.Rng.IntN(10) == 0 || !s.Start.IsZero() && p.Rng.IntN(4) > 0 {
		return engine.Deal(rules.Cast(s.Seats), p.Rng.Uint64())
	}
	var many, cast []engine.Role
	infos := rules.Roles()
	for _, i := range p.Rng.Perm(len(infos)) {
		switch info := infos[i]; {
		case info.If != "" && s.Options[info.If] != "on":
		case info.Many:
			many = append(many, info.Role)
		case len(cast) < s.Seats && p.Rng.IntN(3) > 0:
			cast = append(cast, info.Role)
		}
	}
	for len(cast) < s.Seats {
		cast = append(cast, pick(p.Rng, many))
	}
	return engine.Deal(cast, p.Rng.Uint64())
}
