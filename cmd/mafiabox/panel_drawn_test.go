package main

import (
	"log/slog"
	"net"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/hardware"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
)

// pinned is a panel that says to be on pins, and that its button is held.
type pinned struct {
	consolePanel
	pins, held atomic.Bool
}

func (p *pinned) Drawn() bool { return !p.pins.Load() }
func (p *pinned) Held() bool  { return p.held.Load() }

func (p *pinned) About() (string, []any) {
	if p.pins.Load() {
		return "panel.is.pins", []any{"Button", "GPIO17", "Lamp", "GPIO27", "Buzzer", "GPIO22"}
	}
	return "fault.gone", nil
}

// TestPanelDrawn: the console follows the panel by itself, also where nothing
// happens at the table: the button is held and let go, pins come and go, another
// cue is shown. The lamp blinks there as long as its cue lasts, and without a
// push for each time.
func TestPanelDrawn(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	log := slog.New(slog.DiscardHandler)
	drawn, err := hardware.Open(hardware.Options{Mode: hardware.Simulated}, log)
	if err != nil {
		t.Fatal(err)
	}
	defer drawn.Close()
	panel := &pinned{consolePanel: consolePanel{drawn}}
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	b, err := server.Open(server.Config{
		Store: store.Memory(), Rulesets: rulesets.All, Files: static.Files, Lang: "en", HostCode: hostCode, Trusted: true, Now: time.Now, Log: log, Panel: panel,
		Addresses: func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} }, Port: listener.Addr().(*net.TCPAddr).Port,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	go b.Serve(lend(listener))
	go b.WatchPanel(func(cue server.Cue) { drawn.Show(hardware.Cue(cue)) }, func(cue server.Cue) { drawn.Light(hardware.Cue(cue)) }, drawn.Silence)
	h := &house{panel: drawn}
	h.box.Store(b)
	go h.draw(t.Context())

	host := newPhone(t, browser, "host")
	host.do(chromedp.Navigate("http://"+listener.Addr().String()+"/host"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), hostCode))
	host.click("main button")
	now := func(want string) {
		t.Helper()
		eventually(t, want, func() bool {
			return strings.HasPrefix(host.eval(`document.getElementById('panel-now').innerText.replace(/\s+/g, ' ')`), want)
		})
	}
	host.unfold("#d-panel")
	host.shows("The chip with the pins is away.")
	now("ready. lamp: blinks, buzzer: ·")

	panel.held.Store(true)
	b.PanelChanged()
	host.shows("The button is held")
	panel.held.Store(false)
	b.PanelChanged()
	eventually(t, "the button is let go", func() bool { return !strings.Contains(host.text(), "The button is held") })

	panel.pins.Store(true)
	b.PanelChanged()
	host.shows("Button GPIO17, lamp GPIO27, buzzer GPIO22")
	if host.eval(`String(document.getElementById('f-press'))`) != "null" {
		t.Error("a button is drawn beside the one on pins")
	}
	panel.pins.Store(false)
	b.PanelChanged()
	host.sees("#f-press")

	const look = `(() => { const lamp = document.querySelector('#panel-now .lit'); return lamp ? getComputedStyle(lamp).opacity : 'dark' })()`
	const rhythm = `getComputedStyle(document.querySelector('.rhythm')).animationName`
	drawn.Show(hardware.Vote)
	now("vote. lamp: blinks, buzzer: · —")
	if host.eval(rhythm) != "rings" {
		t.Error("a rhythm that sounds is drawn as any other")
	}
	first := host.eval(`document.querySelector('.rhythm').id`)
	drawn.Show(hardware.Vote)
	eventually(t, "the same cue is drawn once more", func() bool { return host.eval(`document.querySelector('.rhythm').id`) != first })
	time.Sleep(time.Second) // pushes have come
	host.eval(`(() => { window.drawn = 0; new MutationObserver(() => window.drawn++).observe(document.querySelector('main'), {subtree: true, childList: true, attributes: true, characterData: true}); return '' })()`)
	seen := make(map[string]int)
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(40 * time.Millisecond) {
		seen[host.eval(look)]++
	}
	if seen["1"] == 0 || seen["0.15"] == 0 || len(seen) != 2 {
		t.Errorf("the lamp doesn't blink: %v", seen)
	}
	if n := host.eval(`String(window.drawn)`); n != "0" {
		t.Errorf("something was drawn %s times while the lamp blinked", n)
	}
	drawn.Show(hardware.Day)
	now("day. lamp: off, buzzer: silent")
	drawn.Show(hardware.Ten)
	now("ten seconds left. lamp: off, buzzer: · ·")
	drawn.Silence(true)
	now("ten seconds left. lamp: off, buzzer: silent")
}

var (
	lampRule  = regexp.MustCompile(`(?m)^\.lamp-(\w+) \{ animation: (\w+) ([\d.]+)s step-end infinite; \}$`)
	lampFrame = regexp.MustCompile(`(?m)^@keyframes (\w+) \{ ([\d.]+)% \{ opacity: [\d.]+; \} \}$`)
)

// TestLampDrawn: the console's lamp is on and off for as long as the panel's.
func TestLampDrawn(t *testing.T) {
	css, err := os.ReadFile("../../static/css/console.css")
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) float64 {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	share, got := make(map[string]float64), make(map[string][2]time.Duration)
	for _, m := range lampFrame.FindAllStringSubmatch(string(css), -1) {
		share[m[1]] = number(m[2]) / 100
	}
	for _, m := range lampRule.FindAllStringSubmatch(string(css), -1) {
		long := number(m[3]) * float64(time.Second)
		on := time.Duration(long * share[m[2]]).Round(10 * time.Millisecond)
		got[m[1]] = [2]time.Duration{on, time.Duration(long) - on}
	}
	for _, cue := range hardware.Cues() {
		on, off := cue.Lamp()
		drawn, blinks := got[string(cue)]
		if want := on > 0 && off > 0; blinks != want || want && drawn != [2]time.Duration{on, off} {
			t.Errorf("%s: the lamp is on for %v, then off for %v; drawn %v", cue, on, off, drawn)
		}
	}
}
