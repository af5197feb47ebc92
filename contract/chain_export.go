package contract

import (
	"bytes"
	"strconv"
)

// RoundOn is a round's text and the number of the revision that it was judged against.
type RoundOn struct {
	Text     []byte
	Revision int64
}

// ExportChain writes a chain file (objects page, section 6): the revisions as they
// stand in their texts, and the rounds, each with the member "revision", in order.
// ledger, a JSON value or nil, becomes the member of that name. The error is a
// *[SyntaxError]; registered texts have none.
func ExportChain(revisions [][]byte, rounds []RoundOn, ledger []byte) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(`{"aac":"0.1.0","revisions":[`)
	for i, text := range revisions {
		v, err := Decode(text)
		if err != nil {
			return nil, err
		}
		separate(&out, i)
		out.Write(v.Raw())
	}
	out.WriteString("],\n\"rounds\":[")
	for i, round := range rounds {
		v, err := Decode(round.Text)
		if err != nil {
			return nil, err
		}
		separate(&out, i)
		writeRoundOn(&out, v, round.Revision)
	}
	out.WriteString("]")
	if ledger != nil {
		out.WriteString(",\n\"ledger\":")
		out.Write(ledger)
	}
	out.WriteString("}\n")
	return out.Bytes(), nil
}

func separate(out *bytes.Buffer, i int) {
	if i > 0 {
		out.WriteByte(',')
	}
	out.WriteByte('\n')
}

// writeRoundOn writes a round with its member "revision", which replaces one that is
// there.
func writeRoundOn(out *bytes.Buffer, round *Value, revision int64) {
	raw, number := round.Raw(), strconv.FormatInt(revision, 10)
	if was := round.Get("revision"); was != nil {
		out.Write(raw[:was.Offset-round.Offset])
		out.WriteString(number)
		out.Write(raw[was.End-round.Offset:])
		return
	}
	out.WriteString(`{"revision":` + number)
	if len(round.Members) > 0 {
		out.WriteByte(',')
	}
	out.Write(raw[1:])
}
