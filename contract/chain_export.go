package contract

import (
	"bufio"
	"io"
	"slices"
	"strconv"
)

// ChainWriter writes a chain file (objects page, section 6) part by part: all revisions,
// then all rounds. What it has written it forgets, so that a chain may be of any length.
// Its errors are those of the target, or a *[SyntaxError] of a text; registered texts
// have none.
type ChainWriter struct {
	out    *bufio.Writer
	rounds bool // the list of rounds has begun
	filled bool // the list has an item
}

// NewChainWriter begins a chain file in w.
func NewChainWriter(w io.Writer) *ChainWriter {
	c := &ChainWriter{out: bufio.NewWriter(w)}
	c.out.WriteString(`{"aac":"0.1.0","revisions":[`) // an error stays, and is the next one's
	return c
}

// Revision writes the next revision as it stands in its text. No round was written yet.
func (c *ChainWriter) Revision(text []byte) error {
	v, err := Decode(text)
	if err != nil {
		return err
	}
	return c.item(v.Raw())
}

// Round writes the next round as [OnRevision] gives it.
func (c *ChainWriter) Round(text []byte, revision int64) error {
	round, err := OnRevision(text, revision)
	if err != nil {
		return err
	}
	c.endRevisions()
	return c.item(round)
}

func (c *ChainWriter) item(text []byte) error {
	if c.filled {
		c.out.WriteByte(',')
	}
	c.filled = true
	c.out.WriteByte('\n')
	_, err := c.out.Write(text)
	return err
}

func (c *ChainWriter) endRevisions() {
	if !c.rounds {
		c.rounds, c.filled = true, false
		c.out.WriteString("],\n\"rounds\":[")
	}
}

// Close ends the file. ledger, nil for none, writes the JSON value that becomes the
// member of that name.
func (c *ChainWriter) Close(ledger func(io.Writer) error) error {
	c.endRevisions()
	c.out.WriteString("]")
	if ledger != nil {
		c.out.WriteString(",\n\"ledger\":")
		if err := ledger(c.out); err != nil {
			return err
		}
	}
	c.out.WriteString("}\n")
	return c.out.Flush()
}

// OnRevision gives a round's text, an object, as a chain file has it: with the number of
// the revision that it was judged against as its member "revision", which replaces one
// that is there. The error is a *[SyntaxError].
func OnRevision(round []byte, revision int64) ([]byte, error) {
	v, err := Decode(round)
	if err != nil {
		return nil, err
	}
	raw, number := v.Raw(), strconv.FormatInt(revision, 10)
	if was := v.Get("revision"); was != nil {
		return slices.Concat(raw[:was.Offset-v.Offset], []byte(number), raw[was.End-v.Offset:]), nil
	}
	member := `{"revision":` + number
	if len(v.Members) > 0 {
		member += ","
	}
	return slices.Concat([]byte(member), raw[1:]), nil
}
