package contract

import (
	"math"
	"time"
)

// Done is a builder's report of the contract's checks (objects page, section 7). Where
// a part of the document is missing or malformed (AAC301), its field is the zero value.
type Done struct {
	Value       *Value // the object at its place in its document
	ContractID  string
	Fingerprint string
	Revision    int64 // 0 where it names none
	Commit      string
	Dirty       bool // whether the tree held changes that are not committed
	Results     []Result

	shape *shape
}

// Result is the result of one check.
type Result struct {
	Value     *Value
	Criterion string
	Check     int // index in the criterion's checks; -1 where it is none
	Type      CheckType
	Run       string
	Files     []ArtifactRef
	StartedAt time.Time // zero where it is not told
}

// ParseDone decodes a done report and checks its shape: AAC300 and AAC301. The report
// is nil only where the text is no JSON object; what is sound of a malformed one is
// read.
func ParseDone(text []byte) (*Done, *Report) {
	report := &Report{}
	v, err := Decode(text)
	if err != nil {
		report.addSyntax(err)
		return nil, report
	}
	s := checkShape(SchemaDone, v, report)
	if v.Type() != Object {
		return nil, report
	}
	return readDone(v, s), report
}

func readDone(v *Value, s *shape) *Done {
	head, subject := v.Get("contract"), v.Get("subject")
	d := &Done{
		Value:       v,
		ContractID:  s.text(head.Get("id")),
		Fingerprint: s.text(head.Get("fingerprint")),
		Commit:      s.text(subject.Get("commit")),
		shape:       s,
	}
	if revision := head.Get("revision"); s.sound(revision) {
		d.Revision, _ = revision.Int()
	}
	d.Dirty, _ = subject.Get("dirty").Truth()
	if s.judged(v) {
		for _, item := range v.Get("results").items() {
			d.Results = append(d.Results, readResult(item, s))
		}
	}
	return d
}

func readResult(v *Value, s *shape) Result {
	r := Result{
		Value:     v,
		Criterion: s.text(v.Get("criterion")),
		Check:     -1,
		Type:      CheckType(s.text(v.Get("type"))),
		Run:       s.text(v.Get("run")),
		Files:     readFiles(v.Get("files"), s),
	}
	if check, ok := v.Get("check").Int(); ok && check <= math.MaxInt32 && s.sound(v.Get("check")) {
		r.Check = int(check)
	}
	if started := s.text(v.Get("started_at")); started != "" {
		r.StartedAt, _ = time.Parse(time.RFC3339, started)
	}
	return r
}
