package server

import (
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
)

// Who sits where, between games. A seat has the number that lies on the table, so
// it stays where it is when others come and go: between those who sit there may
// be free ones. A game has none.

// free tells whether nobody sits there.
func (p person) free() bool { return p.Name == "" }

// seated is how many sit at the table.
func (d doc) seated() (n int) {
	for _, p := range d.People {
		if !p.free() {
			n++
		}
	}
	return n
}

// gaps are the free seats before somebody's.
func (d doc) gaps() (seats []engine.Seat) {
	for i, p := range d.People {
		if p.free() {
			seats = append(seats, engine.Seat(i+1))
		}
	}
	return seats
}

// noGaps refuses a deal while seats are free among the others.
func (d doc) noGaps() error {
	gaps := d.gaps()
	if len(gaps) == 0 {
		return nil
	}
	return say("free_seats", "N", len(gaps), "Seats", listed(gaps))
}

// listed are seats by their numbers.
func listed(seats []engine.Seat) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(seats), " ", ", "), "[]")
}

// sits tells whether somebody sits on a seat.
func (d doc) sits(seat engine.Seat) bool {
	return seat >= 1 && int(seat) <= len(d.People) && !d.People[seat-1].free()
}

// put puts a person on a free seat.
func (d *draft) put(p person, seat engine.Seat) {
	for int(seat) > len(d.doc.People) {
		d.doc.People = append(d.doc.People, person{})
	}
	d.doc.People[seat-1], d.dirty = p, true
}

// leave makes a seat free, and tells who sat there.
func (d *draft) leave(seat engine.Seat) person {
	p := d.doc.People[seat-1]
	d.doc.People[seat-1], d.dirty = person{}, true
	for n := len(d.doc.People); n > 0 && d.doc.People[n-1].free(); n-- {
		d.doc.People = d.doc.People[:n-1]
	}
	return p
}

// join gives a device the seat that it wishes for, or with 0 the first free one;
// who has one keeps it.
func (d *draft) join(rules engine.Ruleset, device, typed string, wish engine.Seat) error {
	if d.doc.seatOf(device) != 0 && device != "" {
		return nil
	}
	if err := d.inLobby(); err != nil {
		return say("join_playing")
	}
	name, bad := tidyName(typed)
	if bad != "" {
		return say(bad, "Max", maxName)
	}
	_, most := rules.Seats()
	switch {
	case d.doc.Shut && device != "":
		return say("lobby_shut")
	case d.doc.seated() >= most:
		return say("table_full", "Max", most)
	case int(wish) > most:
		return say("seat_beyond", "Max", most)
	case d.doc.sits(wish):
		return say("seat_taken", "Seat", wish, "Name", d.doc.People[wish-1].Name)
	}
	if wish == 0 {
		for wish = 1; d.doc.sits(wish); {
			wish++
		}
	}
	distinct := distinctName(name, d.doc.People)
	if err := d.letsIn(name, distinct); err != nil {
		return err
	}
	d.put(person{Name: distinct, Device: device}, wish)
	return nil
}

// changeable refuses what is only possible between games, for somebody who sits there.
func (d *draft) changeable(seat engine.Seat) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	if !d.doc.sits(seat) {
		return say("no_such_seat")
	}
	return nil
}

// rename gives a person another name, between games.
func (d *draft) rename(seat engine.Seat, typed string) error {
	if err := d.changeable(seat); err != nil {
		return err
	}
	name, bad := tidyName(typed)
	if bad != "" {
		return say(bad, "Max", maxName)
	}
	others := slices.Delete(slices.Clone(d.doc.People), int(seat)-1, int(seat))
	distinct := distinctName(name, others)
	if err := d.letsIn(name, distinct); err != nil {
		return err
	}
	d.doc.People[seat-1].Name = distinct
	d.dirty = true
	return nil
}

// part takes a person off the table, between games. The others stay on their
// seats, as they sit at them.
func (d *draft) part(seat engine.Seat) error {
	if err := d.changeable(seat); err != nil {
		return err
	}
	d.leave(seat)
	return nil
}

// move puts a person on another seat, between games. Who sits there changes
// places with him.
func (d *draft) move(rules engine.Ruleset, from, to engine.Seat) error {
	if err := d.changeable(from); err != nil {
		return err
	}
	_, most := rules.Seats()
	if to < 1 || int(to) > max(most, len(d.doc.People)) {
		return say("seat_beyond", "Max", most)
	}
	if d.doc.sits(to) {
		d.doc.People[from-1], d.doc.People[to-1] = d.doc.People[to-1], d.doc.People[from-1]
		d.dirty = true
		return nil
	}
	d.put(d.leave(from), to)
	return nil
}

// shut keeps phones from joining, or lets them again. Whoever the host adds is let in.
func (d *draft) shut(on bool) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	d.doc.Shut, d.dirty = on, true
	return nil
}

// closeUp leaves no seat free among the others, between games.
func (d *draft) closeUp() error {
	if err := d.inLobby(); err != nil {
		return err
	}
	d.doc.People = slices.DeleteFunc(d.doc.People, person.free)
	d.dirty = true
	return nil
}

// shuffle draws who sits on which of the seats that are taken, between games.
func (d *draft) shuffle() error {
	if err := d.inLobby(); err != nil {
		return err
	}
	var taken []int
	for i, p := range d.doc.People {
		if !p.free() {
			taken = append(taken, i)
		}
	}
	rng := mathrand.New(mathrand.NewPCG(seed(), seed()))
	rng.Shuffle(len(taken), func(i, j int) {
		a, b := taken[i], taken[j]
		d.doc.People[a], d.doc.People[b] = d.doc.People[b], d.doc.People[a]
	})
	d.dirty = true
	return nil
}

// keptCodes is how many old join codes a table remembers: pages of another evening
// that are still open ask by them, and that is no guess.
const keptCodes = 5

// newCode draws another join code: that of an earlier evening leads nowhere.
func (d *draft) newCode(b *Box) error {
	d.doc.Old = append(d.doc.Old, d.doc.Code)
	d.doc.Old = d.doc.Old[max(0, len(d.doc.Old)-keptCodes):]
	d.doc.Code, d.doc.Boot, d.dirty = b.freshCode(), b.cfg.Boot, true
	return nil
}

// newEvening takes everybody off the table, between games, and draws another
// join code.
func (d *draft) newEvening(b *Box) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	d.doc.People, d.doc.Played, d.doc.Shut = nil, 0, false
	return d.newCode(b)
}
