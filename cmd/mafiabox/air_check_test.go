package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// air is what was heard at a table, held against the records of its games.
type air struct {
	*airTable
	acts                        []airAct
	frames, bursts, beats, asks int
	sizes                       map[string]map[int]bool
	said                        map[string]int // how many of each kind, for the summary
	accepted, refused           []exchange
}

// around is how long a push may follow its act on a busy machine, and bursts are apart.
const around = 500 * time.Millisecond

// at is the state of the game at a moment.
func (a *air) at(t time.Time) airAct {
	i, _ := slices.BinarySearchFunc(a.acts, t, func(act airAct, t time.Time) int { return act.at.Compare(t) })
	return a.acts[max(0, i-1)]
}

// one notes a size that must be the only one under its name.
func (a *air) one(size int, format string, args ...any) {
	name := fmt.Sprintf(format, args...)
	if a.sizes[name] == nil {
		a.sizes[name] = make(map[int]bool)
	}
	if a.sizes[name][size] = true; len(a.sizes[name]) == 2 {
		a.Errorf("%s: more sizes than one: %v", name, a.sizes[name])
	}
}

// game listens to one game.
func (a *air) game(g played) {
	a.acts, a.sizes = airActs(g), make(map[string]map[int]bool)
	for _, p := range a.phones {
		for _, e := range p.all {
			if e.sent.After(g.from) && e.sent.Before(g.to) {
				a.exchange(p, e)
			}
		}
	}
	for _, e := range a.host.all {
		if e.kind == "for" && e.sent.After(g.from) && e.sent.Before(g.to) && e.answered.Sub(e.sent) < 249*time.Millisecond {
			a.Errorf("the host's act for a seat is answered after %v", e.answered.Sub(e.sent))
		}
	}
	a.pushes(g)
	a.console(g)
	a.public(g)
}

// exchange: all of one kind have one size both ways, and those of a night take one time.
func (a *air) exchange(p *airPhone, e exchange) {
	before, after := a.at(e.sent.Add(-100*time.Millisecond)), a.at(e.answered.Add(100*time.Millisecond))
	if before.opened != after.opened || before.night() && before.window != after.window {
		return // on both sides of a public event
	}
	a.asks++
	a.said[e.kind]++
	of := fmt.Sprintf("%s in %s (%d), %s, script %v, out %v", e.kind, after.phase, after.opened, p.lang, p.live, after.out[p.seat])
	a.one(e.out, "request: %s", of)
	a.one(e.in, "answer: %s", of)
	if e.kind != "night" && e.kind != "read" || !before.night() {
		return
	}
	if took := e.answered.Sub(e.sent); took < 249*time.Millisecond {
		a.Errorf("%s of seat %d is answered after %v", e.kind, p.seat, took)
	}
	switch {
	case e.kind == "read":
	case e.refused:
		a.refused = append(a.refused, e)
	default:
		a.accepted = append(a.accepted, e)
	}
}

// seatPush is a frame of a seat.
type seatPush struct {
	push
	p *airPhone
}

// pushes: whenever seats get frames, all of them do, as many and as large; and
// they do at a beat of the night or when something happens that all may see.
func (a *air) pushes(g played) {
	var all []seatPush
	end := a.acts[len(a.acts)-1].at.Add(around)
	for _, p := range a.phones {
		for _, f := range p.frames {
			if f.at.After(g.from) && f.at.Before(end) && !strings.HasPrefix(f.text, "1\n") { // a stream begins with the page: its phone asked
				all = append(all, seatPush{f, p})
				now := a.at(f.at)
				if f.at.Sub(a.last(f.at)) > around {
					a.one(f.size, "frames in %s (%d), %s, out %v", now.phase, now.window, p.lang, now.out[p.seat])
				}
			}
		}
	}
	slices.SortFunc(all, func(x, y seatPush) int { return x.at.Compare(y.at) })
	a.frames += len(all)
	var beats []time.Time
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].at.Sub(all[n-1].at) < around {
			n++
		}
		if a.burst(all[:n]) == 0 {
			beats = append(beats, all[0].at)
		}
		all = all[n:]
	}
	a.rhythm(beats)
}

// last is when something public happened last.
func (a *air) last(t time.Time) time.Time {
	last := a.acts[0].at
	for _, act := range a.acts {
		if act.public && !act.at.After(t) {
			last = act.at
		}
	}
	return last
}

// burst looks at frames that came together, and gives how many acts explain them.
func (a *air) burst(all []seatPush) (acts int) {
	a.bursts++
	from, to := all[0].at, all[len(all)-1].at
	for _, act := range a.acts {
		if act.wakes && act.at.After(from.Add(-around)) && !act.at.After(to) {
			acts++
		}
	}
	now := a.at(to)
	where := fmt.Sprintf("%s, %s", now.phase, from.Format("04:05.000"))
	if acts == 0 && !now.night() {
		a.Errorf("%s: frames by day for which nothing happened", where)
	}
	if spread := to.Sub(from); acts <= 1 && spread > 2*around {
		a.Errorf("%s: frames that belong together are %v apart", where, spread)
	}
	counts := make(map[string]map[int][]int) // by who is compared: seats by how many frames
	for _, p := range a.phones {
		if !p.live || p.wasAway(from, to) {
			continue
		}
		n := 0
		who := fmt.Sprintf("%s, out %v", p.lang, now.out[p.seat])
		for _, f := range all {
			if f.p == p {
				n++
				if acts <= 1 {
					a.one(f.size, "frames at %s, %s", where, who)
				}
			}
		}
		if counts[who] == nil {
			counts[who] = make(map[int][]int)
		}
		counts[who][n] = append(counts[who][n], p.seat)
		if n == 0 || n > acts+1 || acts == 0 && n != 1 {
			a.Errorf("%s: seat %d (%s) gets %d frames where %d public acts explain them", where, p.seat, who, n, acts)
		}
	}
	for who, seats := range counts {
		if acts <= 1 && len(seats) > 1 {
			a.Errorf("%s: %s: so many frames get these seats: %v", where, who, seats)
		}
	}
	return acts
}

func (p *airPhone) wasAway(from, to time.Time) bool {
	return slices.ContainsFunc(p.away, func(gap [2]time.Time) bool {
		return from.Before(gap[1].Add(around)) && to.After(gap[0].Add(-around))
	})
}

// rhythm: the beats of the nights keep one time of two seconds, and none is missing.
func (a *air) rhythm(beats []time.Time) {
	const beat, slack = 2 * time.Second, 400 * time.Millisecond
	a.beats += len(beats)
	if len(beats) == 0 {
		a.Error("no beat in a whole game")
		return
	}
	heard := make(map[int64]bool)
	for _, t := range beats {
		since := t.Sub(beats[0])
		n := since.Round(beat)
		if off := (since - n).Abs(); off > slack {
			a.Errorf("frames %v off the beat at %s", off, t.Format("04:05.000"))
		}
		heard[int64(n/beat)] = true
	}
	for n := int64(0); n <= int64(beats[len(beats)-1].Sub(beats[0]).Round(beat)/beat); n++ {
		t := beats[0].Add(time.Duration(n) * beat)
		from, to := t.Add(-2*around), t.Add(2*around)
		quiet := a.at(from).night() && !slices.ContainsFunc(a.acts, func(act airAct) bool { return act.wakes && act.at.After(from) && act.at.Before(to) })
		if quiet && !heard[n] {
			a.Errorf("no beat at %s", t.Format("04:05.000"))
		}
	}
}

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
		if !slices.ContainsFunc(causes, func(t time.Time) bool { return f.at.Sub(t) > -80*time.Millisecond && f.at.Sub(t) < around/2 }) {
			a.Errorf("the host has a frame at %s that no answer explains", f.at.Format("04:05.000"))
		}
	}
	for _, e := range append(slices.Clone(a.accepted), a.refused...) {
		if e.sent.After(g.from) && e.sent.Before(g.to) && !slices.ContainsFunc(frames, func(t time.Time) bool { return t.Sub(e.answered).Abs() < around }) {
			a.Errorf("the host has no frame with the answer at %s, refused %v", e.answered.Format("04:05.000"), e.refused)
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
			a.Errorf("the screen has a frame of its own at %s", f.at.Format("04:05.000"))
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
	if len(took[0]) < 15 || len(took[1]) < 10 || a.bursts < 15 || a.beats < 5 {
		a.Fatalf("too little was played: %d accepted and %d refused at night", len(took[0]), len(took[1]))
	}
	var apart []time.Duration // each refused form against the accepted one nearest to it in time
	for _, r := range a.refused {
		near := slices.MinFunc(a.accepted, func(x, y exchange) int {
			return int(x.sent.Sub(r.sent).Abs() - y.sent.Sub(r.sent).Abs())
		})
		apart = append(apart, r.answered.Sub(r.sent)-near.answered.Sub(near.sent))
	}
	slices.Sort(apart)
	middle := apart[len(apart)/2]
	a.Logf("%d accepted take %v at the middle and %v at most, %d refused %v and %v; pairs are %v apart at the middle",
		len(took[0]), took[0][len(took[0])/2], took[0][len(took[0])-1], len(took[1]), took[1][len(took[1])/2], took[1][len(took[1])-1], middle)
	if middle.Abs() > 40*time.Millisecond {
		a.Errorf("what is refused takes %v longer than what is accepted", middle)
	}
}
