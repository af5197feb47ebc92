package runner

import (
	"bytes"
	"encoding/json"
)

// Report is a done report (objects page, section 7). The contract's full SHA-256 is
// this project's own member: the fingerprint is a label.
type Report struct {
	Done     string     `json:"done"`
	Contract ReportedOn `json:"contract"`
	Subject  *Subject   `json:"subject,omitempty"`
	Results  []Result   `json:"results"`
}

// ReportedOn names the contract that a report is about.
type ReportedOn struct {
	ID          string `json:"id"`
	Fingerprint string `json:"fingerprint"`
	Revision    int64  `json:"revision"`
	SHA256      string `json:"sha256"` // of the contract's bytes
}

// Result is how one check of the contract ended.
type Result struct {
	Criterion string `json:"criterion"`
	Check     int    `json:"check"` // its index in the criterion's checks
	Outcome
}

// reportVersion is the version of the report's format.
const reportVersion = "0.1"

func newReport(plan *Plan) *Report {
	c := plan.Contract
	return &Report{
		Done:     reportVersion,
		Contract: ReportedOn{c.ID, c.Fingerprint, c.Revision, c.SHA256()},
		Subject:  plan.Subject,
		Results:  []Result{},
	}
}

// Text is the report as indented JSON of at most 1 MiB: the tails of its
// outputs are shortened where they take more.
func (r *Report) Text() ([]byte, error) {
	fitted := *r
	fitted.Results = append([]Result{}, r.Results...)
	for limit := maxTail; ; limit /= 2 {
		if size := fitted.shorten(limit); size > maxReportBytes && limit > 0 {
			continue // no need to encode it to see that it is too large
		}
		text, err := encode(fitted)
		if err != nil || len(text) <= maxReportBytes || limit == 0 {
			return text, err
		}
	}
}

// shorten cuts the tails to their last bytes, at most limit, and gives what they take
// together.
func (r *Report) shorten(limit int) (size int) {
	for i := range r.Results {
		tail := &r.Results[i].OutputTail
		if len(*tail) > limit {
			*tail = string(wholeRunes(last([]byte(*tail), limit)))
		}
		size += len(*tail)
	}
	return size
}

// encode writes a value as indented JSON, its strings without escapes for HTML.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return out.Bytes(), err
}
