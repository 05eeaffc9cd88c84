package server

import (
	"io/fs"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/server/checkup"
)

// Found is a finding about the machine, in words.
type Found struct {
	ID      string        `json:"id"`
	Case    string        `json:"case"`
	State   checkup.State `json:"state"`
	Word    string        `json:"-"` // for the state
	Heading string        `json:"what"`
	Found   string        `json:"found"`
	Do      string        `json:"do,omitempty"`
}

// Found puts a finding in words.
func (t Texts) Found(f checkup.Finding) Found {
	what := "checkup." + f.ID
	key := what + "." + f.Case
	if f.Case == "late" {
		key = "checkup.late"
	}
	return Found{
		ID: f.ID, Case: f.Case, State: f.State, Word: t.T("checkup.state." + string(f.State)),
		Heading: t.T(what), Found: t.T(key, f.With...), Do: t.TOr(key+".do", "", f.With...),
	}
}

// LoadTexts reads the texts of one language, for what speaks without a page.
func LoadTexts(files fs.FS, lang string) (Texts, error) {
	t, err := loadTexts(files, lang, nil)
	if err != nil {
		return Texts{}, err
	}
	return t.in(lang), nil
}

type checkupPage struct {
	words
	Open, Fine []Found // what is to be done or known, gravest first, and the rest
}

// checkupPage is the owner's: what may keep phones away from the box.
func (b *Box) checkupPage(c *fiber.Ctx) error {
	if !b.owns(c) {
		return c.Redirect("/box", fiber.StatusSeeOther)
	}
	if b.cfg.Examine == nil {
		return fiber.ErrNotFound
	}
	b.looks.Lock() // one look at a time, whoever asks how often
	found := b.cfg.Examine(c.UserContext())
	b.looks.Unlock()
	c.Type("html", "utf-8")
	return c.Render("checkup", b.wordsFor(c).checkup(found))
}

func (w words) checkup(findings []checkup.Finding) checkupPage {
	p := checkupPage{words: w}
	for _, state := range []checkup.State{checkup.Bad, checkup.Note} {
		for _, f := range findings {
			if f.State == state {
				p.Open = append(p.Open, w.Found(f))
			}
		}
	}
	for _, f := range findings {
		if f.State == checkup.OK {
			p.Fine = append(p.Fine, w.Found(f))
		}
	}
	return p
}
