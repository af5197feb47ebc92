package surface

import "fmt"

// ReadError says why a document could not be read and what to do about it. Line
// and Column are 1-based, 0 where unknown.
type ReadError struct {
	Message      string // what is wrong, without position
	Hint         string // what to do next; may be empty
	Line, Column int
}

// Error gives the position, where known, the message and the hint on one line.
func (e *ReadError) Error() string {
	s := e.Message
	if e.Line > 0 {
		s = fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, s)
	}
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}
