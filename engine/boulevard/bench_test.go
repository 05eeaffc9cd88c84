package boulevard_test

import (
	"fmt"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/boulevard"
	"github.com/mafiabox/mafiabox/engine/record"
)

const twelve = "don mafia lawyer maniac commissioner doctor putana journalist civilian civilian civilian civilian"

var night = []string{
	"host night", "1 shoot 9", "1 seek 5", "2 shoot 10", "2 suspect 3", "3 cover 1", "3 suspect 4", "4 attack 11", "4 suspect 1", "5 check 1", "5 suspect 2",
	"6 heal 9", "6 suspect 3", "7 block 4", "7 suspect 8", "8 compare 1 2", "9 suspect 1 2", "10 suspect 1 3", "11 suspect 4 5", "12 suspect 6 7", "host close", "host dawn",
}

func acts(b *testing.B, lines []string) (all []engine.Act) {
	for _, line := range lines {
		a, err := record.ParseAct(line, 12)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// BenchmarkNight is a night of twelve seats, everybody's offers told after each act.
func BenchmarkNight(b *testing.B) {
	all, opening := acts(b, night), begin(b, boulevard.Standard, twelve)
	b.ReportAllocs()
	for b.Loop() {
		g := opening
		for _, a := range all {
			var err error
			if g, _, err = g.Do(a); err != nil {
				b.Fatal(err)
			}
			for seat := range 12 {
				_ = g.Offers(engine.Actor(seat + 1))
			}
			_ = g.Offers(engine.Host)
		}
	}
}

// long is a game of 300 acts, the last of them votes of an open vote.
func long(b *testing.B) engine.Game {
	g := begin(b, boulevard.Standard, twelve, "first day")
	for len(g.Log()) < 284 {
		do(b, &g, "host night")
		for i := 0; len(g.Log()) < 284 && i < 40; i++ {
			do(b, &g, fmt.Sprintf("%d suspect %d", 9+i%4, 1+i%8))
		}
		do(b, &g, "host dawn")
	}
	do(b, &g, "3 nominate 5", "4 nominate 6", "host vote")
	for i := 0; len(g.Log()) < 300; i++ {
		do(b, &g, fmt.Sprintf("%d vote %d", 1+i%12, 5+i%2))
	}
	return g
}

// BenchmarkSeen is what a seat sees of a game of 300 acts.
func BenchmarkSeen(b *testing.B) {
	g := long(b)
	b.ReportAllocs()
	for b.Loop() {
		_ = g.Seen(1)
	}
}

// BenchmarkDo is one act more in a game of 300 acts.
func BenchmarkDo(b *testing.B) {
	g, a := long(b), acts(b, []string{"1 vote 6"})[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := g.Do(a); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCorrect is a correction in a game of 300 acts.
func BenchmarkCorrect(b *testing.B) {
	g, a := long(b), acts(b, []string{"host correct 1 vote 6"})[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := g.Do(a); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUndoEarly takes back a warning at the beginning of 300 acts: all are done again.
func BenchmarkUndoEarly(b *testing.B) {
	g := begin(b, boulevard.Standard, twelve)
	do(b, &g, `host warn 12 "a"`, "host night")
	for i := range 298 {
		do(b, &g, fmt.Sprintf("%d suspect %d", 9+i%4, 1+i%8))
	}
	a := acts(b, []string{"host undo 1"})[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := g.Do(a); err != nil {
			b.Fatal(err)
		}
	}
}
