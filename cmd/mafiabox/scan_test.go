package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// scan is what zbar reads in a picture, each code a line.
func scan(t *testing.T, picture []byte) []string {
	t.Helper()
	zbar, err := exec.LookPath("zbarimg")
	if err != nil {
		t.Skip("no zbarimg: `make test` as root installs it")
	}
	file := filepath.Join(t.TempDir(), "picture.png")
	if err := os.WriteFile(file, picture, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(zbar, "-q", "--raw", "-Sdisable", "-Sqrcode.enable", file).Output()
	if err != nil && len(out) > 0 {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	slices.Sort(lines)
	return lines
}

func scanImage(t *testing.T, picture image.Image) []string {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	return scan(t, file.Bytes())
}

// looks is what a camera sees that is held up to the page: its window alone.
func (p *phone) looks() []byte {
	p.t.Helper()
	p.eval(`Promise.all([...document.images].map(i => i.decode())).then(() => '')`)
	shot, err := chromedp.Run(p.page, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	return shot
}

// showsCodes holds a camera up to a screen until the codes are those; no scan may
// find another.
func (p *phone) showsCodes(want ...string) {
	p.t.Helper()
	want = slices.Sorted(slices.Values(want))
	var got []string
	for end := time.Now().Add(patience); !slices.Equal(got, want); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			p.shoot("failed-" + strings.ReplaceAll(p.name, " ", "-"))
			p.t.Fatalf("%s shows the codes %q, want %q", p.name, got, want)
		}
		got = scan(p.t, p.looks())
	}
}

// modules are how many pixels a module of each code has on the page.
const modules = `[...document.querySelectorAll('.joins img')].map(i => i.getBoundingClientRect().width / (i.naturalWidth / 8)).join(' ')`

// TestCodesOnScreens has zbar read the codes of a television, before it belongs
// to a table and in its lobby, and of the host's phone.
func TestCodesOnScreens(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	const wifi = "WIFI:T:WPA;S:Mafia-Club;P:night-falls;;"
	for _, lang := range []string{"en", "ru"} {
		for _, c := range []struct {
			name string
			args []string
			with []string // the Wi-Fi's code
			min  int      // pixels of a module
		}{
			{"wifi", []string{"--wifi-ssid", "Mafia-Club", "--wifi-password", "night-falls"}, []string{wifi}, 14},
			{"table", nil, nil, 16},
			{"long", []string{"--wifi-ssid", strings.Repeat("Wi", 16), "--wifi-password", strings.Repeat("night-", 10) + "WMW"}, []string{"WIFI:T:WPA;S:" + strings.Repeat("Wi", 16) + ";P:" + strings.Repeat("night-", 10) + "WMW;;"}, 9},
		} {
			b := start(t, append(c.args, "--lang", lang)...)
			codes := append([]string{b.url + "/j/" + b.code()}, c.with...)
			screen := newPhone(t, browser, "screen "+c.name+" "+lang)
			large := func(state string) {
				t.Helper()
				screen.showsCodes(codes...)
				screen.shoot(fmt.Sprintf("%s-screen-codes-%s-%s", lang, c.name, state))
				if over := screen.eval(`String(document.querySelector('.stage').scrollHeight - document.querySelector('.stage').clientHeight)`); over != "0" {
					t.Errorf("%s, %s: the screen is %s pixels too low", c.name, state, over)
				}
				for pixels := range strings.FieldsSeq(screen.eval(modules)) {
					var whole int
					if n, _ := fmt.Sscanf(pixels+"!", "%d!", &whole); n != 1 || !strings.HasPrefix(fmt.Sprint(whole)+"!", pixels+"!") || whole < c.min {
						t.Errorf("%s, %s: a module has %s pixels, want a whole number from %d on", c.name, state, pixels, c.min)
					}
				}
			}
			screen.do(chromedp.EmulateViewport(1920, 1080), chromedp.Navigate(b.url+"/screen?lang="+lang))
			large("free")
			host, _ := b.seated(0)
			host.post("/t/1/host/screen", form("code", screen.eval(pairingCode)))
			screen.sees(".company")
			large("empty")
			for i := range 12 {
				p := b.client()
				p.get("/j/" + b.code())
				p.post("/j/"+b.code(), form("name", []string{"Anna", "Константин", "Maximilian von und zu Hohenstein", "Ли", "WWWWWWWWWWWWWWWWWWWWWWWW", "مريم"}[i%6]))
			}
			screen.sees(".company li:nth-child(12)")
			large("twelve")

			at := newPhone(t, browser, "codes "+c.name+" "+lang)
			at.is(host)
			at.do(chromedp.Navigate(b.url + "/t/1/host/codes?lang=" + lang))
			for i, code := range append(c.with, codes[0]) { // one at a time
				at.eval(fmt.Sprintf(`document.querySelectorAll('figure')[%d].scrollIntoView({block: 'center'})`, i))
				at.showsCodes(code)
			}
			at.shoot(fmt.Sprintf("%s-codes-%s", lang, c.name))
			at.do(chromedp.Navigate(b.url + "/t/1/host"))
			at.sees(".codes img")
			at.shoot(fmt.Sprintf("%s-codes-console-%s", lang, c.name))
			b.kill()
		}
	}
}

// TestCodesAreRedrawn: open screens and the host's phone show a new code by
// themselves, as they do when the box gets another address.
func TestCodesAreRedrawn(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	b := start(t)
	host, _ := b.seated(0)
	free, paired, codes := newPhone(t, browser, "free screen"), newPhone(t, browser, "paired screen"), newPhone(t, browser, "codes")
	for _, screen := range []*phone{free, paired} {
		screen.do(chromedp.EmulateViewport(1920, 1080), chromedp.Navigate(b.url+"/screen"))
	}
	host.post("/t/1/host/screen", form("code", paired.eval(pairingCode)))
	codes.is(host)
	codes.do(chromedp.Navigate(b.url + "/t/1/host/codes"))
	now := b.url + "/j/" + b.code()
	for range 2 {
		for _, p := range []*phone{free, paired, codes} {
			p.showsCodes(now)
		}
		host.post("/t/1/host/people", form("do", "evening", "sure", "1"))
		next := regexp.MustCompile(regexp.QuoteMeta(b.url) + "/j/[A-Z]{5}").FindString(host.get("/t/1/host"))
		if next == now || next == "" {
			t.Fatalf("the code is still %q", next)
		}
		now = next
	}
}

// TestHerePage looks at the page under a foreign name as a phone's own sheet draws
// it: with its style, which comes under that name too, and without anything to tap.
func TestHerePage(t *testing.T) {
	t.Parallel()
	browser := chromium(t, chromedp.Flag("host-resolver-rules", "MAP captive.apple.com 127.0.0.1"))
	b := start(t, "--captive", "portal-once")
	_, port, _ := strings.Cut(b.addr, ":")
	p := newPhone(t, browser, "sheet")
	for lang, title := range map[string]string{"ru": "Вы на месте", "en": "You are here"} {
		p.do(chromedp.Navigate("http://captive.apple.com:" + port + "/hotspot-detect.html?lang=" + lang))
		p.shows(title)
		p.shows(b.url)
		p.shows(b.code())
		if got := p.eval(`getComputedStyle(document.body).backgroundColor + ' ' + parseFloat(getComputedStyle(document.querySelector('.code')).fontSize) + ' ' + document.querySelectorAll('a, script, form, button').length`); got != "rgb(11, 10, 13) 54.4 0" {
			t.Errorf("%s: its ground, the size of the code and what can be tapped are %s", lang, got)
		}
		if wide := p.eval(`String(document.documentElement.scrollWidth)`); wide != "390" {
			t.Errorf("%s: it is %s pixels wide", lang, wide)
		}
		p.shoot(lang + "-here")
	}
}
