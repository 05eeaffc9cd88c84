package server

import (
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// threadSamples are the parts of a game that is played in a thread.
type threadSamples struct {
	Threads []sample[threadView]
	Posts   []sample[postView]
	Tallies []sample[tallyPage]
	Letters []sample[lettersPage]
	Mail    []sample[hostLettersPage]
	Seats   []sample[seatPage]
	Hosts   []sample[hostPage]
	Screens []sample[screenPage]
}

// sampleThread is out of a real game: what was written in it tries the pages.
func (b *Box) sampleThread(w words) (s threadSamples) {
	rules, ok := rulesets.Find(b.cfg.Rulesets, "forum")
	if !ok {
		return s
	}
	const seats = 12
	start := time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC)
	m := &moment{doc: doc{Rules: rules.ID(), Stage: playing, Game: 1}, settled: true}
	for i := range seats {
		m.doc.People = append(m.doc.People, person{Name: sampleNames[i], Device: hash([]byte{byte(i)})})
	}
	game, _, err := engine.Begin(rules, engine.Setup{Seats: seats, Roles: rules.Cast(seats), Names: m.doc.names(), Start: start, Options: map[string]string{"zone": "Europe/Berlin"}})
	if err != nil {
		return s
	}
	m.game = game
	table := &Table{id: sampleTable, box: b}
	view := func() view {
		v := b.view(table, m, w, "", m.game.Seen(engine.All))
		v.Key = "SAMPLE"
		return v
	}
	post := func(by engine.Actor, text string) engine.Act {
		return engine.Act{By: by, Verb: engine.Post, Text: text}
	}
	empty := threadView{view: view(), Page: 1, Pages: 1, Zone: "Europe/Berlin"}
	empty.Write = empty.postForm(m, viewer{})
	p := threadView{Page: 2, Pages: 3, Zone: "Europe/Berlin", Seated: true, Host: true}
	posts := 0
	for i, a := range []engine.Act{
		post(1, "Good evening.\nAnna > Oleg"), post(3, sampleNames[2]+"\u0301\u0301\u0301\u0301 <b>bold</b> &gt; > > >\n\tמי זה? "+sampleNames[3]), post(engine.Guest, "👋"),
		{By: 5, Verb: engine.Vote, Seats: []engine.Seat{2}}, {By: 5, Verb: engine.Lock}, {By: engine.Host, Verb: engine.Leave, Seats: []engine.Seat{7}}, post(7, "…"),
		post(2, "Олег > Anna, locked"), {By: engine.Host, Verb: engine.Decide, Text: "Good night."}, {By: 8, Verb: engine.Vote, Word: "null"},
		{By: engine.Host, Verb: engine.Whisper, Seats: []engine.Seat{1}, Text: "Well?"}, {By: 1, Verb: engine.Whisper, Word: "host", Text: "Yes."}, {By: 1, Verb: engine.Whisper, Word: "mafia", Text: "2?"},
	} {
		a.At = start.Add(time.Duration(i) * time.Minute)
		next, events, err := m.game.Do(a)
		if err != nil {
			panic(err) // they are written for this game
		}
		m.game = next
		e := threadEntry{Act: a}
		if a.Verb == engine.Post {
			posts++
			e.Post = posts
		}
		for _, event := range events {
			if event.To == engine.All {
				e.Events = append(e.Events, event)
			}
		}
		p.view = view()
		p.Done = w.T("problem.counted", "At", "17:04:05")
		lines := w.lines(e, p.Seats, start.Location())
		if e.Post == 2 {
			lines[0].Unread = true
		}
		p.Lines = append(p.Lines, lines...)
	}
	p.Opening.Told = w.toldAll(m.game.Opening(), p.Seats, start.Location())
	me := viewer{seat: 1}
	p.Write = p.postForm(m, me)
	s.Threads = []sample[threadView]{{w.T("style.thread"), p}, {w.T("style.thread.empty"), empty}}
	look := func(by engine.Actor, text string) sample[postView] {
		form := p.postForm(m, viewer{seat: by.Seat()})
		form.Text, form.Reads = text, w.reading(m.game.Reads(by, text), p.Seats)
		return sample[postView]{w.T("style.post"), form}
	}
	long := p.postForm(m, me)
	long.Text, long.Error = "Anna", w.T("problem.post_long", "Max", 8, "Got", 1200)
	s.Posts = []sample[postView]{look(1, "Anna > Oleg, lock"), look(1, "Anna > WW"), look(8, "Anna > Jo"), look(1, "Anna > Nobody"), {w.T("style.post"), long}}
	s.Posts[2].Page.Reads.Moved = true
	s.Tallies = []sample[tallyPage]{{w.T("style.votes"), tallyPage{view: p.view, Now: w.moment(start), Zone: "Europe/Berlin"}}}
	letters := b.lettersPage(table, m, w, 1, 1)
	letters.Key = "SAMPLE"
	s.Letters = []sample[lettersPage]{{w.T("style.letters"), letters}}
	for _, held := range []engine.Seat{0, 1} {
		mail := b.hostLettersPage(table, m, w, viewer{seat: held}, hostChannel, 1)
		mail.Key = "SAMPLE"
		s.Mail = append(s.Mail, sample[hostLettersPage]{w.T("style.letters"), mail})
	}
	for _, seat := range []engine.Seat{1, 7} {
		page := b.seatPage(table, m, w, seat)
		page.Key = "SAMPLE"
		s.Seats = append(s.Seats, sample[seatPage]{w.T("style.round"), page})
	}
	host := b.hostPage(table, m, w, "", 0)
	host.Key, host.Become, host.Devices, host.Panel = "SAMPLE", sampleSecret, nil, nil
	host.Time = &timeView{Thinks: w.moment(start), Zone: "Europe/Berlin", Local: start.Format(timeForm)}
	s.Hosts = []sample[hostPage]{{w.T("style.round"), host}}
	s.Screens = []sample[screenPage]{{w.T("style.round"), b.screenPage(table, m, w)}}
	return s
}
