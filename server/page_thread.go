package server

import (
	"errors"
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// thread is a page of the table's thread. Everybody on the network may read it.
func (b *Box) thread(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	if !m.hasThread() {
		return fiber.ErrNotFound
	}
	w := b.wordsFor(c)
	posts, pages := m.game.Posts(), m.threadPages()
	read := min(readPosts(c, t, m), posts)
	page, err := strconv.Atoi(c.Query("page"))
	if err != nil {
		return c.Redirect(t.unread(read, posts), fiber.StatusSeeOther)
	}
	page = min(max(page, 1), pages)
	entries, err := b.threadPage(t, m, page)
	if err != nil {
		return err
	}
	v := viewerOf(c, m)
	v.device = knownDevice(c)
	p := b.threadView(t, m, w, v, page, read, entries)
	if last := p.last(); last > read {
		t.keepRead(c, m, last)
	}
	p.Done, p.Error = b.untold(v.device, w)
	c.Type("html", "utf-8")
	return c.Render("thread", p)
}

// threadView is a page of these entries, for somebody who has read so many posts.
func (b *Box) threadView(t *Table, m *moment, w words, v viewer, page, read int, entries []threadEntry) threadView {
	seen, zone := m.game.Seen(engine.All), m.zone(m.game.Rules())
	w = w.under(m.doc.Rules)
	p := threadView{
		view: b.view(t, m, w, v.device, seen), Page: page, Pages: m.threadPages(), Zone: zone.String(),
		Seated: v.seat != 0, Host: v.host,
	}
	p.Write = p.postForm(m, v)
	if page == 1 {
		p.Opening.Told = w.toldAll(m.game.Opening(), p.Seats, zone)
	}
	for _, e := range entries {
		lines := w.lines(e, p.Seats, zone)
		if e.Post > 0 {
			lines[0].Unread = e.Post == read+1 && read > 0
		}
		p.Lines = append(p.Lines, lines...)
	}
	return p
}

// last is the number of the last post on the page.
func (p threadView) last() (post int) {
	for _, line := range p.Lines {
		post = max(post, line.Post)
	}
	return post
}

// Keeps is the page of the thread, when its language is changed.
func (p threadView) Keeps() template.URL { return template.URL(fmt.Sprintf("page=%d&", p.Page)) }

// unread is where somebody goes on reading.
func (t *Table) unread(read, posts int) string {
	path := "/t/" + t.id + "/thread?page="
	switch {
	case posts == 0, read >= posts:
		return path + strconv.Itoa(pageOfPost(posts)) + "#end"
	case read == 0:
		return path + "1"
	}
	return path + strconv.Itoa(pageOfPost(read+1)) + "#unread"
}

// readName is the cookie that says how far a device has read a table's thread:
// the number of the game, and that of the post.
func (t *Table) readName() string { return "read" + t.id }

// readPosts is how many posts of the thread this device has read.
func readPosts(c *fiber.Ctx, t *Table, m *moment) int {
	game, post, _ := strings.Cut(c.Cookies(t.readName()), ".")
	n, err := strconv.Atoi(post)
	if err != nil || n < 0 || game != strconv.Itoa(m.doc.Game) {
		return 0
	}
	return n
}

func (t *Table) keepRead(c *fiber.Ctx, m *moment, post int) {
	c.Cookie(&fiber.Cookie{
		Name: t.readName(), Value: fmt.Sprintf("%d.%d", m.doc.Game, post), Path: "/t/" + t.id,
		MaxAge: int(cookieLife / time.Second), HTTPOnly: true, SameSite: fiber.CookieSameSiteStrictMode,
	})
}

// author is who writes when a visitor does: his seat, or a guest. A host without
// a seat announces what he has to say.
func (v viewer) author() engine.Actor {
	if v.seat != 0 {
		return engine.Actor(v.seat)
	}
	return engine.Guest
}

// postForm is the form with which a visitor writes into the thread.
func (v view) postForm(m *moment, by viewer) postView {
	p := postView{words: v.words, Table: v.Table, Key: v.Key, Of: v.Of, Max: engine.PostMax}
	offer, ok := offerOf(m.game.Offers(by.author()), engine.Post)
	switch {
	case m.game.Ended():
		p.Shut = v.T("post.over")
	case by.seat == 0 && by.host:
		p.Shut = v.T("post.host")
	case !ok:
		p.Shut = v.T("post.players")
	case offer.Now != engine.Open:
		p.Shut = v.T("post.later")
	}
	if by.seat != 0 {
		p.Me = &v.Seats[by.seat-1]
		p.Text = m.latePost(by.seat)
		p.Late = p.Text != ""
	}
	return p
}

// errLook asks the author to look at what his text would count as.
var errLook = errors.New("look at what this post would count as")

// posting is a post as its form sent it.
type posting struct {
	guestPost
	by   engine.Actor
	text string
	sure string      // the reading that its author has seen
	vote engine.Seat // whom he meant, when he was asked
}

// post writes into the thread. A text that holds a vote, or seems to, is shown
// first with what it would count as: it can't be taken back.
func (b *Box) post(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	if !m.hasThread() {
		return fiber.ErrNotFound
	}
	v, of := viewerOf(c, m), c.FormValue("of")
	if v.seat == 0 && v.host {
		return fiber.ErrForbidden
	}
	p := posting{
		guestPost: guestPost{b.cfg.Now(), v.device, c.IP(), formKey(c, v.device)},
		by:        v.author(), text: tidyPost(c.FormValue("text")), sure: c.FormValue("sure"), vote: seatNumber(c.FormValue("vote")),
	}
	post, told := 0, answer{err: checkPost(p.text)}
	if told.err == nil {
		told = t.ask(p.key, func(d *draft) (err error) {
			if now := (viewer{seat: d.doc.seatOf(v.device)}); now.author() != p.by {
				return fiber.ErrForbidden
			}
			post, err = d.post(p)
			return err
		})
	}
	switch {
	case errors.Is(told.err, fiber.ErrForbidden):
		return told.err
	case told.err != nil:
		return b.drawPost(c, p, v, of, told.err)
	}
	b.tell(v.device, told)
	to := fmt.Sprintf("/t/%s/thread?page=%d", t.id, t.now.Load().threadPages()) // of a form that was sent again
	if post > 0 {
		to = fmt.Sprintf("/t/%s/thread?page=%d#post-%d", t.id, pageOfPost(post), post)
	}
	return c.Redirect(to, fiber.StatusSeeOther)
}

// post does it on the draft: the text, and the vote that its author meant. It
// gives the post's number.
func (d *draft) post(p posting) (post int, err error) {
	if !d.plays() {
		return 0, engine.RefusedPhase
	}
	act := engine.Act{By: p.by, Verb: engine.Post, Text: p.text, Via: engine.ByPhone}
	if _, _, err := d.game.Do(act); err != nil {
		return 0, err
	}
	read := d.game.Reads(p.by, p.text)
	if (len(read) > 0 || p.sure != "") && p.sure != sureOf(&d.moment, p.text, read) {
		return 0, errLook
	}
	if p.vote != 0 && !mayMean(read, p.vote) {
		return 0, engine.RefusedTarget
	}
	if p.by == engine.Guest {
		if err := d.box.outsiders.may(d.table, p.guestPost); err != nil {
			return 0, err
		}
	}
	err = d.act(act)
	if err == nil {
		err = d.paced(p.by.Seat(), true)
	}
	if err == nil && len(read) > 0 { // a vote, or what the game keeps like one
		err = d.paced(p.by.Seat(), false)
	}
	if err != nil {
		return 0, err
	}
	d.dropLatePosts(p.by.Seat())
	post = d.game.Posts()
	if p.vote != 0 {
		err = d.act(engine.Act{By: p.by, Verb: engine.Vote, Seats: []engine.Seat{p.vote}, Via: engine.ByPhone})
	}
	return post, err
}

// sureOf stands for a text and for what it counts as in this round. Its author
// sends it back with the text once he has seen what it counts as.
func sureOf(m *moment, text string, read []engine.Event) string {
	return hash(fmt.Appendf(nil, "%q %q %q", m.of(), text, fmt.Sprint(read)))[:32]
}

// drawPost shows a post that was not posted, with its text and the reason.
func (b *Box) drawPost(c *fiber.Ctx, p posting, by viewer, of string, problem error) error {
	if b.gone(problem) {
		return b.comeBack(c, troubleStopped)
	}
	t, w := tableOf(c), b.wordsFor(c)
	m := t.now.Load()
	if !m.hasThread() { // the game has been left meanwhile
		return fiber.ErrNotFound
	}
	v := b.view(t, m, w, by.device, m.game.Seen(engine.All))
	form := v.postForm(m, by)
	form.Text, form.Late = p.text, false
	if errors.Is(problem, errLook) {
		read := m.game.Reads(p.by, p.text)
		form.Reads = w.reading(read, v.Seats)
		form.Reads.Sure = sureOf(m, p.text, read)
		form.Reads.Moved = p.sure != "" && of != m.of()
	} else {
		form.Error = w.refusal(problem)
		c.Status(statusOf(problem))
	}
	c.Type("html", "utf-8")
	return c.Render("post", form)
}
