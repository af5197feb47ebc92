package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/plumbline-mcp/plumbline/contract"
)

// ExportForBuilder writes a contract's chain file as a builder may see it: of each
// round only the findings against criteria, and how many others were withheld; no
// events, since their bodies hold the rest. It proves nothing: that is for
// [Ledger.Export], which it is else like.
func (l *Ledger) ExportForBuilder(ctx context.Context, id string, most int64, w io.Writer) error {
	return l.export(ctx, id, most, w, func(x *chainExport) error {
		if err := x.each(x.revision); err != nil {
			return err
		}
		cut := &builderExport{chainExport: x, id: id}
		if err := x.each(func(e *Event) error { return cut.add(ctx, e) }); err != nil {
			return err
		}
		return x.file.Close(nil)
	})
}

// builderExport cuts the rounds of a chain one by one.
type builderExport struct {
	*chainExport
	id       string
	standard *contract.Standard // of the newest revision so far
	files    *keptFiles
}

func (b *builderExport) add(ctx context.Context, e *Event) error {
	switch e.Kind {
	case Revision:
		c, report := contract.ParseContract(e.Body)
		if !report.Valid() {
			return damaged(b.id, e.Seq, "is no valid contract")
		}
		b.on = c.Revision
		b.files = newKeptFiles(ctx, b.q, b.id, c.Revision)
		b.standard = contract.NewStandard(c, b.files)
	case Round:
		r, _ := contract.ParseRound(e.Body)
		if r == nil || b.standard == nil {
			return damaged(b.id, e.Seq, "is no round on a revision")
		}
		text, err := b.cut(r)
		if err != nil {
			return err
		}
		return b.file.Round(text, b.on)
	}
	return nil
}

// cut writes a round anew, from members that have a meaning: others may tell of what
// is withheld.
func (b *builderExport) cut(r *contract.Round) ([]byte, error) {
	withheld := 0
	kept := []json.RawMessage{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if b.standard.Judge(f).Disposition == contract.DispositionAgainst {
			kept = append(kept, f.Value.Raw())
		} else {
			withheld++
		}
	}
	if b.files.failed != nil {
		return nil, b.files.failed
	}
	round := map[string]any{
		"agc":               rawOrNull(r.Value.Get("agc")),
		"gate":              members(r.Value.Get("gate"), "name", "version"),
		"verdict":           r.Verdict,
		"subject":           members(r.Value.Get("subject"), "commit"),
		"coverage":          members(r.Value.Get("coverage"), "classes"),
		"findings":          kept,
		"findings_withheld": withheld,
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(round)
	return out.Bytes(), err
}

func rawOrNull(v *contract.Value) json.RawMessage {
	if v == nil {
		return json.RawMessage("null")
	}
	return v.Raw()
}

// members copies the named members of an object that it has.
func members(v *contract.Value, names ...string) map[string]json.RawMessage {
	copied := map[string]json.RawMessage{}
	for _, name := range names {
		if member := v.Get(name); member != nil {
			copied[name] = member.Raw()
		}
	}
	return copied
}
