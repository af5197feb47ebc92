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
	contract *contract.Contract // the newest revision so far
	standard *contract.Standard // of it
	files    *keptFiles
	commit   string // of the newest done report so far
}

func (b *builderExport) add(ctx context.Context, e *Event) error {
	switch e.Kind {
	case Revision:
		c, report := contract.ParseContract(e.Body)
		if !report.Valid() {
			return damaged(b.id, e.Seq, "is no valid contract")
		}
		b.on, b.contract = c.Revision, c
		b.files = newKeptFiles(ctx, b.q, b.id, c.Revision)
		b.standard = contract.NewStandard(c, b.files)
	case Done:
		if d, _ := contract.ParseDone(e.Body); d != nil {
			b.commit = d.Commit
		}
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

// cut writes a round anew, from members that have a meaning and in which a judge is not
// free: others may tell of what is withheld.
func (b *builderExport) cut(r *contract.Round) ([]byte, error) {
	withheld := 0
	kept := []any{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if b.standard.Judge(f).Disposition == contract.DispositionAgainst {
			kept = append(kept, members(f.Value, "class", "severity", "location", "message", "check", "remedy"))
		} else {
			withheld++
		}
	}
	if b.files.failed != nil {
		return nil, b.files.failed
	}
	round := map[string]any{
		"agc":               rawOrNull(r.Value.Get("agc")),
		"gate":              map[string]string{"version": r.Version},
		"verdict":           r.Verdict,
		"subject":           map[string]string{"commit": commitForBuilder(r.Commit, b.commit)},
		"coverage":          map[string][]string{"classes": classesForBuilder(r, b.contract)},
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
