package ledger

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/plumbline-mcp/plumbline/contract"
)

// ExportForBuilder writes a contract's chain file as a builder may see it: of each
// round only the findings against criteria, and how many others were withheld; no
// events, since their bodies hold the rest. It proves nothing: that is for
// [Ledger.Export].
func (l *Ledger) ExportForBuilder(ctx context.Context, id string) ([]byte, error) {
	cut := &builderExport{id: id}
	err := l.view(ctx, id, func(q querier) error {
		if _, err := knownHead(ctx, q, id); err != nil {
			return err
		}
		return eachEvent(ctx, q, id, 0, allEvents, func(e *Event) error { return cut.add(ctx, q, e) })
	})
	if err != nil {
		return nil, err
	}
	text, err := contract.ExportChain(cut.revisions, cut.rounds, nil)
	if err != nil {
		return nil, damaged(id, 0, "or a later one holds no JSON")
	}
	return text, nil
}

// builderExport collects a chain event by event.
type builderExport struct {
	id        string
	revisions [][]byte
	rounds    []contract.RoundOn
	standard  *contract.Standard // of the newest revision so far
	files     *keptFiles
}

func (b *builderExport) add(ctx context.Context, q querier, e *Event) error {
	switch e.Kind {
	case Revision:
		c, report := contract.ParseContract(e.Body)
		if !report.Valid() {
			return damaged(b.id, e.Seq, "is no valid contract")
		}
		b.revisions = append(b.revisions, e.Body)
		b.files = newKeptFiles(ctx, q, b.id, c.Revision)
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
		b.rounds = append(b.rounds, contract.RoundOn{Text: text, Revision: int64(len(b.revisions))})
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
