package engine

// Posts is how many the thread has. A game keeps no more of them than what they
// led to; the texts are read where its acts are stored. No post is ever undone,
// so a number stays with its post.
func (g Game) Posts() int { return g.posts }

// quiet tells whether an act leaves nothing behind in a game: a post that holds
// no vote, or time that moved on while nothing fell due. In a game that lasts
// for days there are many thousands of these, and every page is drawn from the
// others.
func quiet(a Act, events []Event) bool {
	return (a.Verb == Post || a.Verb == Advance) && len(events) == 0
}

// Reads tells what a post would count as if it were posted now: the vote, the
// lock, the question or the refusal that its author would get; nothing when it
// holds no vote.
func (g Game) Reads(by Actor, text string) (read []Event) {
	_, events, err := g.Do(Act{By: by, Verb: Post, Text: text})
	if refusal, ok := err.(Refusal); ok {
		return []Event{{To: Audience(by), Kind: Refused, Words: []string{string(refusal)}}}
	}
	for _, e := range events {
		switch {
		case Announces([]Event{e}):
			return read // with it the round closes
		case e.Kind == Voted, e.Kind == Chose, e.Kind == Asked, e.Kind == Refused:
			read = append(read, e)
		}
	}
	return read
}
