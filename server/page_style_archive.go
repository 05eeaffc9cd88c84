package server

import (
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

// archiveSamples are the pages of the archive.
type archiveSamples struct {
	List   archivePage
	Game   gamePage
	Import importPage
	Season seasonPage
	People peoplePage
}

func (w words) sampleArchive() archiveSamples {
	rules := []choiceView{{"sport", w.T("rules.sport")}}
	f := &finished{gameID: gameID{"1", 7}, rules: "sport", set: sampleNames[2], date: "2026-05-04", minutes: 92, days: 3, nights: 4, ended: true, drawn: true}
	for i, name := range sampleNames {
		f.seats = append(f.seats, finishedSeat{name: name, role: "civilian", side: "town"})
		if i == 3 {
			f.seats[i].cause = engine.ByLeft
		}
	}
	odd := *f
	odd.table, odd.date, odd.minutes, odd.ended, odd.broken = importID, "", 60*80, false, say("game_broken", "No", 12)
	row, oddRow := w.gameRow(f, book{}), w.gameRow(&odd, book{})
	row.Path, oddRow.Path = "#", "#"

	all := archiveSamples{List: archivePage{words: w, Games: []gameRow{row, oddRow}, Total: 61, Left: 3, Bare: 2, Rules: rules, Tables: []choiceView{{"1", w.tableOf(f.gameID)}}, Back: "#", Next: "#", No: 2, Of: 3}}
	view := w.sampleView(sampleDay, 12)
	for i := range view.Seats {
		view.Seats[i].Role, view.Seats[i].Public = w.role("commissioner"), true
	}
	all.Game = gamePage{words: w, gameRow: row, Key: "SAMPLE", Owner: true, Seats: view.Seats, Sheet: &sheetLinks{true}, Log: &logView{Appeals: sampleAppeals(view.Seats)}, Story: []storyLine{{Heading: w.phase(engine.Phase{Name: engine.Nights, N: 1}), Results: []string{w.result(engine.Seen{Drawn: true})}}}}
	all.Import = importPage{
		words: w, Key: "SAMPLE", Error: w.refusal(say("import_differs", "N", 51)), Known: "#", Max: record.MaxSize >> 20, Tables: all.List.Tables, More: 49,
		Differences: []record.Mismatch{{Line: 12, Want: "all out 5 night", Got: "all stay"}, {Line: 140, Want: "all win town", Got: "nothing"}},
	}
	all.Season = seasonPage{words: w, Rules: rules, Games: 2, Undated: 5}
	all.Season.Chosen.From = "2026-01-01"
	list, _, _ := standings([]*finished{f, f}, book{}, span{})
	all.Season.People = w.seasonRows(list)
	all.People = peoplePage{words: w, Key: "SAMPLE", Owner: true, Total: 12, Forgotten: 2, Rules: rules}
	all.People.People = w.list([]*finished{f}, book{Same: map[string]string{"anya": sampleNames[0]}}, []suspension{{No: 1, Name: sampleNames[0], Rules: "sport", Why: "host", Date: "2026-05-04"}})
	return all
}
