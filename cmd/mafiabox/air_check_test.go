package main

import (
	"fmt"
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
	odd                         map[string][]string // by kind: what a busy machine does now and then, and a leak each time
}

// noise notes what is allowed once in a while.
func (a *air) noise(kind, format string, args ...any) {
	a.odd[kind] = append(a.odd[kind], fmt.Sprintf(format, args...))
}

// around is how long a push may follow its act on a busy machine, and bursts are apart.
const around = 500 * time.Millisecond

// consoleRest is how long a console waits at the most for its next frame: it gets a few a second.
const consoleRest = 300 * time.Millisecond

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
	together := func(all []seatPush) (n int) {
		for n = min(1, len(all)); n < len(all) && all[n].at.Sub(all[n-1].at) < around; n++ {
		}
		return n
	}
	for len(all) > 0 {
		n, late := together(all), false
		if more := together(all[n:]); more > 0 && all[n].at.Sub(all[n-1].at) < 2*around && !a.even(all[:n]) && a.even(all[:n+more]) {
			a.noise("late", "some frames come %v after others at %s", all[n].at.Sub(all[n-1].at), all[n].at.Format("04:05.000"))
			n, late = n+more, true // they reached some phones late
		}
		if a.burst(all[:n], late) == 0 {
			beats = append(beats, all[0].at)
		}
		all = all[n:]
	}
	a.rhythm(beats)
}

// alike groups seats by the sizes of the frames that they have among these: by
// who is compared with whom, out of the game or not, in one language.
func (a *air) alike(all []seatPush) map[string]map[string][]int {
	from, to := all[0].at, all[len(all)-1].at
	groups := make(map[string]map[string][]int)
	for _, p := range a.phones {
		if !p.live || p.wasAway(from, to) {
			continue
		}
		var sizes []int
		for _, f := range all {
			if f.p == p {
				sizes = append(sizes, f.size)
			}
		}
		who := fmt.Sprintf("%s, out %v", p.lang, a.at(to).out[p.seat])
		if groups[who] == nil {
			groups[who] = make(map[string][]int)
		}
		same := fmt.Sprint(sizes)
		groups[who][same] = append(groups[who][same], p.seat)
	}
	return groups
}

// even tells whether all seats have as many frames among these, as large.
func (a *air) even(all []seatPush) bool {
	for _, seats := range a.alike(all) {
		if len(seats) > 1 {
			return false
		}
	}
	return true
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
func (a *air) burst(all []seatPush, late bool) (acts int) {
	a.bursts++
	from, to := all[0].at, all[len(all)-1].at
	now := a.at(to)
	for _, back := range []time.Duration{around, 3 * around} { // storing may be slow now and then
		for _, act := range a.acts {
			if act.wakes && act.at.After(from.Add(-back)) && !act.at.After(to) {
				acts++
			}
		}
		if acts > 0 || now.night() {
			break
		}
	}
	where := fmt.Sprintf("%s, %s", now.phase, from.Format("04:05.000"))
	if acts == 0 && !now.night() {
		a.Errorf("%s: frames by day for which nothing happened", where)
	}
	even := a.even(all)
	for who, seats := range a.alike(all) {
		if acts <= 1 && len(seats) > 1 {
			a.Errorf("%s: %s: frames of these sizes get these seats: %v", where, who, seats)
		}
		for sizes, of := range seats {
			n := len(strings.Fields(strings.Trim(sizes, "[]")))
			switch what := fmt.Sprintf("%s: seats %v (%s) get %d frames where %d public acts explain them", where, of, who, n, acts); {
			case n == 0 || n > acts+2:
				a.Error(what)
			case acts > 0 || n == 1 || late:
			case even:
				a.noise("beat", "%s", what) // of an act that was stored slowly
			default:
				a.Error(what)
			}
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
		late := slices.ContainsFunc(a.acts, func(act airAct) bool { return act.public && t.Sub(act.at) > 0 && t.Sub(act.at) < 3*around })
		if off := (since - n).Abs(); off > slack && !late {
			a.noise("beat", "frames %v off the beat at %s", off, t.Format("04:05.000"))
		}
		heard[int64(n/beat)] = true
	}
	for n := int64(0); n <= int64(beats[len(beats)-1].Sub(beats[0]).Round(beat)/beat); n++ {
		t := beats[0].Add(time.Duration(n) * beat)
		from, to := t.Add(-2*around), t.Add(2*around)
		quiet := a.at(from).night() && !slices.ContainsFunc(a.acts, func(act airAct) bool { return act.wakes && act.at.After(from) && act.at.Before(to) })
		if quiet && !heard[n] {
			a.noise("beat", "no beat at %s", t.Format("04:05.000"))
		}
	}
}
