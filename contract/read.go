package contract

// ParseContract decodes a contract and checks it by every rule that needs the contract
// alone. The contract is nil where the text is no JSON object; else it is as complete
// as the document, whatever the report says. The text must not be changed afterwards.
func ParseContract(text []byte) (*Contract, *Report) {
	r := &Report{}
	v, err := Decode(text)
	if err != nil {
		r.addSyntax(err)
		checkSize(text, nil, r)
		return nil, r
	}
	return parseContractValue(v, checkShape(SchemaContract, v, r), text, r), r
}

// parseContractValue reads and checks a contract whose shape is known; text is the
// bytes that count as the contract's own.
func parseContractValue(v *Value, s *shape, text []byte, r *Report) *Contract {
	checkSize(text, v, r)
	if s.judged(v) {
		checkHidden(v, r)
	}
	if v.Type() != Object {
		return nil
	}
	c := readContract(v, s)
	c.Text = text
	checkContract(c, r)
	return c
}

// readContract reads what is sound of a contract.
func readContract(v *Value, s *shape) *Contract {
	head := v.Get("contract")
	c := &Contract{
		Value:       v,
		ID:          s.text(head.Get("id")),
		Fingerprint: s.text(head.Get("fingerprint")),
		Owner:       s.text(head.Get("owner")),
		Title:       s.text(head.Get("title")),
		Authority:   s.text(head.Get("authority")),
	}
	if revision := head.Get("revision"); s.sound(revision) {
		c.Revision, _ = revision.Int()
	}
	if extensions := v.Get("budget").Get("extensions"); s.sound(extensions) {
		c.Budget = readBudget(extensions)
	}
	if criteria := v.Get("criteria"); criteria.Type() == Array && s.judged(criteria) {
		for _, item := range criteria.Items {
			if item.Type() == Object {
				c.Criteria = append(c.Criteria, readCriterion(item, s))
			}
		}
	}
	return c
}

// readBudget reads a sound budget. One that nobody can use up counts as the largest.
func readBudget(v *Value) int64 {
	if n, ok := v.Int(); ok {
		return n
	}
	return MaxSafeInteger
}

func readCriterion(v *Value, s *shape) Criterion {
	cr := Criterion{
		Value:     v,
		ID:        s.text(v.Get("id")),
		Class:     s.text(v.Get("class")),
		Kind:      Kind(s.text(v.Get("kind"))),
		Statement: s.text(v.Get("statement")),
		Owner:     s.text(v.Get("owner")),
	}
	switch cr.Kind {
	case Enumerable:
		cr.Cases, cr.CaseFile = readCases(v.Get("cases"), s)
	case Bounded:
		cr.Domain = readDomain(v.Get("domain"), s)
	case Structural:
		if entries := v.Get("construction"); entries.Type() == Array {
			for _, item := range entries.Items {
				cr.Construction = append(cr.Construction, readEntry(item, s))
			}
		}
	}
	if checks := v.Get("checks"); checks.Type() == Array {
		for _, item := range checks.Items {
			cr.Checks = append(cr.Checks, readCheck(item, s))
		}
	}
	return cr
}

// readCases reads the sound cases of a list, or the reference to a file of cases.
func readCases(v *Value, s *shape) ([]Case, *ArtifactRef) {
	switch v.Type() {
	case Object:
		return nil, readReference(v, s)
	case Array:
		cases := make([]Case, 0, len(v.Items))
		for _, item := range v.Items {
			id := item
			if item.Type() == Object {
				id = item.Get("id")
			}
			if s.sound(id) {
				cases = append(cases, Case{Value: item, ID: s.text(id)})
			}
		}
		return cases, nil
	default:
		return nil, nil
	}
}

// readReference reads what is sound of an artifact reference; nil if it is no object.
func readReference(v *Value, s *shape) *ArtifactRef {
	if v.Type() != Object {
		return nil
	}
	return &ArtifactRef{
		Value:       v,
		Path:        s.text(v.Get("artifact")),
		Fingerprint: s.text(v.Get("fingerprint")),
	}
}

// readDomain reads a reference that may declare a key.
func readDomain(v *Value, s *shape) *ArtifactRef {
	ref := readReference(v, s)
	if key := v.Get("key"); ref != nil && s.sound(key) {
		ref.Key, ref.Keyed = s.text(key), true
	}
	return ref
}

func readEntry(v *Value, s *shape) Entry {
	e := Entry{Value: v, Statement: s.text(v)}
	if v.Type() != Object {
		return e
	}
	e.Statement = s.text(v.Get("statement"))
	e.Kind = Kind(s.text(v.Get("kind")))
	switch e.Kind {
	case Enumerable:
		e.Cases, e.CaseFile = readCases(v.Get("cases"), s)
	case Bounded:
		e.Domain = readDomain(v.Get("domain"), s)
	}
	return e
}

// readCheck reads what is sound of a contract's or a finding's check.
func readCheck(v *Value, s *shape) Check {
	c := Check{Value: v, Type: CheckType(s.text(v.Get("type")))}
	if c.Type == Condition {
		c.Text = s.text(v.Get("text"))
		return c
	}
	if !c.Type.Runs() {
		return c
	}
	c.Run = s.text(v.Get("run"))
	c.Expect = s.text(v.Get("expect"))
	if timeout := v.Get("timeout_s"); s.sound(timeout) {
		c.Timeout, _ = timeout.float()
	}
	c.Files = readFiles(v.Get("files"), s)
	return c
}

// readFiles reads a list of artifact references.
func readFiles(v *Value, s *shape) []ArtifactRef {
	if v.Type() != Array {
		return nil
	}
	var files []ArtifactRef
	for _, item := range v.Items {
		if ref := readReference(item, s); ref != nil {
			files = append(files, *ref)
		}
	}
	return files
}
