package server

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// Languages are the languages of the box, the first the one without a wish.
var Languages = []string{"en", "ru"}

// texts are what the box says, in every language.
type texts struct {
	bundle  *i18n.Bundle
	matcher language.Matcher
	lang    string // of a visitor without a wish
}

// loadTexts reads texts/LANG.json and texts/*.LANG.json of each language; own are a club's own texts
// by language and key, which go before.
func loadTexts(files fs.FS, lang string, own map[string]map[string]string) (*texts, error) {
	t := &texts{bundle: i18n.NewBundle(language.English), lang: lang}
	t.bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	var tags []language.Tag
	for _, name := range Languages {
		tag := language.MustParse(name)
		tags = append(tags, tag)
		paths, err := fs.Glob(files, "texts/*"+name+".json")
		if err != nil || len(paths) == 0 {
			return nil, fmt.Errorf("texts in %s: none (%v)", name, err)
		}
		for _, path := range paths {
			if _, err := t.bundle.LoadMessageFileFS(files, path); err != nil {
				return nil, fmt.Errorf("texts in %s: %w", name, err)
			}
		}
		for key, text := range own[name] {
			if err := t.bundle.AddMessages(tag, &i18n.Message{ID: key, Other: text, One: text, Few: text, Many: text}); err != nil {
				return nil, fmt.Errorf("own text %q in %s: %w", key, name, err)
			}
		}
	}
	t.matcher = language.NewMatcher(tags)
	return t, nil
}

// choose is the language for a wish (a code), or for what a browser accepts.
func (t *texts) choose(wish, accepts string) string {
	for _, name := range Languages {
		if wish == name {
			return name
		}
	}
	if wanted, _, err := language.ParseAcceptLanguage(accepts); err == nil && len(wanted) > 0 {
		if _, i, sure := t.matcher.Match(wanted...); sure != language.No {
			return Languages[i]
		}
	}
	return t.lang
}

// in are the texts in one language.
func (t *texts) in(lang string) Texts {
	return Texts{Lang: lang, localizer: i18n.NewLocalizer(t.bundle, lang)}
}

// Texts are the texts in one language.
type Texts struct {
	Lang      string
	localizer *i18n.Localizer
	rules     string // some texts are others in a rule system of that name
}

// T is the text of a key, with arguments by name: T("owed", "N", 3). The
// argument N also chooses the plural.
func (t Texts) T(key string, args ...any) string { return t.TOr(key, key, args...) }

// own is the text that the rule system has of its own, or else the one of all.
func (t Texts) own(key string, args ...any) string {
	return t.TOr(key+"."+t.rules, t.T(key, args...), args...)
}

// TOr is T with a text for a key that no language has.
func (t Texts) TOr(key, or string, args ...any) string {
	data := map[string]any{}
	config := &i18n.LocalizeConfig{MessageID: key, TemplateData: data}
	for i := 0; i+1 < len(args); i += 2 {
		data[args[i].(string)] = args[i+1]
		if args[i] == "N" {
			config.PluralCount = args[i+1]
		}
	}
	text, err := t.localizer.Localize(config)
	if err != nil && config.PluralCount != nil { // a number, but a text without plural forms
		config.PluralCount = nil
		text, err = t.localizer.Localize(config)
	}
	if err != nil || text == "" {
		return or
	}
	return strings.TrimSpace(text)
}
