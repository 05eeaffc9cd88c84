package server

import "github.com/mafiabox/mafiabox/engine"

// refereeSamples are the pages of a host that are no console.
type refereeSamples struct {
	Change changePage
	Log    logPage
}

func (w words) sampleReferee() refereeSamples {
	seats := w.sampleView(sampleClose, 12).Seats
	p := changePage{hostPage: hostPage{view: view{words: w, Table: "0", Key: "SAMPLE"}}, Action: "#"}
	heal := engine.Act{By: engine.Host, For: 4, Verb: engine.Heal, Seats: []engine.Seat{5}, Mends: true, No: 31, Via: engine.ByHost}
	answer := engine.Event{To: 6, Kind: engine.Told, Verb: engine.Check, Seats: []engine.Seat{2}, Words: []string{"clear"}, Corrected: true}
	p.Change = changeView{
		Title:  who(seats, 4) + ": " + w.T("change.night"),
		Public: []string{w.T("change.phase", "Phase", w.phase(engine.Phase{Name: engine.Nights, N: 2}))},
		Secret: []string{w.act(heal, seats), w.T("change.again", "Who", who(seats, 6), "What", w.event(answer, seats)), w.T("change.read", "Who", who(seats, 6)), w.T("change.dawn", "Was", who(seats, 5), "Now", w.T("change.nobody"))},
	}
	log := &logView{Seats: seats, Kinds: []choiceView{{"night", w.T("log.kind.night")}}, Total: 31, Shown: 2, Appeals: sampleAppeals(seats)}
	was, now := w.logLine(engine.Entry{Act: engine.Act{By: 4, Verb: engine.Heal, Seats: []engine.Seat{2}, No: 27, Via: engine.ByPhone}}, seats), w.logLine(engine.Entry{Act: heal, Events: []engine.Event{answer}}, seats)
	was.Void, was.At, now.At = w.T("log.replaced", "No", 31), "21:04:03", "21:06:40"
	log.Parts = []logPart{{Heading: w.phase(engine.Phase{Name: engine.Nights, N: 2}), Lines: []logLine{was, now}}}
	return refereeSamples{p, logPage{words: w, Log: log, Path: "#", Back: "#", Title: w.T("rules.boulevard")}}
}

func sampleAppeals(seats []seatView) []appealView {
	return []appealView{{No: 88, Who: seats[2], Text: "…", Answers: []string{"…"}}, {No: 90, Who: seats[3], Text: "…"}}
}

func (p *hostPage) sampleWays() *waysView {
	decide, replay := p.words.offer(engine.Offer{Verb: engine.Decide, TextMax: 200}, p.Seats, 0), p.words.offer(engine.Offer{Verb: engine.Replay, TextMax: 200}, p.Seats, 0)
	return &waysView{&decide, &replay, []string{p.T("decide.told")}, []string{p.own("replay.void"), p.T("replay.log")}}
}
