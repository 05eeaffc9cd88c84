package server

import (
	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/checkup"
)

// stylePage shows every part of the pages in each state, to be looked at by
// whoever changes them. All of it is made up here: no table is read.
type stylePage struct {
	words
	Seats   []sample[seatPage]
	Hosts   []sample[hostPage]
	Screens []sample[screenPage]
	Free    []sample[screenFree]
	Start   startPage
	Joins   []joinPage
	Login   loginPage
	Asks    []askPage
	Boxes   []boxPage
	Message messagePage
	Wait    waitPage
	Watches []sample[watchView]
	Here    herePage
	Codes   codesPage
	Checkup checkupPage
	Backups []backupPage
	Archive archiveSamples
	Referee refereeSamples
	Parts   []sample[offerView]
	Hold    seatPage
	Refused view
	Thread  threadSamples
}

// sample is a page in a state.
type sample[P any] struct {
	Name string
	Page P
}

func (b *Box) style(c *fiber.Ctx) error {
	if !b.owns(c) { // it is large, and no visitor needs it
		return c.Redirect("/box", fiber.StatusSeeOther)
	}
	c.Type("html", "utf-8")
	return c.Render("style", b.stylePage(b.wordsFor(c)))
}

// sampleQR is the code of the samples.
func (b *Box) sampleQR(c *fiber.Ctx) error { return sendQR(c, sampleURL) }

func (b *Box) stylePage(w words) stylePage {
	join := joinPage{words: w, Code: sampleCode, Table: sampleTable, Key: "SAMPLE"}
	join.Free = []engine.Seat{1, 2, 5, 7}
	failed, full, shut, ticket, sits, stays := join, join, join, join, join, join
	shut.Shut = true
	failed.Error, full.Full, ticket.Ticket, failed.Seat = w.T("problem.name_empty"), 12, true, 5
	sits.Sits, stays.Sits = &sitsView{"2", sampleCode, 7, sampleNames[2], false}, &sitsView{"2", sampleCode, 7, sampleNames[2], true}
	return stylePage{
		words: w,
		Seats: w.sampleSeats(), Hosts: append(w.sampleHosts(), b.sampleJudge(w)...), Screens: w.sampleScreens(),
		Free: []sample[screenFree]{
			{w.T("style.free"), w.sampleFree(false)},
			{w.T("style.free.wifi"), w.sampleFree(true)},
		},
		Start: startPage{words: w, Key: "SAMPLE"}, Joins: []joinPage{join, failed, full, shut, ticket, sits, stays}, Here: herePage{words: w, URL: sampleAt + "/", Code: sampleCode}, Codes: codesPage{w, sampleCodes(true), sampleTable},
		Login: loginPage{w, w.T("problem.bad_host_code"), "SAMPLE", true}, Asks: []askPage{{w, "SAMPLE", false}, {w, "SAMPLE", true}},
		Boxes: []boxPage{{words: w, Key: "SAMPLE"}, {words: w, Key: "SAMPLE", In: true, Backups: &backupLine{w, sampleMade, true, false}, Tables: []tableRow{
			{ID: "1", Code: sampleCode, HostCode: sampleSecret, Stage: w.T("stage.playing"), People: 12, Record: true, Warn: true},
			{ID: "2", Code: sampleCode, HostCode: sampleSecret, Stage: w.T("stage.lobby"), Record: true},
		}, Trouble: &troubleView{w.T("trouble.full"), "store: the disk is nearly full: 12 MiB free", "21:40"}}},
		Watches: w.sampleWatches(),
		Checkup: w.checkup(sampleFindings),
		Backups: w.sampleBackups(),
		Wait:    waitPage{words: w, Title: w.T("trouble.title"), Why: w.T("trouble.locked"), Back: "#"},
		Archive: w.sampleArchive(),
		Referee: w.sampleReferee(),
		Message: messagePage{w, w.T("error.404"), w.T("error.404.text"), "#", w.T("error.link")},
		Parts:   w.sampleOffers(),
		Hold:    w.sampleSeat(sampleNight, 12, func(p *seatPage) { p.Answers = w.sampleAnswers() }),
		Refused: view{Error: w.T("refused.turn")},
		Thread:  b.sampleThread(w),
	}
}

// The addresses of samples lead nowhere.
const (
	sampleTable  = "sample"
	sampleCode   = "PQRST"
	sampleAt     = "http://192.168.4.1"
	sampleURL    = sampleAt + "/j/" + sampleCode
	sampleLogin  = sampleAt + "/host"
	sampleSecret = "ABCDEFGH"
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
		words: w, Table: sampleTable, Key: "SAMPLE", Stage: playing, Heading: w.phase(phase), Rules: w.T("rules.boulevard"),
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
		v.Owed, v.Asked = 2, n
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

func (w words) sampleNotices() []string {
	return w.notices(2, true)
}

func (w words) sampleAnswers() []string {
	return []string{w.event(engine.Event{Kind: engine.Told, Verb: "check", Seats: []engine.Seat{5}, Words: []string{"mafia"}}, w.sampleView(sampleNight, 12).Seats)}
}

func (v *view) sampleSpeech(seat engine.Seat, left int64, runs bool) {
	v.Seats[seat-1].Speaks = true
	v.Speech = &speechView{v.Seats[seat-1], clockView{"1", left, runs}}
}

// sampleBallots has candidates, and the votes of so many for them.
func (v *view) sampleBallots(votes int, open bool, candidates ...engine.Seat) {
	for _, s := range candidates {
		v.Seats[s-1].Candidate = true
		v.Candidates = append(v.Candidates, v.Seats[s-1])
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

// samplePoll is a vote of which the first candidate's hands are counted.
func (p *hostPage) samplePoll() {
	p.Poll = &pollView{In: 6, Of: 10, Last: p.Seats[7]}
	first, second := handsView{Candidate: p.Seats[2], No: 7}, handsView{Candidate: p.Seats[7], Now: true}
	for i, s := range p.Seats {
		if s.Out {
			continue
		}
		s.VotedFor = 0
		if s.Shut = s.Voted; s.Voted {
			s.VotedFor = 3
			first.For = append(first.For, s)
		} else {
			p.Poll.Rest = append(p.Poll.Rest, s)
		}
		s.Pick = s.Voted
		first.Voters = append(first.Voters, s)
		s.Pick = i == 9
		second.Voters = append(second.Voters, s)
	}
	p.Poll.Hands = []handsView{first, second}
}

func (v *view) sampleFouls() {
	for i := range min(4, len(v.Seats)) {
		v.Seats[i].Fouls, v.Seats[i].Technical = i, i/2
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

// sampleFindings are some of each state, with what is long to draw.
var sampleFindings = []checkup.Finding{
	{ID: "addresses", Case: "some", State: checkup.OK, With: []any{"List", "wlan0 192.168.77.1, eth0 192.168.1.20, eth0 fd12:3456:789a:1:ba27:ebff:fe12:3456"}},
	{ID: "codes", Case: "first", State: checkup.Note, With: []any{"URL", sampleURL}},
	{ID: "port", Case: "taken", State: checkup.Bad, With: []any{"Listen", ":80", "Who", "nginx"}},
	{ID: "radio", Case: "standard", State: checkup.Note, With: []any{"Radio", "wlan0", "Chip", "43455", "N", 5, "Most", 7}},
	{ID: "clock", Case: "chip", State: checkup.OK},
}
