package engine

// status is what the engine itself must know of a moment. It is folded from
// events, so a rule system says each thing once.
type status struct {
	phase   Phase
	stopped bool
	reason  string // of the stop
	ruling  bool
	ended   bool
	out     uint64 // a bit a seat
}

func (m status) isOut(s Seat) bool { return s > 0 && m.out&(1<<uint(s)) != 0 }

func (m status) after(a Act, events []Event) status {
	if a.Verb == Rule {
		m.ruling = false
	}
	for _, e := range events {
		switch e.Kind {
		case PhaseIs:
			m.phase, m.ruling = Phase{e.Words[0], e.N}, false // it goes on, so no ruling is waited for
			m.ended = m.phase.Name == Ended
		case Stopped:
			m.stopped, m.reason = true, e.Text
		case Resumed:
			m.stopped, m.reason = false, ""
		case Ruling:
			m.ruling = true
		case Out:
			m.out |= 1 << uint(e.Of)
		}
	}
	if m.ended {
		m.stopped, m.reason, m.ruling = false, "", false
	}
	return m
}
