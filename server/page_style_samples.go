package server

import (
	"github.com/mafiabox/mafiabox/engine"
)

func (w words) sampleSeat(phase engine.Phase, n int, change func(*seatPage)) seatPage {
	p := seatPage{view: w.sampleView(phase, n), Ticket: sampleSecret}
	if p.Night || p.Deal {
		p.Role, p.Side, p.Help = w.role("commissioner"), w.T("side.town"), w.TOr("role.commissioner.help", "")
	}
	p.Seats[0].Me = true
	p.ReadNow = phase.Name == engine.Closed
	if phase.Name == engine.Nights {
		for i, verb := range []engine.Verb{"check", "suspect"} {
			var living []seatView
			for _, s := range p.Seats {
				if !s.Out {
					living = append(living, s)
				}
			}
			p.Picks = append(p.Picks, pickView{i + 1, w.ask(verb, 0, 1), living})
			p.Nothing = true
		}
	}
	if change != nil {
		change(&p)
	}
	p.Me = p.Seats[0]
	return p
}

func (w words) sampleSeats() []sample[seatPage] {
	at := func(name string, phase engine.Phase, change func(*seatPage)) sample[seatPage] {
		return sample[seatPage]{w.T("style." + name), w.sampleSeat(phase, 12, change)}
	}
	vote := w.offer(engine.Offer{Verb: engine.Vote, Min: 1, Max: 1, Seats: []engine.Seat{3, 8, 9}}, w.sampleView(sampleVote, 12).Seats, 0)
	return []sample[seatPage]{
		at("lobby.full", sampleDeal, func(p *seatPage) { p.view, p.Role = w.sampleLobby(12), "" }),
		at("deal", sampleDeal, nil),
		at("night.unsent", sampleNight, nil),
		at("night.sent", sampleNight, func(p *seatPage) {
			p.Sent, p.Seats[0].Answered = true, true
			p.Chosen = []string{w.event(engine.Event{Kind: engine.Chose, Of: 1, Verb: "check", Seats: []engine.Seat{5}}, p.Seats)}
		}),
		at("closed.some", sampleClose, func(p *seatPage) { p.Answers = w.sampleAnswers() }),
		at("closed.none", sampleClose, nil),
		at("day", sampleDay, func(p *seatPage) {
			p.sampleSpeech(5, 41_000, true)
			p.sampleBallots(0, false, 3, 8)
			p.News = w.sampleOut(p.view, 7)
			p.Offers = []offerView{w.offer(engine.Offer{Verb: engine.Nominate, Min: 1, Max: 1, Seats: []engine.Seat{3, 4, 5}}, p.Seats, 0)}
		}),
		at("vote", sampleVote, func(p *seatPage) {
			p.sampleBallots(3, false, 3, 8, 9)
			p.Seats[0].Voted = false
			p.Offers = []offerView{vote}
		}),
		at("voted", sampleVote, func(p *seatPage) {
			p.sampleBallots(8, true, 3, 8, 9)
			p.Offers, p.Voted = []offerView{vote}, 8
		}),
		at("out", sampleDay, func(p *seatPage) {
			p.Seats[0].Out, p.Seats[0].Cause = true, "night"
			p.News = w.sampleOut(p.view, 1)
		}),
		at("stopped", sampleDay, func(p *seatPage) { p.Stopped, p.Notices = true, w.sampleNotices() }),
		at("frozen", sampleDay, func(p *seatPage) { p.Frozen = true }),
		at("error", sampleVote, func(p *seatPage) { p.Offers, p.Error = []offerView{vote}, w.T("refused.target") }),
		at("fouls", sampleVote, func(p *seatPage) { p.sampleFouls() }),
		at("whisper", sampleNight, func(p *seatPage) {
			write := w.offer(engine.Offer{Verb: engine.Whisper, Words: []string{"irish"}, TextMax: 200}, p.Seats, 0)
			p.Write, p.Letters = &write, []string{w.event(engine.Event{Kind: engine.Told, Of: 3, Verb: engine.Whisper, Words: []string{"irish"}, Text: "5?"}, p.Seats)}
		}),
		at("ended", sampleEnd, nil),
		at("story", sampleEnd, func(p *seatPage) { p.sampleStory() }),
	}
}

func (w words) sampleHosts() []sample[hostPage] {
	at := func(name string, v view, change func(*hostPage)) sample[hostPage] {
		p := hostPage{view: v, codesView: sampleCodes(true), Screens: 1, Login: sampleLogin, Become: sampleSecret}
		p.Devices = []hostView{{ID: "1", No: 1, Mine: true, Awake: true}, {ID: "2", No: 2}}
		if len(v.Seats) > 4 {
			p.Devices = append(p.Devices, hostView{ID: "3", No: 3, Seat: 5, Name: v.Seats[4].Name, Awake: true})
		}
		if v.Stage == playing && !v.Over {
			for i, s := range v.Seats {
				s.Role = w.role(sampleRoles[i%len(sampleRoles)])
				p.Secrets = append(p.Secrets, s)
			}
		}
		if change != nil {
			change(&p)
		}
		return sample[hostPage]{w.T("style." + name), p}
	}
	roles := []roleView{
		{"don", w.role("don"), w.T("side.mafia"), false, 1}, {"mafia", w.role("mafia"), w.T("side.mafia"), true, 2},
		{"doctor", w.role("doctor"), w.T("side.town"), false, 1}, {"civilian", w.role("civilian"), w.T("side.town"), true, 8},
	}
	options := []optionView{
		w.option(engine.Option{Name: "open_vote", Values: []string{"no", "yes"}}, "yes"),
		w.option(engine.Option{Name: "lawyer", Values: []string{"check_cover", "flip"}, Open: true}, ""),
		w.option(engine.Option{Name: "speech_s", Values: []string{"60"}, Min: 5, Max: 600}, ""),
	}
	offers := func(p *hostPage) {
		for _, o := range []engine.Offer{
			{Verb: engine.Warn, Min: 1, Max: 1, Seats: []engine.Seat{1, 3, 4}, TextMax: 200}, {Verb: engine.Stop, TextMax: 200},
			{Verb: engine.Note, TextMax: 200}, {Verb: engine.Disqualify, Min: 1, Max: 1, Seats: []engine.Seat{1, 3, 4}, TextMax: 200}, {Verb: engine.End},
		} {
			p.offer(w, engine.Game{}, o)
		}
		p.Ways, p.Appeals = p.sampleWays(), &appealsView{Seats: p.Seats, Most: engine.TextMax, Answer: answerMax, Lodged: sampleAppeals(p.Seats)}
		p.Log = []entryView{
			{No: 12, Seat: 1, Text: w.act(engine.Act{By: 1, Verb: "check", Seats: []engine.Seat{5}}, p.Seats), Undo: true, Correct: w.correction(engine.Act{By: 1, Verb: "check", Seats: []engine.Seat{5}}, p.Seats)},
			{No: 11, Text: w.act(engine.Act{By: engine.Host, Verb: engine.Night}, p.Seats), Label: w.does(engine.Act{By: engine.Host, Verb: engine.Night}, p.Seats), Void: true},
		}
	}
	return []sample[hostPage]{
		at("lobby.empty", w.sampleLobby(0), func(p *hostPage) {
			p.Lobby = &lobbyView{Roles: roles, Usual: true, Problem: w.T("problem.setup_seats", "Got", 0, "Min", 5, "Max", 20), Options: options, Most: 20}
			p.Screens = 0
		}),
		at("lobby.full", w.sampleLobby(12), func(p *hostPage) {
			p.Lobby = &lobbyView{Roles: roles, Dealt: 12, Shut: true, Options: options, Air: w.T("lobby.air.full", "Got", 7, "Max", 7), Sets: []string{"Club, 12", "Новички"}, Most: 20, Played: 2, Chosen: "boulevard"}
			for _, id := range []string{"boulevard", "sport", "gangs"} {
				p.Lobby.Rules = append(p.Lobby.Rules, choiceView{id, w.T("rules." + id)})
			}
			p.Tickets = []ticketView{{p.Seats[3], sampleSecret}}
		}),
		at("deal", w.sampleView(sampleDeal, 12), func(p *hostPage) { p.Next = w.step(engine.Night, "", nil) }),
		at("night.unsent", w.sampleView(sampleNight, 12), func(p *hostPage) {
			p.Next, p.Owing = w.step(engine.Close, "night", nil), p.Seats[7:9]
			offers(p)
		}),
		at("confirm", w.sampleView(sampleNight, 12), func(p *hostPage) {
			p.Next, p.Owing = w.step(engine.Close, "night", nil), p.Seats[7:9]
			p.Next.Again = true
		}),
		at("closed.some", w.sampleView(sampleClose, 12), func(p *hostPage) {
			p.Next, p.Misled = w.step(engine.Dawn, "", nil), p.Seats[4:5]
			p.Traces = []string{w.event(engine.Event{Kind: engine.Trace, Of: 9, Verb: "shoot", Seats: []engine.Seat{7}, Fates: []engine.Fate{{What: "out"}}}, p.Seats)}
		}),
		at("day", w.sampleView(sampleDay, 12), func(p *hostPage) {
			p.sampleSpeech(5, 41_000, true)
			p.sampleBallots(0, false, 3, 8)
			p.News = w.sampleOut(p.view, 7)
			p.Next, p.Steps = w.step(engine.Vote, "", nil), []stepView{*w.step(engine.Pass, "", nil), *w.step(engine.Hold, "", nil), *w.step(engine.Night, "", nil)}
			offers(p)
		}),
		at("vote", w.sampleView(sampleVote, 12), func(p *hostPage) {
			p.sampleBallots(6, false, 3, 8)
			p.Next = w.step(engine.Close, "vote", nil)
			p.samplePoll()
		}),
		at("for", w.sampleView(sampleVote, 12), func(p *hostPage) {
			p.For = &forView{Seat: p.Seats[3], Offers: []offerView{w.offer(engine.Offer{Verb: engine.Vote, Min: 1, Max: 1, Seats: []engine.Seat{3, 8}}, p.Seats, 4)}}
		}),
		at("for.night", w.sampleView(sampleNight, 12), func(p *hostPage) {
			p.Playing = true
			p.For = &forView{words: w, Seat: p.Seats[3], Role: w.role("doctor"), Picks: w.sampleSeat(sampleNight, 12, nil).Picks, Nothing: true}
		}),
		at("playing", w.sampleView(sampleClose, 12), func(p *hostPage) {
			p.Next, p.Playing = w.step(engine.Dawn, "", nil), true
			offers(p)
			p.Log = w.bySeat(p.Log, p.Seats, true)
		}),
		at("ruling", w.sampleView(sampleDay, 12), func(p *hostPage) {
			p.Ruling = w.ruling("day-tie", []string{"3", "8", "nobody"}, p.Seats)
		}),
		at("stopped", w.sampleView(sampleDay, 12), func(p *hostPage) {
			p.Stopped, p.Reason, p.Notices, p.Mended = true, "…", w.sampleNotices(), w.mendings([]mending{{"lost", 3, 214}}, func(mending) string { return w.act(engine.Act{By: engine.Host, Verb: engine.Close}, p.Seats) })
		}),
		at("frozen", w.sampleView(sampleDay, 12), func(p *hostPage) { p.Frozen = true }),
		at("fouls", w.sampleView(sampleDay, 12), func(p *hostPage) {
			p.sampleFouls()
			p.Fresh, p.Next = true, w.step(engine.Speech, "", nil)
			p.Undo = &entryView{No: 12, Text: w.act(engine.Act{By: 1, Verb: engine.Nominate, Seats: []engine.Seat{5}}, p.Seats)}
		}),
		at("ended", w.sampleView(sampleEnd, 12), nil),
		at("story", w.sampleView(sampleEnd, 12), func(p *hostPage) {
			p.sampleStory()
			p.Panel = &panelView{Mine: true, Drawn: true, About: w.T("panel.is.drawn"), Now: PanelNow{Cue: "night", Lights: "night", Lamp: "blinks"}, Rhythm: "———", History: []string{"12:00:01 lamp on", "12:00:02 lamp off"}, Cues: []cueView{{"night", w.T("cue.night"), "———"}, {"vote", w.T("cue.vote"), "· —"}}}
		}),
	}
}

func (w words) sampleOffers() []sample[offerView] {
	seats := w.sampleView(sampleDay, 7).Seats
	offer := func(name string, o engine.Offer) sample[offerView] {
		return sample[offerView]{w.T("style." + name), w.offer(o, seats, 0)}
	}
	all := []engine.Seat{1, 3, 4, 5, 6}
	return []sample[offerView]{
		offer("offer.0", engine.Offer{Verb: engine.Wait}),
		offer("offer.1", engine.Offer{Verb: "check", Min: 1, Max: 1, Seats: all}),
		offer("offer.2", engine.Offer{Verb: "swap", Min: 2, Max: 2, Seats: all}),
		offer("offer.words", engine.Offer{Verb: engine.Rule, Words: []string{"mafia", "maniac", "draw"}}),
		offer("offer.text", engine.Offer{Verb: engine.Note, TextMax: 200}),
		offer("offer.all", engine.Offer{Verb: engine.Disqualify, Min: 1, Max: 1, Seats: all, TextMax: 200}),
	}
}

// sampleWatches are the spectator's page: a night, a day, the end, and the lobby
// with the way to a seat.
func (w words) sampleWatches() []sample[watchView] {
	at := func(name string, v view) sample[watchView] {
		return sample[watchView]{w.T("style." + name), watchView{v, sampleCode}}
	}
	over := w.sampleView(sampleEnd, 12)
	over.Over, over.Result = true, w.T("event.win", "Word", w.T("side.town"))
	day := w.sampleView(sampleDay, 12)
	day.News = w.sampleOut(day, 7)
	return []sample[watchView]{
		at("night.unsent", w.sampleView(sampleNight, 12)), at("day", day), at("over", over), at("lobby.full", w.sampleLobby(12)),
	}
}

func (w words) sampleFree(wifi bool) screenFree {
	return screenFree{w, sampleCodes(wifi), "KMNP"}
}

// sampleCodes is how to join; both of its pictures hold the table's address.
func sampleCodes(wifi bool) codesView {
	p := newPicture("/t/"+sampleTable+"/code.png", sampleURL)
	v := codesView{Join: p, URL: sampleURL, Code: sampleCode, Address: sampleAt, Named: "http://mafia.local"}
	if wifi {
		v.Net, v.WiFi = p, WiFi{"Mafia-Club", "night-falls"}
	}
	return v
}

func (w words) sampleScreens() []sample[screenPage] {
	at := func(name string, v view, change func(*view)) sample[screenPage] {
		if change != nil {
			change(&v)
		}
		p := screenPage{view: v, codesView: sampleCodes(true)}
		p.arrange()
		return sample[screenPage]{w.T("style." + name), p}
	}
	return []sample[screenPage]{
		at("lobby.empty", w.sampleLobby(0), nil),
		at("lobby.full", w.sampleLobby(20), nil),
		at("deal", w.sampleView(sampleDeal, 12), nil),
		at("night.unsent", w.sampleView(sampleNight, 12), nil),
		at("closed.some", w.sampleView(sampleClose, 12), nil),
		at("morning", w.sampleView(sampleDay, 7), func(v *view) { v.News = w.sampleOut(*v, 7) }),
		at("morning", w.sampleView(sampleDay, 20), func(v *view) { v.News = w.sampleOut(*v, 3, 7, 8, 9) }),
		at("day", w.sampleView(sampleDay, 12), func(v *view) {
			v.sampleSpeech(3, 41_000, true)
			v.sampleBallots(0, false, 5, 8)
		}),
		at("pause", w.sampleView(sampleDay, 20), func(v *view) {
			v.sampleSpeech(17, 7_000, false)
			v.sampleBallots(0, false, 3, 8, 17)
		}),
		at("candidates", w.sampleView(sampleDay, 20), func(v *view) { v.sampleBallots(0, false, 1, 3, 4, 5, 8, 9, 12) }),
		at("vote", w.sampleView(sampleVote, 12), func(v *view) { v.sampleBallots(6, false, 3, 8) }),
		at("voted", w.sampleView(sampleVote, 20), func(v *view) { v.sampleBallots(14, true, 3, 8, 20) }),
		at("tally", w.sampleView(sampleDay, 12), func(v *view) {
			v.sampleTally(engine.Count{Seat: 2, Votes: 6}, engine.Count{Seat: 8, Votes: 3}, engine.Count{Seat: 9, Votes: 1})
			v.News = []string{w.event(engine.Event{Kind: engine.Out, Of: 2, Words: []string{"vote"}}, v.Seats)}
		}),
		at("last", w.sampleView(sampleDay, 12), func(v *view) {
			v.sampleSpeech(8, 60_000, true)
			v.sampleTally(engine.Count{Seat: 8, Votes: 6})
			v.News = []string{w.event(engine.Event{Kind: engine.Out, Of: 8, Words: []string{"vote"}}, v.Seats)}
		}),
		at("fouls", w.sampleView(sampleDay, 12), (*view).sampleFouls),
		at("ruling", w.sampleView(sampleDay, 12), func(v *view) { v.Undecided, v.News = true, w.sampleOut(*v, 7) }),
		at("stopped", w.sampleView(sampleDay, 12), func(v *view) { v.Stopped, v.Notices = true, w.sampleNotices() }),
		at("frozen", w.sampleView(sampleDay, 12), func(v *view) { v.Frozen = true }),
		at("ended", w.sampleView(sampleEnd, 20), nil),
		at("story", w.sampleView(sampleEnd, 12), (*view).sampleStory),
	}
}
