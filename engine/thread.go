package engine

// Posts are those of the thread from number first on (the first post is 1), at
// most that many, each with what it led to. No post is ever undone, so a number
// stays with its post, and Seen.Posts is the last one's.
func (g Game) Posts(first, most int) (posts []Entry) {
	n := 0
	for _, e := range g.log {
		if e.Act.Verb != Post {
			continue
		}
		if n++; n >= first && len(posts) < most {
			posts = append(posts, e)
		}
	}
	return posts
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
