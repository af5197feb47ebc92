package surface

import "fmt"

const (
	// MaxNotes is how many notes of a document are written out.
	MaxNotes = 100
	// MaxReasons is how many reasons of one tool's Incomplete are written out.
	MaxReasons = 20
)

// NoteList collects notes, each once. Those beyond its limit are counted, so that a
// document broken everywhere costs no more than one broken here and there.
type NoteList struct {
	limit int
	notes []Note
	known map[Note]bool
	more  int
}

// NewNoteList returns a list that writes out at most limit notes.
func NewNoteList(limit int) *NoteList { return &NoteList{limit: limit} }

// Add appends n unless it is in the list. Beyond the limit notes are only counted,
// those that were counted before too.
func (l *NoteList) Add(n Note) {
	if l.known[n] {
		return
	}
	if len(l.notes) == l.limit {
		l.more++
		return
	}
	if l.known == nil {
		l.known = map[Note]bool{}
	}
	l.known[n] = true
	l.notes = append(l.notes, n)
}

// Notes are the notes in the order they were added; where some were left out, the
// last says how many.
func (l *NoteList) Notes() []Note {
	if l.more == 0 {
		return l.notes
	}
	rest := Note{Text: fmt.Sprintf("%d more remarks were left out; correct the first ones and scan again", l.more)}
	return append(l.notes[:len(l.notes):len(l.notes)], rest)
}
