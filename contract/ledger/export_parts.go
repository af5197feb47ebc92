package ledger

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/plumbline-mcp/plumbline/contract"
)

// maxPartBytes is how many bytes one event, revision or round of an export may take: a
// body as a string, each of its characters as an escape, and more.
const maxPartBytes = 8 * maxBodyBytes

// parts reads a JSON document part by part, so that it may be larger than the memory.
// Errors of its methods are that the text is no JSON or no export.
type parts struct {
	json   *json.Decoder
	in     *partReader
	length int // bytes of the value that was read last
}

func newParts(r io.Reader) *parts {
	in := &partReader{r: withoutMark(r), left: maxPartBytes}
	return &parts{json: json.NewDecoder(in), in: in}
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
	r     io.Reader
	left  int
	err   error
	lines lineIndex
}

// Read reads what is left of the part at most.
func (p *partReader) Read(b []byte) (int, error) {
	if p.left <= 0 {
		p.err = refuse(TooLarge, fmt.Sprintf("a part of the file has more than %d bytes, which none of an export has", maxPartBytes), hintNoEvents)
		return 0, p.err
	}
	n, err := p.r.Read(b[:min(len(b), p.left)])
	p.left -= n
	p.lines.add(b[:n])
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
			return p.notJSON(err)
		}
		name, _ := token.(string)
		use := uses[name]
		switch {
		case use == nil:
			_, err = p.next()
		case seen[name]:
			err = p.notJSON(fmt.Errorf("it has the member `%s` twice", name))
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
			return p.notJSON(err)
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
		return p.notJSON(err)
	case token != delimiter:
		return noEvents()
	}
	return nil
}

func (p *parts) end() error {
	if _, err := p.json.Token(); err != nil {
		return p.notJSON(err)
	}
	return nil
}

// next reads a value as it stands.
func (p *parts) next() (json.RawMessage, error) {
	p.in.left = maxPartBytes
	p.in.lines.forget(p.json.InputOffset())
	var raw json.RawMessage
	if err := p.json.Decode(&raw); err != nil {
		return nil, p.notJSON(err)
	}
	p.length = len(raw)
	return raw, nil
}

// close reads the end of the document.
func (p *parts) close() error {
	p.in.left = maxPartBytes
	p.json.More() // skips white space
	end := p.json.InputOffset()
	if _, err := p.json.Token(); err != io.EOF {
		return p.notJSONAt(end, errors.New("more follows its end"))
	}
	return nil
}

// notJSON says why the text is no JSON, and where: in the value that begins there, unless
// the cause tells its own place in the value before.
func (p *parts) notJSON(cause error) *Error { return p.notJSONAt(p.json.InputOffset(), cause) }

func (p *parts) notJSONAt(offset int64, cause error) *Error {
	told := &contract.SyntaxError{Message: cause.Error(), Hint: "export the chain again"}
	var inside *contract.SyntaxError
	switch {
	case errors.As(cause, &inside):
		told.Message = inside.Message
		offset -= int64(p.length - inside.Offset)
	case errors.Is(cause, io.EOF) || errors.Is(cause, io.ErrUnexpectedEOF):
		told.Message = "it ends too early"
		offset = p.in.lines.read
	}
	told.Offset = int(offset)
	told.Line, told.Column = p.in.lines.position(offset)
	return &Error{Code: UnreadableDocument, Message: "the export is not JSON: " + told.Message, Hint: told.Hint, Err: told}
}

// lineIndex knows on which lines the last part of a text stands.
type lineIndex struct {
	read   int64   // bytes
	before int     // lines that are forgotten
	start  int64   // where the first line that is not begins
	starts []int64 // where those behind it begin
}

func (l *lineIndex) add(text []byte) {
	for i, c := range text {
		if c == '\n' {
			l.starts = append(l.starts, l.read+int64(i)+1)
		}
	}
	l.read += int64(len(text))
}

// forget leaves out the lines that end before an offset.
func (l *lineIndex) forget(offset int64) {
	n, _ := slices.BinarySearch(l.starts, offset+1)
	if n > 0 {
		l.before, l.start = l.before+n, l.starts[n-1]
		l.starts = slices.Delete(l.starts, 0, n)
	}
}

// position gives the 1-based line and column, in bytes, of an offset that is not
// forgotten.
func (l *lineIndex) position(offset int64) (line, column int) {
	n, _ := slices.BinarySearch(l.starts, offset+1)
	start := l.start
	if n > 0 {
		start = l.starts[n-1]
	}
	return l.before + n + 1, int(offset-start) + 1
}
