package store

// A plug that is pulled in the middle of a Commit leaves all of it in Badger or
// nothing, but in the record file as much of it as came there. Half of a Commit
// must never count: a form of two acts of which one was done is no form that
// anybody filled in. Each record says how many of its Commit are yet to come,
// itself among them, so what is whole is plain, and only what is not is dropped.

// withoutHalf leaves out a Commit at the end that no copy has whole, if Badger has
// nothing of it. If more of the game follows it, it was whole once: what is left of
// it stays, and that something is lost is told. While Badger is new, and so no
// witness, later records of the Commit itself are reason enough for that.
//
// Records of an older box don't say what is yet to come. Of these the last act
// goes, and those of the same form before it, if the file is torn behind it: it
// may be half a form.
func (m merged) withoutHalf(have map[string][]byte, links map[int]link, torn, first bool) merged {
	if m.last < 0 || m.over || m.taken(have) < len(have) {
		return m
	}
	left := m.at(m.last).Left
	if left == 0 && torn && !first {
		return m.withoutForm(have)
	}
	if left <= 1 {
		return m
	}
	for no := range links {
		if no > m.last && first || no >= m.last+left && no != atEnd {
			return m
		}
	}
	from := m.last
	for from > 0 && m.at(from-1).Left == m.at(from).Left+1 {
		from--
	}
	for _, p := range m.pairs[from:] {
		if _, booked := have[p.key]; booked {
			return m
		}
	}
	return m.upTo(from)
}

// withoutForm leaves out the last act, and those of the same form before it,
// unless Badger has them.
func (m merged) withoutForm(have map[string][]byte) merged {
	form, from := m.at(m.last).Key, len(m.pairs)
	for from > 0 {
		_, booked := have[m.pairs[from-1].key]
		if booked || from < len(m.pairs) && (form == "" || m.at(from-1).Key != form) {
			break
		}
		from--
	}
	return m.upTo(from)
}

// upTo is its first so many records.
func (m merged) upTo(n int) merged {
	if n == len(m.pairs) {
		return m
	}
	short := merged{pairs: m.pairs[:n], last: n - 1}
	for no, p := range short.pairs {
		short.text = appendLink(short.text, no, short.at(no), string(p.value[:sumLen]))
	}
	return short
}
