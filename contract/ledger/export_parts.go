package ledger

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/plumbline-mcp/plumbline/contract"
)

// maxPartBytes is how many bytes one event, revision or round of an export may take: a
// body as a string, each of its characters as an escape, and more.
const maxPartBytes = 8 * MaxBodyBytes

// parts reads a JSON document part by part, so that it may be larger than the memory.
// Errors of its methods are that the text is no JSON or no export.
type parts struct {
	json *json.Decoder
	in   *partReader
}

func newParts(r io.Reader) *parts {
	in := &partReader{r: withoutMark(r), left: maxPartBytes}
	return &parts{json.NewDecoder(in), in}
}

// withoutMark leaves out a byte order mark.
func withoutMark(r io.Reader) io.Reader {
	const mark = "\ufeff"
	buffered := bufio.NewReader(r)
	if begin, _ := buffered.Peek(len(mark)); string(begin) == mark {
		_, _ = buffered.Discard(len(mark)) // it is there
	}
	return buffered
}

// partReader gives no more than maxPartBytes for one part, and keeps the error of what
// it reads.
type partReader struct {
	r    io.Reader
	left int
	err  error
}

// Read reads what is left of the part at most.
func (p *partReader) Read(b []byte) (int, error) {
	if p.left <= 0 {
		p.err = refuse(TooLarge, fmt.Sprintf("a part of the file has more than %d bytes, which none of an export has", maxPartBytes), hintNoEvents)
		return 0, p.err
	}
	n, err := p.r.Read(b[:min(len(b), p.left)])
	p.left -= n
	if err != nil && err != io.EOF {
		p.err = err
	}
	return n, err
}

// object reads an object; uses read the members that have a meaning.
func (p *parts) object(uses map[string]func() error) error {
	if err := p.begin('{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for p.json.More() {
		token, err := p.json.Token()
		if err != nil {
			return notJSON(err)
		}
		name, _ := token.(string)
		use := uses[name]
		switch {
		case use == nil:
			_, err = p.next()
		case seen[name]:
			err = notJSON(fmt.Errorf("it has the member `%s` twice", name))
		default:
			seen[name] = true
			err = use()
		}
		if err != nil {
			return err
		}
	}
	return p.end()
}

// list reads a list, each item by use.
func (p *parts) list(use func(*contract.Value) error) error {
	if err := p.begin('['); err != nil {
		return err
	}
	for p.json.More() {
		raw, err := p.next()
		if err != nil {
			return err
		}
		item, err := contract.Decode(raw)
		if err != nil {
			return notJSON(err)
		}
		if err := use(item); err != nil {
			return err
		}
	}
	return p.end()
}

// begin reads the delimiter of an object or list.
func (p *parts) begin(delimiter json.Delim) error {
	p.in.left = maxPartBytes
	token, err := p.json.Token()
	switch {
	case err != nil:
		return notJSON(err)
	case token != delimiter:
		return noEvents()
	}
	return nil
}

func (p *parts) end() error {
	if _, err := p.json.Token(); err != nil {
		return notJSON(err)
	}
	return nil
}

// next reads a value as it stands.
func (p *parts) next() (json.RawMessage, error) {
	p.in.left = maxPartBytes
	var raw json.RawMessage
	if err := p.json.Decode(&raw); err != nil {
		return nil, notJSON(err)
	}
	return raw, nil
}

// close reads the end of the document.
func (p *parts) close() error {
	p.in.left = maxPartBytes
	if _, err := p.json.Token(); err != io.EOF {
		return notJSON(errors.New("more follows its end"))
	}
	return nil
}

func notJSON(err error) *Error {
	what := err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		what = "it ends too early"
	}
	return &Error{Code: UnreadableDocument, Message: "the export is not JSON: " + what, Hint: "export the chain again", Err: err}
}
