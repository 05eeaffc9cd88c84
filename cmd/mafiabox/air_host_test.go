package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// enter is the host filling in a seat's form of the night.
func (g *airTable) enter(seat int) {
	f := formsOf(g.host.get(fmt.Sprintf("/t/1/host?for=%d", seat)))[fmt.Sprintf("f-for-%d-night", seat)]
	if f == nil {
		return // it is out
	}
	open, _ := f.choices("p1")
	data := f.data(map[string]string{"p1": open[g.rng.IntN(len(open)-1)]}, "", "send") // the last is nobody
	g.host.exchange("for", "POST", f.action, data, "X-Mafiabox", "live")
}

var aimedLine = regexp.MustCompile(`(?m)^(?:host for )?(\d+) (shoot|attack|heal|check|seek|block|cover) (\d+) @`)

// correct puts another seat into an act of this night, until one is taken.
func (g *airTable) correct(living []*airPhone) {
	rec := g.host.record()
	acts := aimedLine.FindAllStringSubmatch(rec[strings.LastIndex(rec, "= all phase night"):], -1)
	for range 6 {
		if len(acts) == 0 {
			return
		}
		act, to := acts[g.rng.IntN(len(acts))], strconv.Itoa(living[g.rng.IntN(len(living))].seat)
		sent := time.Now()
		_, problem, _ := g.host.send("/t/1/host/act", form("verb", act[2], "for", act[1], "mends", "1", "seat", to))
		g.host.all = append(g.host.all, exchange{kind: "for", sent: sent, answered: time.Now()})
		if to != act[3] && problem == "" {
			return
		}
	}
}
