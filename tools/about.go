package tools

import (
	"fmt"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// Label names one revision of a contract.
type Label struct {
	ContractID  string `json:"contract_id"`
	Revision    int64  `json:"revision"`
	Fingerprint string `json:"fingerprint"`
	SHA256      string `json:"sha256"` // of the contract's bytes
}

// NewLabel is the label of a contract; what an invalid one lacks is empty.
func NewLabel(c *contract.Contract) Label {
	label := Label{ContractID: c.ID, Revision: c.Revision, Fingerprint: c.Fingerprint}
	if len(c.Text) > 0 {
		label.SHA256 = c.SHA256()
	}
	return label
}

// CheckID says why an answer with the label is about no revision of the contract with that
// id; nil where it is about one.
func (l Label) CheckID(id string) error {
	switch {
	case l.ContractID == "" || l.Revision < 1 || l.Fingerprint == "" || l.SHA256 == "":
		return fmt.Errorf("it does not say which revision of %q it is about", id)
	case l.ContractID != id:
		return fmt.Errorf("it is about %q, not about %q", clip(l.ContractID, maxLabel), id)
	}
	return nil
}

// About is the beginning of an answer about a contract or of what is held against
// one. An object that is not valid has what is sound of it.
type About struct {
	Valid bool `json:"valid"`
	Label
	Errors   []contract.Problem `json:"errors"`
	Warnings []contract.Problem `json:"warnings"`
}

// NewAbout is about a contract, nil for one that nothing is known of, with every
// problem in full.
func NewAbout(c *contract.Contract, r *contract.Report) About {
	a := About{Valid: r.Valid(), Errors: r.Errors(), Warnings: r.Warnings()}
	if c != nil {
		a.Label = NewLabel(c)
	}
	return a
}

// parts cuts what the answer repeats of the object, and gives the lists that fit may
// cut.
func (a *About) parts() []part {
	a.ContractID, a.Fingerprint = clip(a.ContractID, maxLabel), clip(a.Fingerprint, maxLabel)
	cutProblems(a.Errors)
	cutProblems(a.Warnings)
	return []part{listPart("errors", errorShare, &a.Errors), listPart("warnings", warningShare, &a.Warnings)}
}

// cutProblems cuts what problems repeat of the object.
func cutProblems(list []contract.Problem) {
	for i := range list {
		p := &list[i]
		p.Path, p.Message, p.Fix = clip(p.Path, maxMessage), clip(p.Message, maxMessage), clip(p.Fix, maxMessage)
	}
}

// Recording is the end of an answer about something that can be recorded.
type Recording struct {
	Next []contract.Step `json:"next"`
	// Receipt names the event; nil where nothing was recorded.
	Receipt  *ledger.Receipt `json:"receipt,omitempty"`
	Recorded bool            `json:"recorded"`
	// Repeated says that an earlier call recorded it, under the same submission.
	Repeated bool `json:"repeated"`
}

func newRecording(next []contract.Step, receipt *ledger.Receipt, repeated bool) Recording {
	return Recording{Next: next, Receipt: receipt, Recorded: receipt != nil, Repeated: repeated}
}

// cuts counts, by list, what was cut off to keep an answer readable.
type cuts struct {
	Omitted map[string]int `json:"omitted,omitempty"`
}

// part is one list of an answer.
type part struct {
	name  string
	share int // of the room for all lists, in percent
	empty func()
	take  func(share, left int) (cut, rest int)
}

func listPart[T any](name string, share int, list *[]T) part {
	items := *list
	return part{name, share,
		func() { *list = []T{} },
		func(share, left int) (int, int) {
			kept, cut, rest := keep(items, share, left)
			*list = kept
			return cut, rest
		}}
}

// fit cuts the answer's lists at their ends until its text keeps maxText, and counts
// what is missing. Each list has a fixed share of the room, the last one what is left.
func (c *cuts) fit(answer any, parts ...part) {
	if textSize(answer) <= maxText {
		return
	}
	for _, p := range parts {
		p.empty()
	}
	const counts = 250
	room := maxText - textSize(answer) - counts
	left := room
	c.Omitted = map[string]int{}
	for i, p := range parts {
		share := room * p.share / 100
		if i == len(parts)-1 {
			share = left
		}
		var cut int
		if cut, left = p.take(share, left); cut > 0 {
			c.Omitted[p.name] = cut
		}
	}
}
