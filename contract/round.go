package contract

// Verdict is what a round says of the work.
type Verdict string

// The verdicts.
const (
	Pass     Verdict = "pass"
	Fail     Verdict = "fail"
	Escalate Verdict = "escalate"
)

// Weight is the severity of a finding (not to be taken for the [Severity] of a
// problem).
type Weight string

// The severities of findings.
const (
	Blocking Weight = "blocking"
	Advisory Weight = "advisory"
)

// RemedyType says who mends a finding and how.
type RemedyType string

// The types of remedies.
const (
	RemedyRewrite  RemedyType = "rewrite"
	RemedyGenerate RemedyType = "generate"
	RemedyPatch    RemedyType = "patch"
	RemedyCommand  RemedyType = "command"
	RemedyDelegate RemedyType = "delegate" // to somebody by name
	RemedyDecide   RemedyType = "decide"   // between options
)

// Round is one AGC response judged against one revision (objects page, section 5).
// Where a part of the document is missing or malformed (AAC301), its field is the
// zero value.
type Round struct {
	Value    *Value // the object at its place in its document
	Version  string // gate.version: the fingerprint of the revision it was judged against
	Revision int64  // its own member "revision", by which chains tell revisions of one fingerprint apart
	Verdict  Verdict
	Commit   string   // subject.commit: what was judged
	Classes  []string // coverage.classes; absent counts as empty
	Findings []Finding

	shape *shape
}

// Finding is one finding of a round.
type Finding struct {
	Value    *Value
	Class    string
	Weight   Weight // its severity
	Location string // the input it is about
	Located  bool   // whether it has a location, which may be empty
	Message  string
	Check    *Check  // nil where there is none; without a type where it is malformed
	Remedy   *Remedy // nil where there is none; without a type where it is malformed
}

// Remedy is what a finding asks for.
type Remedy struct {
	Value   *Value
	Type    RemedyType
	To      string   // of delegate
	Options []string // of decide
}

// ParseRound decodes a round and checks its shape: AAC300 and AAC301. The round is
// nil only where the text is no JSON object; what is sound of a malformed one is read.
func ParseRound(text []byte) (*Round, *Report) {
	report := &Report{}
	v, err := Decode(text)
	if err != nil {
		report.addSyntax(err)
		return nil, report
	}
	s := checkShape(SchemaRound, v, report)
	if v.Type() != Object {
		return nil, report
	}
	return readRound(v, s), report
}

// readRound reads what is sound of a round.
func readRound(v *Value, s *shape) *Round {
	coverage := v.Get("coverage")
	r := &Round{
		Value:   v,
		Version: s.text(v.Get("gate").Get("version")),
		Verdict: Verdict(s.text(v.Get("verdict"))),
		Commit:  s.text(v.Get("subject").Get("commit")),
		Classes: s.texts(coverage.Get("classes")),
		shape:   s,
	}
	if revision := v.Get("revision"); s.sound(revision) {
		r.Revision, _ = revision.Int()
	}
	if findings := v.Get("findings"); findings.Type() == Array && s.judged(findings) {
		r.Findings = make([]Finding, len(findings.Items))
		for i, item := range findings.Items {
			r.Findings[i] = readFinding(item, s)
		}
	}
	return r
}

func readFinding(v *Value, s *shape) Finding {
	location := v.Get("location")
	f := Finding{
		Value:    v,
		Class:    s.text(v.Get("class")),
		Weight:   Weight(s.text(v.Get("severity"))),
		Location: s.text(location),
		Located:  s.sound(location),
		Message:  s.text(v.Get("message")),
	}
	if c := v.Get("check"); c != nil {
		check := readCheck(c, s)
		f.Check = &check
	}
	if m := v.Get("remedy"); m != nil {
		f.Remedy = &Remedy{
			Value:   m,
			Type:    RemedyType(s.text(m.Get("type"))),
			To:      s.text(m.Get("to")),
			Options: s.texts(m.Get("options")),
		}
	}
	return f
}

// texts gives the strings of a sound list, else nothing.
func (s *shape) texts(v *Value) []string {
	if !s.sound(v) || v.Type() != Array {
		return nil
	}
	texts := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		if text, ok := item.Text(); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
