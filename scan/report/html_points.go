package report

import (
	"fmt"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// htmlPoints says where the 100 points of a file's average tool go, and what of them
// makes the score (rules page, section 5).
type htmlPoints struct {
	Mean, Lowest string // of all tools, and of the lowest tenth
	LowestCount  int
	// Half is half of each, where that is more than Most, the score that critical findings
	// allow; both 0 where it is the score.
	Half, Most int
	Parts      []htmlPart // what is kept, then what is lost, by severity
	Categories []htmlPart
}

// htmlPart is one part of the points.
type htmlPart struct {
	Name, Class string
	Findings    int
	Points      int    // over all tools
	Mean        string // of the average tool
	Most        int    // what a tool has of it
	// Begin and Width are its place in a bar of 100.
	Begin, Width string
}

// formula says how points become a score (rules page, section 5).
func formula() string {
	var costs []string
	for _, s := range severityNames() {
		costs = append(costs, fmt.Sprintf("%d (%s)", agentready.Severity(s).Points(), s))
	}
	return "A tool starts with 100 points; a finding takes " + agentready.Choice(costs) + " of what its category still has. " +
		fmt.Sprintf("The score of a file is half the mean over its tools and half the mean over the lowest tenth of them, and at most %d while critical findings stand.",
			agentready.MostWithCritical)
}

// newHTMLPoints is nil where there are no tools to speak of.
func newHTMLPoints(e *agentready.Export) *htmlPoints {
	n := len(e.Tools)
	if n == 0 {
		return nil
	}
	severities, categories := map[string]htmlPart{}, map[string]htmlPart{}
	scores := make([]int, n)
	left := 100 * n
	for i, t := range e.Tools {
		scores[i] = t.Score
		for f, points := range t.PointsLost() {
			r := t.DetectedRules[f]
			addPart(severities, string(known(r.Severity)), points)
			addPart(categories, r.Category, points)
			left -= points
		}
	}
	lowest := agentready.LowestTenth(scores)
	p := &htmlPoints{Mean: tenths(sum(scores), n), Lowest: tenths(sum(lowest), len(lowest)), LowestCount: len(lowest)}
	if half := agentready.Uncapped(scores); e.RiskCounts.Critical > 0 && half > agentready.MostWithCritical {
		p.Half, p.Most = half, agentready.MostWithCritical
	}
	p.Parts = lineUp(n, severities, sum(scores), left-sum(scores))
	for _, c := range agentready.Categories {
		part := categories[c.Name]
		part.Name, part.Most = strings.ReplaceAll(c.Name, "_", " "), c.Points
		part.place(0, n*c.Points)
		part.Mean = tenths(part.Points, n)
		p.Categories = append(p.Categories, part)
	}
	return p
}

// lineUp puts what n tools keep and lose side by side. What no finding took is lost to
// other reasons, which the rules page names.
func lineUp(n int, severities map[string]htmlPart, kept, other int) []htmlPart {
	parts := []htmlPart{{Name: "kept", Class: "kept", Points: kept}}
	for _, s := range severityNames() {
		part := severities[s]
		part.Name, part.Class = s, s
		parts = append(parts, part)
	}
	if other > 0 {
		parts = append(parts, htmlPart{Name: "no name of its own, or not read whole", Class: "other", Points: other})
	}
	begin := 0
	for i := range parts {
		parts[i].place(begin, 100*n)
		parts[i].Mean = tenths(parts[i].Points, n)
		begin += parts[i].Points
	}
	return parts
}

// place gives the part its place in a bar of that many points.
func (p *htmlPart) place(begin, whole int) {
	p.Begin = fmt.Sprintf("%.2f", 100*float64(begin)/float64(whole))
	p.Width = fmt.Sprintf("%.2f", 100*float64(p.Points)/float64(whole))
}

func addPart(parts map[string]htmlPart, name string, points int) {
	part := parts[name]
	part.Findings++
	part.Points += points
	parts[name] = part
}

// severityNames are the severities, the most severe first.
func severityNames() []string {
	var names []string
	for _, s := range agentready.FailOnValues() {
		if s != agentready.FailOnNone {
			names = append(names, string(s))
		}
	}
	return names
}

// tenths is points of n tools for one of them, with one decimal.
func tenths(points, n int) string { return fmt.Sprintf("%.1f", float64(points)/float64(n)) }

func sum(ns []int) int {
	total := 0
	for _, n := range ns {
		total += n
	}
	return total
}
