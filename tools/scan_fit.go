package tools

import (
	"cmp"
	"slices"
)

// fit cuts the answer's lists at their ends until its text keeps maxText, and
// counts what is missing. The lists before the tools have fixed shares of the room,
// so that a long one leaves space for the next.
func (a *scanAnswer) fit() {
	if textSize(a) <= maxText {
		return
	}
	if len(a.Tools) == 1 && a.Tools[0].Findings != nil {
		a.fitOne()
		return
	}
	rules, tools, notes := a.ByRule, a.Tools, a.Notes
	var cut omitted
	room := a.room()
	left := room
	a.ByRule, cut.ByRule, left = keep(rules, room*ruleShare/100, left)
	a.Notes, cut.Notes, left = keep(notes, room*noteShare/100, left)
	a.Tools, cut.Tools, _ = keep(tools, left, left)
	a.Omitted = &cut
}

// fitOne cuts the answer about one tool: what could not be read of it, then findings
// without their evidence, then with what is left of the room the evidence.
func (a *scanAnswer) fitOne() {
	row, notes := a.Tools[0], a.Notes
	findings, incomplete := row.Findings, row.Incomplete
	evidence := make([][]evidenceRow, len(findings))
	for i := range findings {
		evidence[i], findings[i].Evidence = findings[i].Evidence, []evidenceRow{}
	}
	row.Findings, row.Incomplete = nil, nil
	a.Tools = []toolRow{row}
	var cut omitted
	room := a.room() - textSize(row)
	left := room
	a.Notes, cut.Notes, left = keep(notes, room*noteShare/100, left)
	row.Incomplete, cut.Incomplete, left = keep(incomplete, room*noteShare/100, left)
	row.Findings, cut.Findings, left = keep(findings, room*findingShare/100, left)
	for _, all := range evidence {
		cut.Evidence += len(all)
	}
	cut.Evidence -= share(row.Findings, evidence, left)
	a.Tools = []toolRow{row}
	a.Omitted = &cut
}

// share gives the findings their evidence while it fits into left characters, and says how
// many places they got. Each may take an equal part of what those before it left, the one
// with the least evidence first: what it does not need is for the others.
func share(findings []findingRow, evidence [][]evidenceRow, left int) (shown int) {
	order, unused := make([]int, len(findings)), make([]int, len(findings))
	for i := range findings {
		order[i] = i
		_, _, unused[i] = keep(evidence[i], left, left)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(unused[j], unused[i]) })
	for n, i := range order {
		findings[i].Evidence, _, left = keep(evidence[i], left/(len(order)-n), left)
		shown += len(findings[i].Evidence)
	}
	return shown
}

// room empties the lists and gives the characters left for them, beside a cursor
// and the counts of what is missing.
func (a *scanAnswer) room() int {
	a.Notes = []string{}
	a.Tools = []toolRow{}
	if a.ByRule != nil {
		a.ByRule = []ruleRow{}
	}
	a.NextCursor = ""
	const cursorAndCounts = 250
	return maxText - textSize(a) - cursorAndCounts
}

// keep takes items from the front while their text fits into share characters. It
// gives them, how many were cut, and what is left of left.
func keep[T any](items []T, share, left int) ([]T, int, int) {
	used := 0
	for i, item := range items {
		size := textSize(item) + len(",")
		if used+size > share {
			return items[:i:i], len(items) - i, left - used
		}
		used += size
	}
	return items, 0, left - used
}
