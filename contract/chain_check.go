package contract

import "io/fs"

// ChainResult is what the rules say of a chain file.
type ChainResult struct {
	Report *Report // every problem of the chain
	Chain  *Chain  // its state after the last round; nil where the text is no JSON object
	// Rounds are the results of the rounds that are JSON objects, in order, as far as
	// they were judged. Their own reports lack AAC301, which is in Report.
	Rounds []*RoundResult
}

// CheckChain decodes a chain file and checks it by every rule (objects page, section
// 6), paths beginning with /revisions/N or /rounds/N. root is where the contracts'
// artifacts lie, nil for nowhere. The text must not be changed afterwards.
func CheckChain(text []byte, root fs.FS) *ChainResult {
	result := &ChainResult{Report: &Report{}}
	v, err := Decode(text)
	if err != nil {
		result.Report.addSyntax(err)
		return result
	}
	s := checkShape(SchemaChain, v, result.Report)
	if v.Type() != Object {
		return result
	}
	result.Chain = newChain(root)
	result.revisions(v.Get("revisions"), s, root)
	result.rounds(v.Get("rounds"), s)
	return result
}

func (c *ChainResult) revisions(list *Value, s *shape, root fs.FS) {
	for _, item := range s.judgedItems(list) {
		report := &Report{}
		k := parseContractValue(item, s, item.Raw(), report)
		if k == nil {
			k = &Contract{Value: item, Text: item.Raw()} // it keeps its place among the others
		}
		report.Merge(CheckLinks(k, root), "")
		valid := s.sound(item) && report.Valid()
		report.Merge(c.Chain.CheckRevision(k), "")
		c.Chain.AddRevision(k, valid)
		c.Report.Merge(report, "")
	}
}

func (c *ChainResult) rounds(list *Value, s *shape) {
	for _, item := range s.judgedItems(list) {
		if item.Type() != Object {
			continue
		}
		round := c.Chain.CheckRound(readRound(item, s), &Report{}, false)
		c.Chain.AddRound(round)
		c.Rounds = append(c.Rounds, round)
		c.Report.Merge(round.Report, "")
	}
}
