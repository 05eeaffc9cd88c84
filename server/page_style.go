package server

import (
	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// stylePage shows every part of the pages in each state, to be looked at by
// whoever changes them. All of it is made up here: no table is read.
type stylePage struct {
	words
	Seats   []sample[seatPage]
	Hosts   []sample[hostPage]
	Screens []sample[screenPage]
	Free    []sample[screenFree]
	Join    joinPage
	Playing joinPage
	Failed  joinPage
	Message messagePage
	Parts   []sample[offerView]
	Hold    seatPage
	Refused view
}

// sample is a page in a state.
type sample[P any] struct {
	Name string
	Page P
}

func (b *Box) style(c *fiber.Ctx) error {
	w := b.wordsFor(c)
	c.Type("html", "utf-8")
	return c.Render("style", stylePage{
		words: w,
		Seats: w.sampleSeats(), Hosts: w.sampleHosts(), Screens: w.sampleScreens(),
		Free: []sample[screenFree]{
			{w.T("style.free"), w.sampleFree(false)},
			{w.T("style.free.wifi"), w.sampleFree(true)},
		},
		Join:    joinPage{words: w, Code: sampleCode, Table: sampleTable, Key: "SAMPLE"},
		Playing: joinPage{words: w, Code: sampleCode, Table: sampleTable, Key: "SAMPLE", Playing: true},
		Failed:  joinPage{words: w, Code: sampleCode, Table: sampleTable, Key: "SAMPLE", Error: w.T("problem.name_empty")},
		Message: messagePage{w, w.T("error.404"), w.T("error.404.text"), "#", w.T("error.link")},
		Parts:   w.sampleOffers(),
		Hold:    w.sampleSeat(sampleNight, 12, func(p *seatPage) { p.Answers = w.sampleAnswers() }),
		Refused: view{Error: w.T("refused.turn")},
	})
}

// The addresses of samples lead nowhere.
const (
	sampleTable = "sample"
	sampleCode  = "PQRST"
	sampleURL   = "http://192.168.4.1/j/" + sampleCode
)

// sampleNames try the pages: short and long, of both directions, with joined
// letters, marks and pictures.
var sampleNames = []string{
	"Anna", "Олег", "Maximilian-Alexander von Hohenst", "محمد عبد الرحمن", "Ы", "👩‍👩‍👧‍👦 Family", "דוד בן־גוריון",
	"Екатерина Константиновна Румянце", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "Jo", "Zoë", "李小龍",
	"<b>Bob</b>", "Пётр", "😀😀😀😀😀😀😀😀😀😀😀😀", "Ilya", "Анастасия", "x", "Łukasz", "Ева",
}

var (
	sampleDeal  = engine.Phase{Name: engine.Day}
	sampleDay   = engine.Phase{Name: engine.Day, N: 2}
	sampleVote  = engine.Phase{Name: engine.Voting, N: 2}
	sampleNight = engine.Phase{Name: engine.Nights, N: 2}
	sampleClose = engine.Phase{Name: engine.Closed, N: 2}
	sampleEnd   = engine.Phase{Name: engine.Ended}
)

var sampleRoles = []engine.Role{"civilian", "don", "doctor", "civilian", "mafia", "commissioner", "civilian", "maniac", "putana", "civilian", "lawyer", "journalist"}

// sampleView is a table of n in a phase. By the second day two are out.
func (w words) sampleView(phase engine.Phase, n int) view {
	v := view{
		words: w, Table: sampleTable, N: 1, Key: "SAMPLE", Stage: playing, Game: 1, Heading: w.phase(phase),
		Night: phase.Name == engine.Nights || phase.Name == engine.Closed, Asks: phase.Name == engine.Nights || phase.Name == engine.Voting,
		Over: phase.Name == engine.Ended, Deal: phase == sampleDeal,
	}
	for i := range n {
		s := seatView{Seat: engine.Seat(i + 1), Name: sampleNames[i%len(sampleNames)], Phone: i != 3, Awake: i%4 != 0}
		if phase.N == 2 || v.Over {
			switch i {
			case 1:
				s.Out, s.Cause = true, engine.ByVote
			case 6:
				s.Out, s.Cause = true, engine.ByNight
			case 4:
				s.Warned = 1
			case 2:
				s.Warned, s.Muted = 2, true
			}
		}
		if v.Over {
			s.Role, s.Public = w.role(sampleRoles[i%len(sampleRoles)]), true
		}
		v.Seats = append(v.Seats, s)
	}
	if v.Asks {
		v.Owed = 2
	}
	if v.Over {
		v.Result = w.T("event.win", "Word", w.T("side.town"))
	}
	return v
}

func (w words) sampleLobby(n int) view {
	v := w.sampleView(engine.Phase{}, n)
	v.Stage, v.Heading = lobby, w.T("lobby")
	return v
}

// sampleOut is a morning's news.
func (w words) sampleOut(v view, seats ...engine.Seat) (news []string) {
	for _, s := range seats {
		news = append(news, w.event(engine.Event{Kind: engine.Out, Of: s, Words: []string{"night"}}, v.Seats))
	}
	return news
}

func (w words) sampleAnswers() []string {
	return []string{w.event(engine.Event{Kind: engine.Told, Verb: "check", Seats: []engine.Seat{5}, Words: []string{"mafia"}}, w.sampleView(sampleNight, 12).Seats)}
}

func (v *view) sampleSpeech(seat engine.Seat, left int64, runs bool) {
	v.Seats[seat-1].Speaks = true
	v.Speech = &speechView{v.Seats[seat-1], 60, left, runs}
}

// sampleBallots has candidates, and the votes of so many for them.
func (v *view) sampleBallots(votes int, open bool, candidates ...engine.Seat) {
	for _, s := range candidates {
		v.Seats[s-1].Candidate = true
	}
	for i := range v.Seats {
		if s := &v.Seats[i]; !s.Out && votes > 0 && len(candidates) > 0 {
			votes--
			s.Voted = true
			if open {
				s.VotedFor = candidates[i%len(candidates)]
			}
		}
	}
}

func (v *view) sampleTally(counts ...engine.Count) {
	for _, c := range counts {
		v.Tally = append(v.Tally, countView{v.Seats[c.Seat-1], c.Votes})
	}
}

// sampleStory is a game of two nights, as everybody reads it after the end.
func (v *view) sampleStory() {
	w := v.words
	act := func(by engine.Seat, verb engine.Verb, seats ...engine.Seat) {
		v.Story = append(v.Story, storyLine{Text: w.act(engine.Act{By: engine.Actor(by), Verb: verb, Seats: seats}, v.Seats)})
	}
	for n := 1; n <= 2; n++ {
		v.Story = append(v.Story, storyLine{Heading: w.phase(engine.Phase{Name: engine.Nights, N: n})})
		act(2, "shoot", 7)
		act(3, "heal", 1)
		act(6, "check", 5)
		act(1, "suspect", 2, 5)
		act(4, "suspect", 5, 3)
		v.Story[len(v.Story)-1].Void = true
		v.Story = append(v.Story, storyLine{Heading: w.phase(engine.Phase{Name: engine.Day, N: n}), Results: w.sampleOut(*v, 7)})
		act(1, "nominate", 2)
		act(1, "vote", 2)
		act(3, "vote", 2)
		v.Story[len(v.Story)-1].Results = []string{w.event(engine.Event{Kind: engine.Out, Of: 2, Words: []string{"vote"}}, v.Seats)}
	}
	v.Opened = true
	v.Best = []guessView{{v.Seats[0], 4, 4}, {v.Seats[2], 3, 4}, {v.Seats[5], 1, 2}, {v.Seats[3], 0, 4}}
}

func (w words) sampleSeat(phase engine.Phase, n int, change func(*seatPage)) seatPage {
	p := seatPage{view: w.sampleView(phase, n)}
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
		at("stopped", sampleDay, func(p *seatPage) { p.IsStop = true }),
		at("frozen", sampleDay, func(p *seatPage) { p.Frozen = true }),
		at("error", sampleVote, func(p *seatPage) { p.Offers, p.Error = []offerView{vote}, w.T("refused.target") }),
		at("ended", sampleEnd, nil),
		at("story", sampleEnd, func(p *seatPage) { p.sampleStory() }),
	}
}

func (w words) sampleHosts() []sample[hostPage] {
	at := func(name string, v view, change func(*hostPage)) sample[hostPage] {
		p := hostPage{view: v, URL: sampleURL, Code: sampleCode, Wifi: true, Screens: 1}
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
			p.offer(w, o)
		}
		p.Log = []entryView{
			{No: 12, Text: w.act(engine.Act{By: 1, Verb: "check", Seats: []engine.Seat{5}}, p.Seats), Undo: true, Correct: w.correction(engine.Act{By: 1, Verb: "check", Seats: []engine.Seat{5}}, p.Seats)},
			{No: 11, Text: w.act(engine.Act{By: engine.Host, Verb: engine.Night}, p.Seats), Void: true},
		}
	}
	return []sample[hostPage]{
		at("lobby.empty", w.sampleLobby(0), func(p *hostPage) {
			p.Lobby = &lobbyView{Roles: roles, Usual: true, Problem: w.T("problem.setup_seats", "Got", 0, "Min", 5, "Max", 20), Options: options, Fewest: 5, Most: 20}
			p.Screens = 0
		}),
		at("lobby.full", w.sampleLobby(12), func(p *hostPage) {
			p.Lobby = &lobbyView{Roles: roles, Dealt: 12, Options: options, Sets: []string{"Club, 12", "Новички"}, Fewest: 5, Most: 20, Played: 2}
		}),
		at("deal", w.sampleView(sampleDeal, 12), func(p *hostPage) { p.Next = w.step(engine.Night) }),
		at("night.unsent", w.sampleView(sampleNight, 12), func(p *hostPage) {
			p.Next, p.Owing = w.step(engine.Close), p.Seats[7:9]
			offers(p)
		}),
		at("confirm", w.sampleView(sampleNight, 12), func(p *hostPage) { p.Next, p.Confirm, p.Owing = w.step(engine.Close), true, p.Seats[7:9] }),
		at("closed.some", w.sampleView(sampleClose, 12), func(p *hostPage) {
			p.Next, p.Misled = w.step(engine.Dawn), p.Seats[4:5]
			p.Traces = []string{w.event(engine.Event{Kind: engine.Trace, Of: 9, Verb: "shoot", Seats: []engine.Seat{7}, Fates: []engine.Fate{{What: "out"}}}, p.Seats)}
		}),
		at("day", w.sampleView(sampleDay, 12), func(p *hostPage) {
			p.sampleSpeech(5, 41_000, true)
			p.sampleBallots(0, false, 3, 8)
			p.News = w.sampleOut(p.view, 7)
			p.Next, p.Steps = w.step(engine.Vote), []stepView{*w.step(engine.Pass), *w.step(engine.Hold), *w.step(engine.Night)}
			offers(p)
		}),
		at("vote", w.sampleView(sampleVote, 12), func(p *hostPage) {
			p.sampleBallots(6, false, 3, 8)
			p.Next = w.step(engine.Close)
			p.Hands = hands(engine.Game{}, []engine.Seat{3, 8}, p.Seats)
		}),
		at("for", w.sampleView(sampleVote, 12), func(p *hostPage) {
			p.For = &forView{Seat: p.Seats[3], Offers: []offerView{w.offer(engine.Offer{Verb: engine.Vote, Min: 1, Max: 1, Seats: []engine.Seat{3, 8}}, p.Seats, 4)}}
		}),
		at("ruling", w.sampleView(sampleDay, 12), func(p *hostPage) {
			p.Ruling = &rulingView{w.T("ruling.day-tie"), []choiceView{{"3", w.choice("3", p.Seats)}, {"8", w.choice("8", p.Seats)}, {"nobody", w.choice("nobody", p.Seats)}}}
		}),
		at("stopped", w.sampleView(sampleDay, 12), func(p *hostPage) { p.IsStop, p.Stopped = true, "…" }),
		at("frozen", w.sampleView(sampleDay, 12), func(p *hostPage) { p.Frozen = true }),
		at("ended", w.sampleView(sampleEnd, 12), nil),
		at("story", w.sampleView(sampleEnd, 12), func(p *hostPage) {
			p.sampleStory()
			p.Panel = &panelView{Cue: "night", Lamp: true, History: []string{"12:00:01 lamp on", "12:00:02 lamp off"}}
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

func (w words) sampleFree(wifi bool) screenFree {
	return screenFree{words: w, Pairing: "KMNP", Table: sampleTable, Code: sampleCode, URL: sampleURL, Wifi: wifi}
}

func (w words) sampleScreens() []sample[screenPage] {
	at := func(name string, v view, change func(*view)) sample[screenPage] {
		if change != nil {
			change(&v)
		}
		p := screenPage{view: v, Code: sampleCode, URL: sampleURL, Wifi: true}
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
		at("stopped", w.sampleView(sampleDay, 12), func(v *view) { v.IsStop = true }),
		at("frozen", w.sampleView(sampleDay, 12), func(v *view) { v.Frozen = true }),
		at("ended", w.sampleView(sampleEnd, 20), nil),
		at("story", w.sampleView(sampleEnd, 12), (*view).sampleStory),
	}
}
