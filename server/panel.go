package server

import (
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// Panel is a panel as its table's console draws it.
type Panel interface {
	Shows() (now PanelNow, before []PanelShow)
	Press(held time.Duration) // of a panel that is drawn; on pins it does nothing
	Drawn() bool              // there are no pins: the console is the panel
	Held() bool               // the button on the pins, now
	About() (key string, args []any)
	Cues() []string
	Rhythm(cue string) string // of the buzzer, in dots and dashes; empty: it is silent
}

// PanelNow is what a panel shows. Its console draws the blinking by itself.
type PanelNow struct {
	Cue    string
	Begun  time.Time
	Rings  bool   // its rhythm has hardly begun
	Lights string // the cue whose lamp is seen: a bell leaves that of the one before
	Lamp   string // on, off, or blinks
	Silent bool   // the buzzer is kept still
}

// PanelShow is what a panel showed from a moment on.
type PanelShow struct {
	At           time.Time
	Cue          string
	Lamp, Buzzer bool
}

// quiet is when the buzzer is silent: always, or between two times of the day.
type quiet struct {
	Off  bool   `json:"off,omitempty"`
	From string `json:"from,omitempty"` // such as 22:00; empty: never
	To   string `json:"to,omitempty"`
}

// at tells whether the buzzer is silent at a time of the day. The hours count
// only where that time is known: a box that takes noon for midnight would be
// silent all evening.
func (q quiet) at(now time.Time, sure bool) bool {
	if q.Off || !sure || q.From == q.To {
		return q.Off
	}
	clock := now.Format("15:04")
	if q.From < q.To {
		return q.From <= clock && clock < q.To
	}
	return q.From <= clock || clock < q.To
}

// silent tells whether the buzzer is silent now.
func (b *Box) silent() bool {
	now, sure := b.Time()
	return b.club.quiet().at(now, sure)
}

// quietLook is how often it is looked whether quiet hours begin or end.
const quietLook = 20 * time.Second

// playLife is for how long the lamp is that of what is played for a moment.
const playLife = 4 * time.Second

// Play plays a cue for a moment: what the button is answered, and what is tried.
func (b *Box) Play(cue Cue) {
	select {
	case b.plays <- cue:
	default: // the one before is about to be played
	}
}

// WatchPanel shows the cues of the panel's table, now and after each change, at
// the marks of its clock, and what is played for a moment, after which it lights
// the lamp of the table's cue again; and before each of them it tells whether the
// buzzer is to be silent. It ends when the box closes.
func (b *Box) WatchPanel(show, light func(Cue), silence func(bool)) {
	if b.waits.Load() != nil {
		for { // what it plays is that, too; and when it is to be silent stands in the store
			show(CueTrouble)
			select {
			case <-b.plays:
			case <-b.closing:
				return
			}
		}
	}
	showSilenced := func(cue Cue) {
		silence(b.silent())
		show(cue)
	}
	for b.watchPanel(b.panelTable(), showSilenced, light, silence) {
	}
}

// lasts is the cue of a box that can't store, or else of its panel's table.
func (b *Box) lasts(is *engine.Seen) Cue {
	if b.trouble.Load() != nil {
		return CueTrouble
	}
	return state(is)
}

// watchPanel is WatchPanel for as long as the panel is that table's; false at
// the end of the box.
func (b *Box) watchPanel(t *Table, show, light func(Cue), silence func(bool)) (again bool) {
	defer func() {
		if value := recover(); value != nil { // a table that can't be looked at: until it can
			b.broke("panel", t.id, value)
			select {
			case <-b.closing:
			case <-time.After(time.Second):
				again = true
			}
		}
	}()
	w, stop := t.watch("", false)
	defer stop()
	m := t.now.Load()
	was, clock := m.public(), clockNote{}
	show(b.lasts(was))
	var played <-chan time.Time // when what was played is over
	for {
		silence(b.silent())
		m, now := t.now.Load(), b.cfg.Now()
		is := m.public()
		for _, cue := range cuesOf(was, is) {
			show(cue)
			if cue != CueOut { // a bell, which leaves the lamp alone
				played = nil
			}
		}
		was = is
		note := m.clock.note(now)
		if note.No == clock.No {
			if cue := mark(clock.Left, note.Left); cue != "" {
				show(cue)
			}
		}
		clock = note
		next := b.cfg.After(quietLook)
		if m.clock.Runs(now) {
			next = b.cfg.After(min(quietLook, untilMark(note.Left)))
		}
		select {
		case <-next:
		case <-w.changed:
		case cue := <-b.plays:
			show(cue)
			played = b.cfg.After(playLife)
		case <-played:
			light(b.lasts(was))
			played = nil
		case <-b.troubles:
			show(b.lasts(was))
			played = nil
		case <-b.quieted:
		case <-b.panelMoved:
			return true
		case <-b.closing:
			return false
		}
	}
}

// PanelChanged is called when the panel is to be drawn anew: its table's consoles
// follow.
func (b *Box) PanelChanged() {
	if len(b.Tables()) > 0 { // else it waits for its store
		b.panelTable().wakeHosts()
	}
}

// panelView is the panel on its table's console.
type panelView struct {
	Mine    bool   // it is this table's
	Of      string // or that one's
	Drawn   bool
	About   string
	Now     PanelNow
	Rhythm  string // of what the buzzer sounds now; empty: nothing
	Held    bool
	History []string
	Cues    []cueView
	Quiet   quiet
	Sure    bool // the box knows what time it is
}

// cueView is a cue that can be tried.
type cueView struct{ Name, Label, Rhythm string }

func (b *Box) panelView(t *Table, w words) *panelView {
	if b.cfg.Panel == nil {
		return nil
	}
	of := b.panelTable()
	p := &panelView{Mine: of == t, Of: of.Code(), Drawn: b.cfg.Panel.Drawn(), Quiet: b.club.quiet()}
	if !p.Mine {
		return p
	}
	_, p.Sure = b.Time()
	key, args := b.cfg.Panel.About()
	p.About, p.Held = w.T(key, args...), b.cfg.Panel.Held()
	now, before := b.cfg.Panel.Shows()
	p.Now = now
	if !now.Silent {
		p.Rhythm = b.cfg.Panel.Rhythm(now.Cue)
	}
	for _, s := range before {
		p.History = append(p.History, s.line(w))
	}
	for _, cue := range b.cfg.Panel.Cues() {
		p.Cues = append(p.Cues, cueView{cue, w.T("cue." + cue), b.cfg.Panel.Rhythm(cue)})
	}
	return p
}

// line is "21:04:05 night: lamp, buzzer".
func (s PanelShow) line(w words) string {
	line := s.At.Format(time.TimeOnly) + " " + w.T("cue."+s.Cue)
	var on []string
	if s.Lamp {
		on = append(on, w.T("panel.lamp"))
	}
	if s.Buzzer {
		on = append(on, w.T("panel.buzzer"))
	}
	if len(on) > 0 {
		line += ": " + strings.Join(on, ", ")
	}
	return line
}

// hostPanel takes the panel to this table, tries a cue, or sets when the buzzer
// is silent.
func (b *Box) hostPanel(c *fiber.Ctx) error {
	t := tableOf(c)
	do, cue := c.FormValue("do"), Cue(c.FormValue("cue"))
	q := quiet{Off: c.FormValue("sound") == "off", From: c.FormValue("from"), To: c.FormValue("to")}
	return b.hostDo(c, func(d *draft) error {
		d.dirty = true // keeps the form's key
		switch {
		case b.cfg.Panel == nil:
			return fiber.ErrForbidden
		case do == "take":
			return b.takePanel(t)
		case b.panelTable() != t:
			return say("panel_elsewhere", "Code", b.panelTable().Code())
		case do == "quiet":
			return b.setQuiet(q)
		case do == "play" && !slices.Contains(b.cfg.Panel.Cues(), string(cue)):
			return say("bad_form")
		case do == "play":
			b.Play(cue)
			return nil
		}
		return fiber.ErrForbidden
	})
}

// takePanel gives the panel to a table.
func (b *Box) takePanel(t *Table) error {
	before := b.panelTable()
	err := b.club.change(func(d *clubDoc) error { d.Panel = t.id; return nil })
	if err == nil {
		before.wakeHosts()
		select {
		case b.panelMoved <- struct{}{}:
		default:
		}
	}
	return err
}

// setQuiet sets when the buzzer is silent.
func (b *Box) setQuiet(q quiet) error {
	for _, at := range []string{q.From, q.To} {
		if _, err := time.Parse("15:04", at); at != "" && (err != nil || len(at) != 5) {
			return say("bad_hour", "Value", at)
		}
	}
	if (q.From == "") != (q.To == "") {
		return say("bad_hours")
	}
	err := b.club.change(func(d *clubDoc) error { d.Quiet = q; return nil })
	if err == nil {
		select {
		case b.quieted <- struct{}{}:
		default:
		}
	}
	return err
}
