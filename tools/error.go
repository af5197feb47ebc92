package tools

// Code is a stable name for a kind of failure, for agents to act on.
type Code string

// The codes of tool errors.
const (
	BadArgument        Code = "BAD_ARGUMENT"
	PathOutsideRoot    Code = "PATH_OUTSIDE_ROOT"
	UnreadableFile     Code = "UNREADABLE_FILE"
	UnreadableDocument Code = "UNREADABLE_DOCUMENT"
	TooLarge           Code = "TOO_LARGE"
	Internal           Code = "INTERNAL"
)

// Codes lists every code of tool errors, also those that come from the ledger.
func Codes() []Code {
	return []Code{BadArgument, UnknownContract, UnknownRevision, PathOutsideRoot, UnreadableFile, UnreadableDocument, TooLarge,
		SubmissionRequired, SubmissionReused, RevisionConflict, NotRegistered, LedgerUnavailable, Internal}
}

// Error is a tool error as an agent gets it. It never holds a file's content or a
// stack trace.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"` // what happened
	Hint    string `json:"hint"`    // what to do next
	// Path is the JSON Pointer of the argument at fault; empty for the call as a whole.
	Path string `json:"path"`
	// Detail is for the server's log alone.
	Detail string `json:"-"`
	Err    error  `json:"-"` // the cause; nil where there is none
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Error gives the code, the message and the hint on one line.
func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Message
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Text is the compact JSON that stands in the result's text, its parts cut to
// what an agent reads.
func (e *Error) Text() string {
	short := *e
	short.Message = clip(e.Message, maxMessage)
	short.Hint = clip(e.Hint, maxMessage)
	short.Path = clip(e.Path, maxLabel)
	text, err := Encode(short)
	if err != nil { // four strings always encode
		return string(e.Code)
	}
	return string(text)
}
