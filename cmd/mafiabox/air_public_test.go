package main

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// console: at night the host's page follows each form that is answered, accepted
// or refused, when it is answered; all of its frames are as large.
func (a *air) console(g played) {
	var causes []time.Time
	for _, act := range a.acts {
		if act.wakes {
			causes = append(causes, act.at)
		}
	}
	for _, p := range append(slices.Clone(a.phones), a.screen, a.host) {
		for _, e := range p.all {
			if e.kind != "night" {
				causes = append(causes, e.sent)
			}
			if e.kind == "night" || e.kind == "read" || e.kind == "for" {
				causes = append(causes, e.answered)
			}
		}
		for _, gap := range p.away {
			causes = append(causes, gap[0], gap[1])
		}
	}
	var frames []time.Time
	for _, f := range a.host.frames {
		now := a.at(f.at)
		if f.at.Before(g.from) || f.at.After(g.to) || !now.night() || !a.at(f.at.Add(-around)).night() || strings.HasPrefix(f.text, "1\n") {
			continue
		}
		frames = append(frames, f.at)
		a.said["host at night"]++
		a.one(f.size, "the host's frames in %s (%d)", now.phase, now.opened)
		if !slices.ContainsFunc(causes, func(t time.Time) bool {
			return f.at.Sub(t) > -80*time.Millisecond && f.at.Sub(t) < consoleRest+around/2
		}) {
			last := g.from
			for _, t := range causes {
				if t.Before(f.at) && t.After(last) {
					last = t
				}
			}
			a.noise("console", "the host has a frame at %s that no answer explains: the last thing to be shown was %v before", f.at.Format("04:05.000"), f.at.Sub(last))
		}
	}
	for _, e := range a.quiet {
		if !e.sent.After(g.from) || !e.sent.Before(g.to) {
			continue
		}
		a.said["one at a time"]++
		var after []time.Duration
		for _, t := range frames {
			if t.After(e.sent) && t.Before(e.answered.Add(around)) {
				after = append(after, t.Sub(e.sent))
			}
		}
		if len(after) == 0 || after[0] < 200*time.Millisecond {
			a.noise("one at a time", "a form at %s, refused %v, is followed on the host's page after %v", e.sent.Format("04:05.000"), e.refused, after)
		}
	}
}

var owedOnScreen = regexp.MustCompile(`(?s)<p class="(say|less)">.*?</p>`)

// public: at night the table's screen shows nothing new but how many still owe
// an answer, and it changes with the beat.
func (a *air) public(g played) {
	shown := make(map[int]string)
	for _, f := range a.screen.frames {
		if f.at.Before(g.from) || f.at.After(g.to) || !a.at(f.at.Add(-around)).night() || a.at(f.at).window != a.at(f.at.Add(-around)).window {
			continue
		}
		a.said["screen at night"]++
		_, page, _ := strings.Cut(f.text, "\n")
		page = owedOnScreen.ReplaceAllString(page, "")
		if was, ok := shown[a.at(f.at).window]; ok && was != page {
			a.Errorf("the screen shows\n%s\nafter\n%s", page, was)
		}
		shown[a.at(f.at).window] = page
		if !slices.ContainsFunc(a.phones, func(p *airPhone) bool {
			return slices.ContainsFunc(p.frames, func(of push) bool { return of.at.Sub(f.at).Abs() < around })
		}) {
			a.noise("screen", "the screen has a frame of its own at %s", f.at.Format("04:05.000"))
		}
	}
}

// strangers: who has only the join code sees one page, whatever is played.
func (a *air) strangers() {
	for _, e := range a.guest.all {
		a.said["a stranger's page"]++
		a.one(e.out, "a stranger's request")
		a.one(e.in, "a stranger's page")
	}
}

// summary compares how long answers take, and says what was heard.
func (a *air) summary() {
	var took [2][]time.Duration
	for i, all := range [][]exchange{a.accepted, a.refused} {
		for _, e := range all {
			took[i] = append(took[i], e.answered.Sub(e.sent))
		}
		slices.Sort(took[i])
	}
	a.Logf("%d games, %d acts; %d frames in %d bursts, %d of them beats; %d exchanges %v", len(a.games), len(a.acts), a.frames, a.bursts, a.beats, a.asks, a.said)
	if len(took[0]) < 10 || len(took[1]) < 7 || a.bursts < 15 || a.beats < 5 {
		a.Fatalf("too little was played: %d accepted and %d refused at night", len(took[0]), len(took[1]))
	}
	var pairs []time.Duration // each refused form against the accepted one nearest to it in time
	for _, r := range a.refused {
		near := slices.MinFunc(a.accepted, func(x, y exchange) int {
			return int(x.sent.Sub(r.sent).Abs() - y.sent.Sub(r.sent).Abs())
		})
		pairs = append(pairs, r.answered.Sub(r.sent)-near.answered.Sub(near.sent))
	}
	slices.Sort(pairs)
	if a.stalls > 0 {
		a.Logf("the machine stood still %d times", a.stalls)
	}
	middle := pairs[len(pairs)/2]
	for kind, of := range map[string]int{"late": a.bursts, "beat": a.beats, "console": a.said["host at night"], "one at a time": 6 * a.said["one at a time"], "screen": a.said["screen at night"]} {
		for i, what := range a.odd[kind] {
			if len(a.odd[kind]) > 1+of/25+2*a.stalls {
				a.Error(what)
			} else {
				a.Logf("%d: %s", i+1, what)
			}
		}
	}
	a.Logf("%d accepted take %v at the middle and %v at most, %d refused %v and %v; pairs are %v apart at the middle",
		len(took[0]), took[0][len(took[0])/2], took[0][len(took[0])-1], len(took[1]), took[1][len(took[1])/2], took[1][len(took[1])-1], middle)
	if middle.Abs() > 40*time.Millisecond {
		a.Errorf("what is refused takes %v longer than what is accepted", middle)
	}
}
